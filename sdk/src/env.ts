/** Variables by their names; `process.env` where the runtime has it. */
export type Env = Readonly<Record<string, string | undefined>>

/** The same variables as the command line. */
const variables = {
  url: 'EXCHEQUER_URL',
  realm: 'EXCHEQUER_REALM',
  key: 'EXCHEQUER_KEY',
  token: 'EXCHEQUER_TOKEN',
} as const

type Setting = keyof typeof variables

/** The named settings: as given, or else from the environment. */
export function settingsOf<Name extends Setting>(
  names: readonly Name[],
  given: { readonly [Each in Name]?: string | undefined },
  env: Env | undefined,
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, given[name] || read(name, env)])) as Record<
    Name,
    string
  >
}

function read(name: Setting, env: Env | undefined): string {
  // Not every runtime has `process`: workers get their variables as an argument, pages have none.
  const { process } = globalThis as { readonly process?: { readonly env?: Env } }
  const value = (env ?? process?.env)?.[variables[name]]
  if (!value) throw new TypeError(`${variables[name]} is not set, and no ${name} was given.`)
  return value
}
