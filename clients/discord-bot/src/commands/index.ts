import { award, tip, undo, undoButton } from './changes.ts'
import type { Command } from './command.ts'
import { balance, history, leaderboard, link } from './reads.ts'
import { buy, confirm, decline, list } from './shop.ts'

export type { Command, Context } from './command.ts'
export { definitionsOf } from './definitions.ts'

export const commands: ReadonlyMap<string, Command> = new Map([
  ['balance', balance],
  ['tip', tip],
  ['leaderboard', leaderboard],
  ['history', history],
  ['award', award],
  ['undo', undo],
  ['shop list', list],
  ['shop buy', buy],
  ['link', link],
])

/** By what the id of a button begins with. */
export const buttons: ReadonlyMap<string, Command> = new Map([
  ['undo', undoButton],
  ['confirm', confirm],
  ['decline', decline],
])
