import type { Operator, Realm } from '@exchequer/sdk'
import type { Access } from './access.ts'
import type { Output } from './output.ts'
import type { Terminal } from './terminal.ts'

/** An option: with `value` it takes one, without it is a switch. */
export type Flag = {
  /** What its value is called in the help. */
  readonly value?: string
  readonly what: string
  readonly short?: string
  readonly choices?: readonly string[]
  /** Can be given more than once. */
  readonly many?: true
  /** Its value is a file, for completion. */
  readonly file?: true
  /** An empty text is valid: it clears the current value. */
  readonly mayBeEmpty?: true
}
export type Flags = Readonly<Record<string, Flag>>

export type Argument = {
  readonly what: string
  readonly optional?: true
  readonly choices?: readonly string[]
  /** All that follow. */
  readonly many?: true
  readonly file?: true
}
export type Arguments = Readonly<Record<string, Argument>>

type FlagValue<F extends Flag> = F extends { value: string }
  ? F extends { many: true }
    ? readonly string[]
    : string
  : true
type ArgumentValue<A extends Argument> = A extends { many: true }
  ? readonly string[]
  : A extends { optional: true }
    ? string | undefined
    : string

/** What was given on the command line. */
export type Input<A extends Arguments, F extends Flags> = {
  readonly args: { readonly [Name in keyof A]: ArgumentValue<A[Name]> }
  readonly flags: { readonly [Name in keyof F]?: FlagValue<F[Name]> }
}

/** The context of a command. */
export type Context = {
  /** All commands, for help and completion. */
  readonly groups: readonly Group[]
  readonly out: Output
  readonly terminal: Terminal
  readonly access: Access
  /** Client for the realm of the key. */
  readonly realm: () => Realm
  /** Client for the operator API. */
  readonly operator: () => Operator
}

/** Commands that belong together. */
export type Group = { readonly title: string; readonly commands: readonly Command[] }

export type Example = { readonly line: string; readonly what: string }

export type Command = {
  /** Its words: `members show`. */
  readonly words: string
  readonly what: string
  /** More about it, for its help. */
  readonly more?: string
  readonly args: Arguments
  readonly flags: Flags
  readonly examples: readonly Example[]
  /** Common options do not apply: arguments are passed on unparsed. */
  readonly raw?: true
  readonly run: (given: Input<Arguments, Flags>, context: Context) => Promise<unknown>
}

type Definition<A extends Arguments, F extends Flags> = Omit<Command, 'args' | 'flags' | 'run'> & {
  readonly args?: A
  readonly flags?: F
  readonly run: (given: Input<A, F>, context: Context) => Promise<unknown>
}

type None = Record<never, never>

/** A command whose `run` knows the types of what is given. */
export function command<const A extends Arguments = None, const F extends Flags = None>({
  args,
  flags,
  run,
  ...rest
}: Definition<A, F>): Command {
  // The parser builds `given` from exactly these args and flags.
  return { ...rest, args: args ?? {}, flags: flags ?? {}, run: run as unknown as Command['run'] }
}

/** Options that every command has. */
export const commonFlags = {
  json: { what: 'print JSON, for programs' },
  profile: { value: 'NAME', what: 'use another login (EXCHEQUER_PROFILE)' },
  url: { value: 'URL', what: 'use another server (EXCHEQUER_URL)' },
  realm: { value: 'ID', what: 'use another realm (EXCHEQUER_REALM)' },
  help: { short: 'h', what: 'show this help' },
} as const satisfies Flags

/** For commands that can't be undone. */
export const yesFlag = { yes: { short: 'y', what: 'do not ask for confirmation' } } as const satisfies Flags
