import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { checkedUrl, secretIn } from '../access.ts'
import { withBar } from '../bar.ts'
import type { Context } from '../command.ts'
import { nothingChanged } from '../commands/change.ts'
import { Stop, wrongUsage } from '../exits.ts'
import { hashOf } from '../files.ts'
import { type Bringing, bring, check, textRows } from '../importing.ts'
import { counted, grouped, timeText } from '../output.ts'
import { askHidden, confirm } from '../prompt.ts'
import { Collected, type Totals, totalsOf } from './collect.ts'
import { countIn } from './exact.ts'
import { type Get, type Importer, UnexpectedAnswer } from './importer.ts'
import { readerOf } from './service.ts'
import { type ImporterName, importers } from './sources.ts'

export type FromFlags = {
  readonly from: string
  readonly name?: string
  readonly token?: string
  readonly 'base-url'?: string
  readonly 'point-type'?: string
  readonly 'allow-rounded-ids'?: true
  readonly 'add-on-top'?: true
  readonly 'dry-run'?: true
  readonly afresh?: true
  readonly yes?: true
}

/** What is read, and how. */
type Origin = FromFlags & { readonly importer: Importer; readonly place: string }

const pageCap = 100_000
const shownProblems = 10

/** Imports the leaderboard of another service, as opening balances. */
export async function importFrom(context: Context, place: string, flags: FromFlags): Promise<void> {
  const { out, access, terminal } = context
  context.realm()
  const importer: Importer = importers[flags.from as ImporterName]
  const origin: Origin = { ...flags, importer, place }
  const unfinished = fileOf(context, origin)
  if (flags.afresh && unfinished) rmSync(unfinished, { force: true })
  const resumes = unfinished !== undefined && existsSync(unfinished)
  const collected = resumes ? undefined : await collect(context, origin)
  const text = collected?.text ?? readFileSync(unfinished ?? '', 'utf8')
  const { ids, ...totals } = totalsOf(text)
  const summary = { from: flags.from, place, ...totals, collected, importer }
  if (resumes) {
    const at = timeText(statSync(unfinished).mtime.toISOString())
    out.aside(`Continuing with what was read at ${at}, from ${unfinished}. To read it again: --afresh`)
  }
  if (!out.json) print(context, summary)
  if (totals.members === 0) throw new Stop('refused', `${importer.title} returned no member to import.`)
  const bringing: Bringing = {
    name: flags.name ?? (importer.url ? `${flags.from} ${place}` : await hashOf(place)),
    // Checked above, by more than the last digits.
    allowRoundedIds: true,
    addOnTop: flags['add-on-top'] === true,
  }
  const rows = { ...textRows(text), nameOf: (line: number) => `member ${ids[line - 1]}` }
  await check(context, rows, bringing)
  if (flags['dry-run']) {
    out.answer({ dryRun: true, ...forPrograms(summary) }, () => out.aside(nothingChanged))
    return
  }
  await confirm(terminal, `They will be imported into realm ${access.realm} at ${access.url}.`, flags.yes)
  if (unfinished && !resumes) store(unfinished, text)
  const done = await bring(context, rows, bringing)
  if (unfinished) rmSync(unfinished)
  out.answer({ name: bringing.name, ...forPrograms(summary), ...done }, () => {
    const { members, openings } = done
    out.line(
      `imported  ${counted(members.created, 'member')} created, ${members.updated} updated, ` +
        `${counted(openings.made, 'opening balance')} added, ${openings.alreadyThere} already there`,
    )
  })
}

/**
 * Stores what was read while it is imported, so that a run that was stopped continues with the same points
 * even if members have earned more since. A file needs none.
 */
function fileOf({ access }: Context, { importer, place, from, ...flags }: Origin): string | undefined {
  if (!importer.place.form.test(place))
    throw wrongUsage(`"${place}" is not ${importer.place.what}. With --from ${from}, FILE is that.`)
  if (!importer.url) return undefined
  const target = createHash('sha256').update(JSON.stringify([access.url, access.realm, flags['point-type']]))
  return `exchequer-import-${from}-${place}-${target.digest('hex').slice(0, 8)}.ndjson`
}

