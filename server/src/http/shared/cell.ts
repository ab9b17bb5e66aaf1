import { numberParam } from '../route/queryValues.ts'

/** For requests that a proxy sends to the named cell. */
export const cellParam = numberParam({
  from: 0,
  to: 9999,
  description:
    'The cell to ask, where there are several: a proxy sends the request there. A server of another cell ' +
    'refuses it (503 `wrong_cell`).',
})

export function cellIn(query: URLSearchParams): number | undefined {
  const given = query.get('cell')
  return given === null ? undefined : Number(given)
}
