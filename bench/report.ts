import type { Arrivals } from './arrivals.ts'
import type { Overload } from './overload.ts'
import type { Latencies } from './tools.ts'

/** Rates are per second; ratios are medians of the rounds' own ratios. */
export type Measurement = {
  readonly name: string
  readonly title: string
  readonly bare: number
  readonly bare64: number
  readonly ours: number
  readonly ours64: number
  readonly ours256: number
  readonly usual: number
  readonly ratio: number
  readonly ratio64: number
  readonly ratioUsual: number
  /** Of a bare `node:http` server that answers the same from memory. */
  readonly nodeHttp?: number
  readonly ratioNodeHttp?: number
}

export type Lone = { readonly bareP50Ms: number; readonly oursP50Ms: number }

export type Results = {
  readonly measured: readonly Measurement[]
  readonly bytesPerEntry?: number
  readonly lone?: Lone
  readonly overload?: Overload
  readonly arrivals?: readonly Arrivals[]
}

const rate = (value: number): string => Math.round(value).toLocaleString('en-US')
const times = (value: number): string => `${value.toFixed(2)}×`

export function printResults(results: Results): void {
  const { bytesPerEntry, lone, overload, arrivals = [] } = results
  printTable(results.measured)
  for (const { title, nodeHttp, ratioNodeHttp } of results.measured)
    if (nodeHttp !== undefined && ratioNodeHttp !== undefined)
      console.log(`${title}: ${times(ratioNodeHttp)} a bare node:http server, which does ${rate(nodeHttp)}/s`)
  if (bytesPerEntry !== undefined)
    console.log(`${Math.round(bytesPerEntry)} bytes per entry, indexes included`)
  if (lone) {
    const added = (lone.oursP50Ms - lone.bareP50Ms).toFixed(2)
    console.log(
      `a lone request: ${lone.oursP50Ms.toFixed(2)} ms, ${added} ms more than pgbench's transaction`,
    )
  }
  if (overload) {
    const { ratio, p99Ms, refused, memoryMb } = overload
    console.log(
      `2,560 connections: ${ratio.toFixed(2)} of the peak, p99 ${Math.round(p99Ms)} ms, ` +
        `${refused} refused, resident ${memoryMb.join(', ')} MB`,
    )
  }
  for (const { share, rate: due, bare, ...own } of arrivals) {
    const ms = (times: Latencies) =>
      [times.p50Ms, times.p99Ms, times.p999Ms].map((value) => value.toFixed(1)).join(', ')
    console.log(
      `${share * 100} % of the peak, ${rate(due)} changes a second: p50, p99, p99.9 are ${ms(own)} ms; ` +
        `of pgbench ${ms(bare)} ms`,
    )
  }
}

function printTable(measured: readonly Measurement[]): void {
  const head = ['work', 'bare', 'bare at 64', 'ours', 'usual', '÷ bare', '÷ bare 64', '÷ usual']
  const rows = measured.map((one) => [
    one.title,
    rate(one.bare),
    rate(one.bare64),
    rate(one.ours),
    rate(one.usual),
    times(one.ratio),
    times(one.ratio64),
    times(one.ratioUsual),
  ])
  const widths = head.map((name, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length), name.length),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  console.log(`\n${[head, ...rows].map(line).join('\n')}\n`)
}

/** JSON for other programs: names and fields must not change. */
export function toJson({ measured, bytesPerEntry, lone, overload, arrivals }: Results): object {
  const named = measured.map(({ name, title: _title, ...fields }) => [name, fields] as const)
  const hot = measured.find((one) => one.name === 'adjust_hot')
  const read = measured.find((one) => one.name === 'read_member')
  const hot64 = hot && { bare: hot.bare64, ours: hot.ours, usual: hot.usual, ratio: hot.ratio64 }
  return {
    ...Object.fromEntries(named),
    ...(hot64 ? { adjust_hot_64: hot64 } : {}),
    ...(read?.nodeHttp === undefined
      ? {}
      : { node_http: { rate: read.nodeHttp, ours: read.ours, ratio: read.ratioNodeHttp } }),
    ...(bytesPerEntry === undefined ? {} : { bytes_per_entry: bytesPerEntry }),
    ...(lone ? { lone_request: lone } : {}),
    ...(overload ? { overload } : {}),
    ...(arrivals ? { arrivals } : {}),
  }
}