/** Whole or not at all: a run that is killed here reads again. */
function store(file: string, text: string): void {
  writeFileSync(`${file}.part`, text, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

async function collect(context: Context, origin: Origin): Promise<Collected> {
  const { importer, place } = origin
  const { out, terminal } = context
  const get = await readerFor(context, origin)
  const collected = new Collected({
    importer,
    pointType: origin['point-type'],
    allowRounded: origin['allow-rounded-ids'] === true,
  })
  await withBar(terminal, { what: 'reading', unit: ['member', 'members'] }, async (bar) => {
    let pages = 0
    try {
      for await (const { rows, total } of importer.pages(place, get)) {
        // Not `some`, which would stop at the first new member.
        const news = rows.filter((row) => collected.add(row)).length
        collected.expected = countIn(total) ?? collected.expected
        const part = collected.expected > 0 ? Math.min(1, collected.read / collected.expected) : undefined
        bar.at(part, collected.read)
        pages += 1
        // A service that ignores the page would return the same one forever.
        if (news === 0) return
        if (pages === pageCap) throw new UnexpectedAnswer('there is no end to the pages')
      }
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer)) throw error
      throw new Stop(
        'refused',
        `${importer.title} answered in another form than expected on page ${pages + 1}: ${error.message}. ` +
          'Nothing was imported. Its API may have changed; you can import a CSV instead.',
      )
    }
  })
  if (collected.read === 0) out.aside(`${importer.title} returned an empty list.`)
  return collected
}

async function readerFor(context: Context, origin: Origin): Promise<Get> {
  const { out } = context
  const { importer } = origin
  const baseUrl = origin['base-url'] === undefined ? importer.url : checkedUrl(origin['base-url'])
  return readerOf({
    importer,
    baseUrl: baseUrl ?? '',
    token: await tokenFor(context, origin),
    onWait: (reason, waitMs) =>
      out.aside(`${importer.title} ${reason}: waiting ${Math.ceil(waitMs / 1_000)} s.`),
  })
}

async function tokenFor({ terminal }: Context, origin: Origin): Promise<string | undefined> {
  const { title, token: needed } = origin.importer
  if (!needed) return undefined
  const given = origin.token ?? secretIn(terminal.env, 'EXCHEQUER_FROM_TOKEN')
  const token =
    given || needed.isOptional ? given : await askHidden(terminal, `Token for ${title} (not shown): `)
  if (!token && !needed.isOptional)
    throw wrongUsage(`${title} needs a token: ${needed.from}. Set EXCHEQUER_FROM_TOKEN to it.`)
  // A header's error would show the token.
  if (token && !/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(token))
    throw wrongUsage(
      'The token has a character that a header can’t have. Copy it again, without anything around it.',
    )
  return token || undefined
}

type Summary = Totals & {
  readonly from: string
  readonly place: string
  readonly importer: Importer
  /** Undefined when an earlier run has read it. */
  readonly collected: Collected | undefined
}

/** What would be imported, before anything is written. */
function print({ out }: Context, { importer, place, members, points, largest, collected }: Summary): void {
  const most = largest ? `, the largest ${grouped(largest.points)} (${largest.id})` : ''
  out.line(`${importer.title} ${place}: ${counted(members, 'member')}, ${counted(points, 'point')}${most}`)
  if (!collected) return
  const { problems, problemCount, roundedDown, changed, expected, read } = collected
  if (roundedDown > 0)
    out.line(`${counted(roundedDown, 'balance is', 'balances are')} not whole, and rounded down.`)
  if (changed > 0)
    out.line(
      `${counted(changed, 'member')} had new points on a later page: those count. Stop the other bot first.`,
    )
  if (expected > read)
    out.line(
      `${importer.title} says that it has ${grouped(expected)} members, and returned ${grouped(read)}.`,
    )
  if (problemCount === 0) return
  out.line(`${counted(problemCount, 'row has a problem', 'rows have problems')}, and would be left out:`)
  for (const problem of problems.slice(0, shownProblems)) out.line(`  ${problem}`)
  if (problemCount > shownProblems)
    out.line(`  and ${problemCount - shownProblems} more; up to 100 with --json`)
}

const forPrograms = ({ from, place, members, points, largest, collected }: Summary) => ({
  from,
  place,
  read: {
    members,
    points: String(points),
    largest: largest && { ...largest, points: String(largest.points) },
  },
  problems: collected?.problems ?? [],
  problemCount: collected?.problemCount ?? 0,
  roundedDown: collected?.roundedDown ?? 0,
})
