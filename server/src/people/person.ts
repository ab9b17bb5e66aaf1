/** A person as they are shown. */
export type Person = {
  readonly id: string
  /** Null once erased. */
  readonly name: string | null
  readonly email: string | null
}

export const personName = (person: number): string => `person ${person}`
