/** A person as they are returned. */
export type Person = {
  readonly id: string
  /** Null once erased. */
  readonly name: string | null
  readonly email: string | null
}

export const personName = (person: number): string => `person ${person}`
