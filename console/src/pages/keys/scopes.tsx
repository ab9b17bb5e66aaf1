import type { Scope } from '@exchequer/sdk'
import { useWords } from '../../preferences.tsx'
import { Badge } from '../../ui/bits.tsx'
import { Check } from '../../ui/field.tsx'

/** In display order: read, write, admin. */
export const allScopes = [
  'members:read',
  'wallets:read',
  'journal:read',
  'points:write',
  'members:write',
  'wallets:write',
  'realm:admin',
] as const satisfies readonly Scope[]

const isScope = (text: string): text is Scope => (allScopes as readonly string[]).includes(text)

export function ScopeBadges({ scopes }: { readonly scopes: readonly string[] | null }) {
  const { keys: words } = useWords()
  if (scopes === null) return <Badge>{words.usual}</Badge>
  return (
    <span className="flex flex-wrap gap-1">
      {allScopes
        .filter((scope) => scopes.includes(scope))
        .map((scope) => (
          <Badge key={scope} tone={scope === 'realm:admin' ? 'warn' : 'plain'}>
            {isScope(scope) ? words.scope[scope].name : scope}
          </Badge>
        ))}
    </span>
  )
}

type ChoiceProps = {
  readonly chosen: readonly Scope[]
  readonly error: string | undefined
  readonly onChoose: (scopes: Scope[]) => void
}

/** The permissions of a key, each with a description. */
export function ScopeChoice({ chosen, error, onChoose }: ChoiceProps) {
  const { keys: words } = useWords()
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 font-medium text-sm">{words.scopes}</legend>
      {allScopes.map((scope) => (
        <Check
          key={scope}
          label={words.scope[scope].name}
          hint={words.scope[scope].hint}
          checked={chosen.includes(scope)}
          onChange={(checked) =>
            onChoose(checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
          }
        />
      ))}
      {error !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
