import type { RealmData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWords } from '../preferences.tsx'
import { realmKey } from '../realm.tsx'
import { useSession } from '../signedIn.ts'
import { Icon, Mark } from '../ui/icons.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'

const shownAtMost = 8

/** Shows the current realm and switches to another. */
export function RealmSwitch({ realm }: { readonly realm: string | undefined }) {
  const { shell } = useWords()
  const { realms } = useSession()
  // Filled by the realm's own pages.
  const { data } = useQuery<RealmData>({ queryKey: [...realmKey(realm ?? ''), 'data'], enabled: false })
  const name = data?.name ?? realms.find(({ id }) => id === realm)?.name ?? realm
  const trigger = (
    <button type="button" className="flex items-center gap-2.5 rounded-md p-1.5 text-left hover:bg-sunken">
      <Mark className="size-7" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{name ?? shell.product}</span>
        <span className="block truncate text-muted text-xs">
          {name === undefined ? shell.allRealms : shell.product}
        </span>
      </span>
      <Icon name="updown" className="size-4 text-muted" />
    </button>
  )
  return (
    <Menu trigger={trigger} align="start">
      {realms.slice(0, shownAtMost).map((one) => (
        <MenuItem key={one.id} render={<Link to="/r/$realm" params={{ realm: one.id }} />}>
          <span className="min-w-0 flex-1 truncate">{one.name}</span>
          <span className="text-muted text-xs">{shell.roles[one.role]}</span>
        </MenuItem>
      ))}
      {realms.length > 0 && <MenuLine />}
      <MenuItem icon="realms" render={<Link to="/" search={{ all: true }} />}>
        {shell.allRealms}
      </MenuItem>
    </Menu>
  )
}
