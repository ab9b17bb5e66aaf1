import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionKey, useApp } from './app.tsx'
import { SignIn } from './pages/signIn.tsx'
import { useWords } from './preferences.tsx'
import { Shell } from './shell/shell.tsx'
import { SignedIn } from './signedIn.ts'
import { Button, buttonClass } from './ui/button.tsx'
import { Page, Section } from './ui/page.tsx'
import { Empty, Problem } from './ui/states.tsx'

/** Wraps every page: shows the sign-in, or the frame with the page in it. */
export function Root() {
  const { session, arrival } = useApp()
  const [link, setLink] = useState(arrival.link)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: sessionKey,
    queryFn: async () => (await session.read()) ?? null,
    staleTime: 60_000,
  })
  if (link !== undefined) return <SignIn link={link} onDone={() => setLink(undefined)} />
  if (data) {
    return (
      // When another person signs in, nothing that was open or typed before is left.
      <SignedIn key={data.person.id} value={data}>
        <Shell>
          <Outlet />
        </Shell>
      </SignedIn>
    )
  }
  // The skeleton of index.html is shown as long as there is nothing here.
  if (isPending) return null
  if (error) {
    return (
      <main className="mx-auto max-w-md pt-24">
        <Problem error={error} onRetry={() => void refetch()} />
      </main>
    )
  }
  return <SignIn onDone={() => void refetch()} />
}

export function NotFound() {
  const { states } = useWords()
  const home = (
    <Link to="/" className={buttonClass('primary')}>
      {states.home}
    </Link>
  )
  return (
    <Page title={states.notFound}>
      <Section>
        <Empty icon="search" title={states.notFoundHint} action={home} />
      </Section>
    </Page>
  )
}

/** Shown when a page throws: after a release its chunks may be gone, and reloading fetches the new ones. */
export function Crash() {
  const { states } = useWords()
  const again = <Button onClick={() => location.reload()}>{states.reload}</Button>
  return (
    <div role="alert">
      <Empty icon="alert" title={states.crash} hint={states.crashHint} action={again} />
    </div>
  )
}
