import { type Command, command, yesFlag } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { hashOf } from '../files.ts'
import { importFrom } from '../importers/run.ts'
import { importerNames } from '../importers/sources.ts'
import { bring, check, fileRows, sums, textRows } from '../importing.ts'
import { counted } from '../output.ts'
import { rowsOfLeaderboard } from '../rows.ts'
import { dryRunFlag, nothingChanged } from './change.ts'

export const nameFlag = {
  name: { value: 'NAME', what: 'names the import: run again under it, nothing is added twice' },
} as const

export const onTopFlag = {
  'add-on-top': { what: 'add to balances that members already have, instead of refusing' },
} as const

const fromFlags = {
  token: { value: 'TOKEN', what: 'the token of the service; better set EXCHEQUER_FROM_TOKEN, or type it' },
  'point-type': { value: 'ID', what: 'the point type that it becomes; the default one if omitted' },
  'base-url': { value: 'URL', what: 'another address of the service, without its path' },
  afresh: { what: 'discard what a stopped run has read, and read everything again' },
} as const

const onlyWithFrom = Object.keys(fromFlags) as (keyof typeof fromFlags)[]

export const importCommand: Command = command({
  words: 'import',
  what: 'import members, wallets and opening balances from CSV, NDJSON or JSON',
  more:
    'The whole file is checked first: errors are listed with their lines, and nothing is imported. Run ' +
    'again, it continues where it stopped, and nothing is added twice: the name of the import is its key. ' +
    'Columns: id, username, displayName, wallet, chain, balance, balance:<point type>. A .json file is a ' +
    'leaderboard: {"members":[{"id","username","balance","wallet"}]}. With --from, members and points ' +
    'come from another bot: FILE is the id of the Discord server there, or of the StreamElements channel; ' +
    'with --from csv it is a table that a bot has exported. The leaderboard is read page by page, as ' +
    'slowly as the service asks for. Members, points, the largest balance and rows with problems are ' +
    'shown before anything is written. Points that are not whole are rounded down. Stopped, run it again ' +
    'in the same folder: it continues with what was read. The token comes from EXCHEQUER_FROM_TOKEN.',
  args: {
    file: { what: 'a .csv, .ndjson, .jsonl or .json file; with --from, what to read there', file: true },
  },
  flags: {
    from: { value: 'SERVICE', what: 'another bot to import from', choices: importerNames },
    ...dryRunFlag,
    ...nameFlag,
    'allow-rounded-ids': { what: 'accept ids that look as if a spreadsheet had rounded them' },
    ...onTopFlag,
    ...fromFlags,
    ...yesFlag,
  },
  examples: [
    { line: 'exchequer import members.csv --dry-run', what: 'check the file' },
    { line: 'exchequer import members.csv', what: 'check it, then import it' },
    { line: 'exchequer import leaderboard.json --name old-bot', what: 'from another service' },
    { line: 'exchequer import --from mee6 159962941502783488 --dry-run', what: 'what MEE6 has' },
    { line: 'exchequer import --from tatsu 159962941502783488', what: 'from Tatsu, with a token' },
  ],
  async run({ args: { file }, flags }, context) {
    const { out } = context
    if (flags.from !== undefined) return importFrom(context, file, { ...flags, from: flags.from })
    const only = onlyWithFrom.find((name) => flags[name] !== undefined)
    if (only) throw wrongUsage(`--${only} needs --from SERVICE: one of ${importerNames.join(', ')}.`)
    context.realm()
    const rows = /\.json$/i.test(file) ? textRows(rowsOfLeaderboard(file)) : fileRows(file)
    const bringing = {
      name: flags.name ?? (await hashOf(file)),
      allowRoundedIds: flags['allow-rounded-ids'] === true,
      addOnTop: flags['add-on-top'] === true,
    }
    const checked = await check(context, rows, bringing)
    if (!out.json)
      out.line(`checked   ${counted(checked.rows, 'row')}, opening balances ${sums(checked.totals)}`)
    if (flags['dry-run']) {
      out.answer(checked, () => out.aside(nothingChanged))
      return undefined
    }
    const done = await bring(context, rows, bringing)
    out.answer({ name: bringing.name, ...done }, () => {
      const { members, wallets, openings } = done
      const added = counted(openings.made, 'opening balance')
      out.line(
        `imported  ${counted(members.created, 'member')} created, ${members.updated} updated, ` +
          `${counted(wallets.linked, 'wallet')} linked, ${added} added, ` +
          `${openings.alreadyThere} already there`,
      )
    })
    return undefined
  },
})
