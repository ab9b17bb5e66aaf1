import assert from 'node:assert/strict'
import { call } from '../../../tests/support/call.ts'

export type Sample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads the text format strictly: an invalid line fails. The format allows empty lines. */
export function parse(text: string): Sample[] {
  assert.ok(text.endsWith('\n'))
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (line === '') return []
      if (/^# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))$/.test(line)) return []
      const [, name = '', labels = '', value] =
        /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? assert.fail(line)
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)]
      assert.equal(pairs.map(([pair]) => pair).join(''), labels, line)
      const found = Object.fromEntries(pairs.map(([, key, text]) => [key, text]))
      return [{ name, labels: found, value: Number(value) }]
    })
}

export async function scrape(url: string | undefined): Promise<Sample[]> {
  const { status, text } = await call('GET', `${url}/metrics`)
  assert.equal(status, 200, text)
  return parse(text)
}

/** The sum of all samples with this name and these labels; undefined when there is none. */
export function sum(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )
  return found.length === 0 ? undefined : found.reduce((total, { value }) => total + value, 0)
}
