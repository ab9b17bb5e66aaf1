/** One SQL statement with the name it is prepared under. Every statement of the server is one of these. */
export type Statement = { readonly name: string; readonly text: string }

export type Answer<Row> = { readonly rows: Row[]; readonly command: string; readonly count: number }

/** Whatever can run a statement: the database, a session of one's own, or a transaction. */
export type Queryable = {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Answer<Row>>
}
