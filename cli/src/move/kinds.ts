import type { PointData } from '@exchequer/sdk'
import { wrongUsage } from '../exits.ts'

/** Which of our kinds of points each of theirs becomes. */
export class Kinds {
  readonly #given: ReadonlyMap<string, string>
  readonly #ours: readonly PointData[]
  readonly #found = new Map<string, string>()

  /** `given` are `OLD=NEW`. */
  constructor(ours: readonly PointData[], given: readonly string[]) {
    this.#ours = ours.filter(({ archived }) => !archived)
    this.#given = new Map(given.map((text) => this.#pair(text)))
  }

  #pair(text: string): readonly [string, string] {
    const [old = '', ours = '', ...more] = text.split('=')
    if (!old || !ours || more.length > 0) throw wrongUsage(`--point is OLD=NEW, not ${text}.`)
    if (this.#ours.some(({ id }) => id === ours)) return [old, ours]
    throw wrongUsage(`--point ${text}: there is no kind of points ${ours} here. ${this.#there()}`)
  }

  #there(): string {
    return `There is ${this.#ours.map(({ id }) => id).join(', ')}.`
  }

  /** Ours for one of theirs, if any: as given, else of the same id, else the default for the default. */
  maybe(old: string, isDefault: boolean): string | undefined {
    const same = this.#ours.find(({ id }) => id === old)?.id
    const fallback = isDefault ? this.#ours.find((one) => one.default)?.id : undefined
    return this.#found.get(old) ?? this.#given.get(old) ?? same ?? fallback
  }

  /** The same, where there must be one. */
  of(old: string, isDefault: boolean): string {
    const known = this.#found.get(old)
    if (known !== undefined) return known
    const ours = this.maybe(old, isDefault)
    if (ours === undefined)
      throw wrongUsage(
        `The old service has the point type ${old}, which is not here. ${this.#there()}\n` +
          `Create it: exchequer point-types create ${old}\n` +
          `Or name the one it becomes: --point-type ${old}=ID`,
      )
    const taken = [...this.#found].find(([, id]) => id === ours)
    if (taken)
      throw wrongUsage(`Both ${taken[0]} and ${old} would become ${ours}: choose with --point-type OLD=NEW.`)
    this.#found.set(old, ours)
    return ours
  }

  /** What each of theirs became, so far. */
  get found(): ReadonlyMap<string, string> {
    return this.#found
  }
}
