import { hash as digest } from 'node:crypto'
import { greatest } from '../../ledger/index.ts'
import { type HashAddress, isNamed } from '../../members/identities/index.ts'
import { dayIn, isDated, isIdle, type Point, type RealmConfig } from '../../realms/index.ts'
import { parseAddress } from '../../wallets/index.ts'
import { unguard } from '../exports/index.ts'
import { faultOfId, SeenIds, shortened } from './ids.ts'

/** What is wrong with a line of a file, and what to do. */
export type LineFault = { readonly line: number; readonly detail: string }

export type RowWallet = { readonly shown: string; readonly match: string; readonly chain: string }
/** `day` is the one on which it lapses, where the column names it. */
export type RowBalance = { readonly point: string; readonly amount: bigint; readonly day?: number }

/** A member as a file has it. */
export type Row = {
  readonly line: number
  readonly id: string
  readonly username: string | undefined
  readonly displayName: string | undefined
  readonly wallets: readonly RowWallet[]
  /** Above 0, each point type once, or several times with different days. */
  readonly balances: readonly RowBalance[]
}

type Name = 'id' | 'username' | 'displayName' | 'wallet' | 'chain'

/** What a column contains: a field, or a balance of one point type. */
export type Column =
  | { readonly name: Name }
  | { readonly point: string; readonly most: bigint; readonly day?: number }
  | { readonly ignored: true }

const fields: Readonly<Record<string, Column>> = {
  id: { name: 'id' },
  username: { name: 'username' },
  displayname: { name: 'displayName' },
  wallet: { name: 'wallet' },
  chain: { name: 'chain' },
  // From our own exports.
  joinedat: { ignored: true },
}
const ofBalance = 'balance'
export const columnWords =
  'id, username, displayName, wallet, chain, balance, balance:<realmPointId> or balance:<realmPointId>@<date>'

/** The column that a name means, or why there is no such column. */
export function columnOf(name: string, { points, defaultPoint }: RealmConfig): Column | string {
  const field = Object.hasOwn(fields, name.toLowerCase()) ? fields[name.toLowerCase()] : undefined
  if (field) return field
  const [kind = '', ...rest] = name.split(':')
  // Held points are not part of an opening balance; our own exports contain them.
  if (kind.toLowerCase() === 'held') return { ignored: true }
  if (kind.toLowerCase() !== ofBalance) {
    return `Unknown column ${shortened(name)}. Columns are ${columnWords}.`
  }
  const [id = '', ...dates] = rest.join(':').split('@')
  const point = name === kind ? defaultPoint : points.get(id)
  if (!point || point.archived) return `The realm has no point type ${shortened(id)}.`
  const column = { point: point.id, most: point.maxBalance ?? greatest }
  if (dates.length === 0) return column
  const day = dayOf(dates.join('@'), point)
  return typeof day === 'string' ? day : { ...column, day }
}

/** The day of a column such as `balance:gold@2027-03-31`, or what is wrong with it. */
function dayOf(date: string, { id, lapse }: Point): number | string {
  if (isIdle(lapse)) return `Points of type ${id} lapse together, by \`idle\`: none has a day of its own.`
  const step = isDated(lapse) ? lapse?.at(-1) : undefined
  if (!step) return `Points of type ${id} have no day on which they lapse. Set a rule first.`
  const day = dayIn(date)
  if (day === undefined) return `${shortened(date)} is not a date. Use YYYY-MM-DD.`
  if (day <= step.days.at(Date.now())) return `${date} has passed: points of that day have lapsed.`
  return day
}

const nameCap = 100
/** Wallets of one row: as many as one check may name, 16 to 18 ms. */
export const walletsCap = 1_000
const chainForm = /^[a-z0-9-]{3,8}(:[-_a-zA-Z0-9]{1,32})?$/

/** Text as it was before an export made it safe for a spreadsheet: docs/import-export.md. */
function unguarded(cell: string): string {
  const text = cell.trim()
  const formula = /^="([^"]*)"$/.exec(text)
  if (formula) return formula[1] ?? ''
  return unguard(text)
}

/** A row while its cells are read. */
type Draft = {
  readonly line: number
  id: string
  readonly names: Partial<Record<'username' | 'displayName', string>>
  wallets: string[]
  chains: string[]
  readonly balances: RowBalance[]
}

/** Turns cells into rows, or reports what is wrong with them. Remembers the ids and wallets of the file. */
export class RowReader {
  readonly #allowRounded: boolean
  readonly #hash: HashAddress
  readonly #ids = new SeenIds()
  readonly #names = new SeenIds()
  readonly #wallets = new SeenIds()

