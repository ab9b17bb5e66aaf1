import type { Realm, Scope } from '@exchequer/sdk'
import type { Awards } from '@exchequer/sdk/awards'
import type { JournalCheck } from './journalCheck.ts'
import type { Plans } from './plans.ts'
import type { Schema, Shape } from './shape.ts'

/** What a tool works with. */
export type Context = {
  readonly realm: Realm
  readonly awards: Awards
  readonly plans: Plans
  readonly journal: JournalCheck
}

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** All that a key needs for it. */
  readonly scopes: readonly Scope[]
  /** Listed only when writes are allowed. */
  readonly needsWrites?: true
  /** Whether it remembers between calls, and so needs a process of its own. */
  readonly remembers?: true
  /** Whether it changes points. */
  readonly isWrite?: true
  readonly input: { readonly [Field in string]?: Schema }
  readonly required?: readonly string[]
  readonly output: Shape
  readonly run: (input: never, context: Context) => Promise<unknown>
}

/** A tool whose `run` knows the type of its input, which the schema has checked. */
export const tool = <Input extends object>(
  definition: Omit<Tool, 'run'> & { readonly run: (input: Input, context: Context) => Promise<unknown> },
): Tool => definition as Tool

/** An input that can't be used, found by a tool itself. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
