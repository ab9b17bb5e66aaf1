/** One SQL statement with the name it is prepared under. All the server's statements are of this type. */
export type Statement = { readonly name: string; readonly text: string }

export type Answer<Row> = { readonly rows: Row[]; readonly command: string; readonly count: number }

/** Anything that can run a statement: the database, a dedicated session, or a transaction. */
export type Queryable = {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Answer<Row>>
}
