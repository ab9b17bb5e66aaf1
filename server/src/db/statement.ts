/**
 * One SQL statement with the name it is prepared under. All the server's statements are of this type.
 * `writes` marks those that change rows of a realm: only a `Writable` runs them
 * (server/test/lawOfWrites.test.ts).
 */
export type Statement = {
  readonly name: string
  readonly text: string
  readonly writes?: true
} & Partial<typeof textRows>

/** Any other statement. */
export type ReadStatement = Omit<Statement, 'writes'> & { readonly writes?: never }

const asIs = (text: string): string => text

/**
 * Added to a statement whose rows are read most: each row is an array of texts, as PostgreSQL sent them, and
 * its reader converts what it needs.
 */
export const textRows = { rowMode: 'array', types: { getTypeParser: () => asIs } } as const

export type Answer<Row> = { readonly rows: Row[]; readonly command: string; readonly count: number }

/**
 * Anything that can run a statement: the database, a dedicated session, or a transaction. A property and not
 * a method: of methods, TypeScript would accept one that runs fewer statements for one that runs all.
 */
export type Queryable = {
  readonly query: <Row>(statement: ReadStatement, values?: readonly unknown[]) => Promise<Answer<Row>>
}

/**
 * Can also run statements that change rows of a realm: the realm is in this cell until its transaction ends.
 */
export type Writable = {
  readonly query: <Row>(statement: Statement, values?: readonly unknown[]) => Promise<Answer<Row>>
}
