import { ExchequerError } from '@exchequer/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { sessionKey, useApp } from '../app.tsx'
import { rememberPlace, wayBack } from '../arrival.ts'
import { usePreferences, useWords } from '../preferences.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Mark } from '../ui/icons.tsx'
import { explain, Notice, Skeleton } from '../ui/states.tsx'

/** Sign-in, with a provider's account or with a sign-in link. */
export function SignIn({ link, onDone }: { readonly link?: string; readonly onDone: () => void }) {
  const { arrival, session } = useApp()
  const { session: words, shell } = useWords()
  useEffect(() => {
    document.title = `${words.title} · ${shell.product}`
  }, [words.title, shell.product])
  // After a link or a provider, the current page is not the one the user wanted.
  const isHere = link === undefined && arrival.failed === undefined
  useEffect(() => {
    if (isHere) rememberPlace()
  }, [isHere])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <div className="flex flex-col items-center gap-3 text-center">
        <Mark className="size-12" />
        <div>
          <h1 className="font-semibold text-2xl tracking-tight">{shell.product}</h1>
          <p className="text-muted">{words.intro}</p>
        </div>
      </div>
      <section className="card flex w-full max-w-sm flex-col gap-4 p-6">
        {link !== undefined ? (
          <ByLink token={link} onDone={onDone} />
        ) : (
          <>
            {arrival.failed !== undefined && (
              <Notice tone="bad">{failure(words.failed, arrival.failed)}</Notice>
            )}
            {arrival.failed === undefined && (session.hasEnded || session.hasLeft) && (
              <Notice tone="info">{session.hasLeft ? words.signedOut : words.ended}</Notice>
            )}
            <ByAccount />
          </>
        )}
      </section>
      <LanguageLine />
    </main>
  )
}

const failure = (all: Readonly<Record<string, string>>, code: string): string =>
  (Object.hasOwn(all, code) ? all[code] : undefined) ?? all['failed'] ?? ''

function ByAccount() {
  const { session, place } = useApp()
  const words = useWords()
  const options = useQuery({ queryKey: ['sign-in options'], queryFn: () => session.options() })
  if (options.error) return <Notice tone="bad">{explain(options.error, words).hint}</Notice>
  if (!options.data) return <Skeleton lines={2} className="!p-0" />
  if (!options.data.provider) return <p>{words.session.noWay}</p>
  return (
    <>
      <a href={`${place.path}/sign-in`} className={buttonClass('primary')}>
        {words.session.withAccount}
      </a>
      <p className="text-muted text-sm">{words.session.askLink}</p>
    </>
  )
}

function ByLink({ token, onDone }: { readonly token: string; readonly onDone: () => void }): ReactNode {
  const { session, queries, place } = useApp()
  const words = useWords()
  const signIn = useMutation({
    mutationFn: () => session.signInBy(token),
    onSuccess: (data) => {
      const wished = wayBack(place.path)
      if (wished !== undefined) return location.replace(wished)
      queries.clear()
      queries.setQueryData(sessionKey, data ?? null)
      return onDone()
    },
  })
  const code = signIn.error instanceof ExchequerError ? signIn.error.code : undefined
  const used = code === 'link_not_valid'
  // A misconfiguration; show the server's own detail, as roles are not involved yet.
  const hint = code === 'forbidden' ? signIn.error?.message : explain(signIn.error, words).hint
  return (
    <>
      <p className="text-muted">{words.session.linkIntro}</p>
      {signIn.error && <Notice tone="bad">{used ? words.session.linkUsed : hint}</Notice>}
      {used ? (
        <Button onClick={onDone}>{words.session.title}</Button>
      ) : (
        <Button look="primary" busy={signIn.isPending} onClick={() => signIn.mutate()}>
          {words.session.withLink}
        </Button>
      )}
    </>
  )
}

function LanguageLine() {
  const { language, setLanguage } = usePreferences()
  const other =
    language === 'de'
      ? ({ code: 'en', name: 'English' } as const)
      : ({ code: 'de', name: 'Deutsch' } as const)
  return (
    <button type="button" lang={other.code} onClick={() => setLanguage(other.code)} className="link text-sm">
      {other.name}
    </button>
  )
}
