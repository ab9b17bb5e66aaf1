import { ConfigError } from './secretFiles.ts'

/**
 * CELL_URLS: the databases of the cells by their number, with the roles that own the schemas, as
 * `0=postgres://…,1=postgres://…`. The text has passwords: an error names only the position in the list.
 */
export function readCellUrls(given: string | undefined): ReadonlyMap<number, string> {
  const urls = new Map<number, string>()
  const entries = (given ?? '').split(/,(?=\s*\d+=)/).map((entry) => entry.trim())
  entries.forEach((entry, index) => {
    if (entry === '') return
    const [, cell = '', url = ''] = /^(\d{1,4})=(.+)$/.exec(entry) ?? []
    if (cell === '' || !/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new ConfigError(
        `CELL_URLS: entry ${index + 1} is not a cell with its URL, as in 1=postgres://owner:password@host/db`,
      )
    if (urls.has(Number(cell))) throw new ConfigError(`CELL_URLS has cell ${Number(cell)} twice.`)
    urls.set(Number(cell), url)
  })
  return urls
}
