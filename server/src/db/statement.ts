/** One SQL statement with the name it is prepared under. All the server's statements are of this type. */
export type Statement = { readonly name: string; readonly text: string } & Partial<typeof textRows>

const asIs = (text: string): string => text

/**
 * Added to a statement whose rows are read most: each row is an array of texts, as PostgreSQL sent them, and
 * its reader converts what it needs.
 */
export const textRows = { rowMode: 'array', types: { getTypeParser: () => asIs } } as const

export type Answer<Row> = { readonly rows: Row[]; readonly command: string; readonly count: number }

/** Anything that can run a statement: the database, a dedicated session, or a transaction. */
export type Queryable = {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Answer<Row>>
}
