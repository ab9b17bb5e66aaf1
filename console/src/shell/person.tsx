import { useMutation } from '@tanstack/react-query'
import { useApp } from '../app.tsx'
import { type Language, languages, type Theme, usePreferences } from '../preferences.tsx'
import { useSession } from '../signedIn.ts'
import { Avatar } from '../ui/bits.tsx'
import { Icon } from '../ui/icons.tsx'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../ui/menu.tsx'
import { useFailed } from '../ui/toast.tsx'

/** The signed-in person, their theme and language, and sign-out. */
export function PersonMenu() {
  const { person } = useSession()
  const { session } = useApp()
  const failed = useFailed()
  const { theme, language, words, setTheme, setLanguage } = usePreferences()
  const { shell } = words
  const signOut = useMutation({
    mutationFn: () => session.signOut(),
    onError: (error) => failed(error, shell.signOutFailed),
  })
  const trigger = (
    <button
      type="button"
      className="flex w-full items-center gap-2.5 rounded-md p-1.5 text-left hover:bg-sunken"
    >
      <Avatar member={{ id: person.id, displayName: person.name }} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{person.name}</span>
        {person.email && <span className="block truncate text-muted text-xs">{person.email}</span>}
      </span>
      <Icon name="updown" className="size-4 text-muted" />
    </button>
  )
  const themes = Object.entries(shell.themes).map(([value, label]) => ({ value, label }))
  const tongues = Object.entries(languages).map(([value, label]) => ({ value, label }))
  return (
    <Menu trigger={trigger} align="start" side="top">
      <MenuChoices
        label={shell.theme}
        value={theme}
        choices={themes}
        onChoose={(value) => setTheme(value as Theme)}
      />
      <MenuLine />
      <MenuChoices
        label={shell.language}
        value={language}
        choices={tongues}
        onChoose={(value) => setLanguage(value as Language)}
      />
      <MenuLine />
      <MenuItem icon="out" onSelect={() => signOut.mutate()}>
        {shell.signOut}
      </MenuItem>
    </Menu>
  )
}
