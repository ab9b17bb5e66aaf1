import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Link, useMatchRoute, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useApp } from '../app.tsx'
import { useWords } from '../preferences.tsx'
import { realmKey } from '../realm.tsx'
import { useSession } from '../signedIn.ts'
import { Key } from '../ui/bits.tsx'
import { IconButton } from '../ui/button.tsx'
import { VisitedContext } from '../ui/headingFocus.ts'
import { Icon, Mark } from '../ui/icons.tsx'
import { FinderDialog, useFinderPreload } from './finderDialog.tsx'
import { InvitedBanner } from './invited.tsx'
import { type Group, type Place, realmGroups, usePlaces } from './nav.ts'
import { OfflineBanner } from './offline.tsx'
import { PersonMenu } from './person.tsx'
import { RealmSwitch } from './realmSwitch.tsx'

/** The frame: the menu on the left, the page on the right. On a phone a button opens the menu. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { shell } = useWords()
  const [menu, setMenu] = useState(false)
  const [finding, setFinding] = useState(false)
  const visited = useRef<string | undefined>(undefined)
  useFinderKey(() => setFinding(true))
  useFinderPreload()
  const find = () => {
    setMenu(false)
    setFinding(true)
  }
  return (
    <div className="min-h-dvh lg:pl-60">
      <button
        type="button"
        onClick={() => document.getElementById('content')?.focus()}
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 shadow-float focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {shell.skip}
      </button>
      <aside className="fixed inset-y-0 left-0 hidden w-60 border-line border-r bg-surface lg:block">
        <Side onFind={find} />
      </aside>
      <TopBar onMenu={() => setMenu(true)} onFind={find} />
      <MobileMenu open={menu} onClose={() => setMenu(false)} onFind={find} />
      <OfflineBanner />
      <InvitedBanner />
      <main id="content" tabIndex={-1} className="outline-none">
        <VisitedContext value={visited}>{children}</VisitedContext>
      </main>
      {finding && <FinderDialog onClose={() => setFinding(false)} />}
    </div>
  )
}

/** Ctrl-K, or ⌘K, from anywhere. */
function useFinderKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      // What was typed into a dialog would be lost with its page.
      if (!document.querySelector('[role=dialog][data-typed]:not([data-closed])')) open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])
}

function TopBar({ onMenu, onFind }: { readonly onMenu: () => void; readonly onFind: () => void }) {
  const { shell } = useWords()
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-line border-b bg-surface px-3 lg:hidden">
      <IconButton icon="menu" label={shell.menu} onClick={onMenu} />
      <Mark className="size-6" />
      <span className="font-semibold">{shell.product}</span>
      <IconButton icon="search" label={shell.find} onClick={onFind} className="ml-auto" />
    </header>
  )
}

function MobileMenu({
  open,
  onClose,
  onFind,
}: {
  readonly open: boolean
  readonly onClose: () => void
  readonly onFind: () => void
}) {
  const { shell } = useWords()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-line border-r bg-surface shadow-float">
          <Dialog.Title className="sr-only">{shell.menu}</Dialog.Title>
          <Side onFind={onFind} onGo={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Side({ onFind, onGo }: { readonly onFind: () => void; readonly onGo?: () => void }) {
  const { shell } = useWords()
  const { operator } = useSession()
  const { realm } = useParams({ strict: false })
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2 p-3">
        <RealmSwitch realm={realm} />
        <button
          type="button"
          onClick={onFind}
          className="flex h-8 items-center gap-2 rounded-md border border-line bg-page px-2 text-muted text-sm hover:border-line-strong"
        >
          <Icon name="search" className="size-3.5" />
          {shell.find}
          <span className="ml-auto">
            <Key>{shell.findKey}</Key>
          </span>
        </button>
      </div>
      <nav aria-label={shell.menu} className="flex-1 overflow-y-auto px-3 pb-3">
        {realm !== undefined &&
          realmGroups.map((group) => <NavGroup key={group} {...{ group, realm, onGo }} />)}
        {operator && <NavGroup group="operator" realm={realm} onGo={onGo} />}
      </nav>
      <div className="border-line border-t p-2">
        <PersonMenu />
      </div>
    </div>
  )
}

type GroupProps = {
  readonly group: Group
  readonly realm: string | undefined
  readonly onGo: (() => void) | undefined
}

function NavGroup({ group, realm, onGo }: GroupProps) {
  const { shell } = useWords()
  const { session } = useApp()
  const access = useQuery({
    queryKey: [...realmKey(realm ?? ''), 'access'],
    queryFn: () => session.access(realm ?? ''),
    enabled: realm !== undefined,
  })
  const may = ({ scope }: Place) => scope === undefined || (access.data?.scopes.includes(scope) ?? false)
  const places = usePlaces().filter((place) => place.group === group && may(place))
  if (places.length === 0) return null
  return (
    <div className="mt-4 first:mt-0">
      {group !== 'top' && <p className="px-2 pb-1 font-medium text-faint text-xs">{shell.nav[group]}</p>}
      <ul className="flex flex-col gap-px">
        {places.map((place) => (
          <li key={place.to}>
            <NavLink place={place} realm={realm} onGo={onGo} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function NavLink({ place, realm, onGo }: Omit<GroupProps, 'group'> & { readonly place: Place }) {
  const words = useWords()
  const matches = useMatchRoute()
  const exact = place.to === '/' || place.to === '/r/$realm'
  const here = matches({ to: place.to, params: { realm }, fuzzy: !exact } as never) !== false
  return (
    <Link
      to={place.to}
      params={{ realm } as never}
      onClick={onGo}
      aria-current={here ? 'page' : undefined}
      className={`flex h-8 items-center gap-2.5 rounded-md px-2 font-medium ${here ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-ink'}`}
    >
      <Icon name={place.icon} />
      {place.label(words)}
    </Link>
  )
}
