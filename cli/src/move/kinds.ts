import type { PointData } from '@exchequer/sdk'
import { wrongUsage } from '../exits.ts'

/** Maps the old service's point types to ours. */
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
    if (!old || !ours || more.length > 0) throw wrongUsage(`--point-type takes OLD=NEW, not "${text}".`)
    if (this.#ours.some(({ id }) => id === ours)) return [old, ours]
    throw wrongUsage(`--point-type ${text}: ${ours} does not exist here. ${this.#there()}`)
  }

  #there(): string {
    return `Point types here: ${this.#ours.map(({ id }) => id).join(', ')}.`
  }

  /** Our point type for one of theirs, if any: as given, else by the same id, else default for default. */
  maybe(old: string, isDefault: boolean): string | undefined {
    const same = this.#ours.find(({ id }) => id === old)?.id
    const fallback = isDefault ? this.#ours.find((one) => one.default)?.id : undefined
    return this.#found.get(old) ?? this.#given.get(old) ?? same ?? fallback
  }

  /** The same; throws when there is none. */
  of(old: string, isDefault: boolean): string {
    const known = this.#found.get(old)
    if (known !== undefined) return known
    const ours = this.maybe(old, isDefault)
    if (ours === undefined)
      throw wrongUsage(
        `The old service has the point type ${old}, which does not exist here. ${this.#there()}\n` +
          `Create it: exchequer point-types create ${old}\n` +
          `Or name the one it becomes: --point-type ${old}=ID`,
      )
    const taken = [...this.#found].find(([, id]) => id === ours)
    if (taken)
      throw wrongUsage(`Both ${taken[0]} and ${old} would become ${ours}: choose with --point-type OLD=NEW.`)
    this.#found.set(old, ours)
    return ours
  }

  /** The mapping so far. */
  get found(): ReadonlyMap<string, string> {
    return this.#found
  }
}