  constructor(allowRounded: boolean, hash: HashAddress) {
    this.#allowRounded = allowRounded
    this.#hash = hash
  }

  /** The row, or what is wrong with it. */
  read(line: number, columns: readonly Column[], values: readonly string[]): Row | LineFault[] {
    const draft: Draft = { line, id: '', names: {}, wallets: [], chains: [], balances: [] }
    const faults = columns.flatMap((column, index) => {
      const fault = this.#cell(draft, column, values[index] ?? '')
      return fault === undefined ? [] : [fault]
    })
    const idFault = faultOfId(draft.id, this.#allowRounded) ?? this.#twice(draft)
    if (idFault !== undefined) faults.unshift(idFault)
    const wallets = this.#walletsOf(draft, faults)
    if (faults.length > 0) return faults.map((detail) => ({ line, detail }))
    const { id, names, balances } = draft
    return { line, id, username: names.username, displayName: names.displayName, wallets, balances }
  }

  #cell(draft: Draft, column: Column, cell: string): string | undefined {
    if ('ignored' in column) return undefined
    const text = unguarded(cell)
    if ('point' in column) return addBalance(draft, column, text)
    if (column.name === 'id') draft.id = this.#hash(text)
    if (text === '') return undefined
    if (column.name === 'wallet') draft.wallets = partsOf(text)
    if (column.name === 'chain') draft.chains = partsOf(text)
    if (column.name !== 'username' && column.name !== 'displayName') return undefined
    draft.names[column.name] = text
    const fits = text.isWellFormed() && !text.includes('\0') && Array.from(text).length <= nameCap
    return fits ? undefined : `${column.name}: at most ${nameCap} characters, none of them NUL.`
  }

  #twice({ id, line }: Draft): string | undefined {
    const before = isNamed(id) ? this.#names.add(shortHash(id), line) : this.#ids.add(BigInt(id), line)
    return before === undefined ? undefined : `Member ${id} is on line ${before} already.`
  }

  #walletsOf({ wallets, chains, line }: Draft, faults: string[]): RowWallet[] {
    if (wallets.length > walletsCap) {
      faults.push(`wallet: at most ${walletsCap} in one row. Import the others with another file.`)
      return []
    }
    if (chains.length > 1 && chains.length !== wallets.length) {
      faults.push('chain: one for all wallets of the row, or as many as there are wallets, separated by ;')
      return []
    }
    const found = new Map<string, RowWallet>()
    for (const [index, text] of wallets.entries()) {
      const chain = chains[chains.length === 1 ? 0 : index] || undefined
      const address = chain === undefined || chainForm.test(chain) ? parseAddress(text, chain) : undefined
      if (address) found.set(address.match, address)
      else
        faults.push(
          `wallet: ${shortened(text)} is not an address. If it is neither EVM nor Solana, name its chain.`,
        )
    }
    for (const { match, shown } of found.values()) {
      const before = this.#wallets.add(shortHash(match), line)
      if (before !== undefined) faults.push(`Wallet ${shown} is on line ${before} already.`)
    }
    return [...found.values()]
  }
}

/** 64 bits of a hash: a file has millions of texts at most. */
const shortHash = (text: string): bigint => BigInt(`0x${digest('sha256', text, 'hex').slice(0, 16)}`)

const partsOf = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)

type BalanceColumn = Extract<Column, { readonly point: string }>

function addBalance(draft: Draft, column: BalanceColumn, text: string): string | undefined {
  if (text === '') return undefined
  const digits = /^([0-9]{1,16})(\.0*)?$/.exec(text)?.[1]
  if (digits === undefined) {
    return `balance: ${shortened(text)} is not a valid balance. Use a whole number from 0 to ${greatest}.`
  }
  const { point, day } = column
  const own = draft.balances.filter((one) => one.point === point)
  const before = own.reduce((sum, one) => sum + one.amount, 0n)
  const amount = BigInt(digits)
  if (before + amount > column.most)
    return `balance: ${before + amount} is more than ${point} may have, ${column.most}.`
  if (own.some((one) => one.day === day)) return `balance: ${point} is given twice.`
  if (own.some((one) => one.day === undefined || day === undefined))
    return `balance: ${point} is given with a day and without.`
  if (amount > 0n) draft.balances.push({ point, amount, ...(day !== undefined && { day }) })
  return undefined
}
