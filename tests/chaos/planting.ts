import { registerHooks } from 'node:module'

/**
 * Loaded into a server (node --import) to plant a bug in it, so that the judge can be judged: PLANT names it.
 * A text that is missing in the source is an error of this list, not a missed bug.
 */
export const plants: Readonly<Record<string, { file: string; text: string; planted: string }>> = {
  'an answer before the commit': {
    file: '/ledger/lane/commit.ts',
    text: 'const answers = await Promise.allSettled(sendWhole(session, send))',
    planted: `void Promise.allSettled(sendWhole(session, send))
  if (decided) return outcomesOf(decided)
  const answers: PromiseSettledResult<Answer<unknown>>[] = []`,
  },
  'a retry without a check': {
    file: '/ledger/lane/settle.ts',
    text: 'if (!(await happened(session, proof))) return repeat()',
    planted: 'if (session) return repeat()',
  },
  'a dropped entry': {
    file: '/ledger/lane/commit.ts',
    text: 'for (const { realm, row } of rows)\n    text +=',
    planted: 'for (const { realm, row } of rows)\n    if (row.entry.seq !== 500n) text +=',
  },
}

const plant = plants[process.env['PLANT'] ?? '']
if (plant) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith(plant.file)) return loaded
      const { source: given = '' } = loaded
      const source = typeof given === 'string' ? given : new TextDecoder().decode(given as Uint8Array)
      if (!source.includes(plant.text)) throw new Error(`${plant.file} no longer has: ${plant.text}`)
      return { ...loaded, source: source.replace(plant.text, plant.planted) }
    },
  })
}
