/** The first thing that verify finds wrong, and where. */
export class Wrong extends Error {
  readonly where: string

  constructor(where: string, why: string) {
    super(why)
    this.where = where
  }
}
