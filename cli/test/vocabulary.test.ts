import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Command, commonFlags } from '../src/command.ts'
import { commands } from '../src/commands.ts'
import { suggestion } from '../src/suggest.ts'
import { alone, changing, nouns, reading } from '../src/vocabulary.ts'
import { run, words } from './support/run.ts'

type Operation = { readonly operationId: string; readonly tags: readonly string[] }
const { paths } = JSON.parse(readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const dashed = (text: string): string =>
  text
    .replaceAll(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll(' ', '-')
    .toLowerCase()

/** Nouns of the API: its tags, the words of its paths, and the objects of its operations. */
const apiNouns = new Set(
  Object.entries(paths).flatMap(([path, methods]) => [
    ...path.split('/'),
    ...Object.values(methods).flatMap(({ operationId, tags }) => [
      ...tags.map((tag) => tag.replaceAll(' ', '-').toLowerCase()),
      dashed(operationId.replace(/^[a-z]+/, '')),
    ]),
  ]),
)

const ofNouns = commands.filter((one) => one.words.includes(' '))
const partsOf = (one: Command) => one.words.split(' ') as [string, string]
const namesOf = (some: readonly Command[]) => some.map((one) => one.words)

/** By the API's conventions an import is identified by its name, and a snapshot by its id. */
const keyedOtherwise = ['import', 'move', 'snapshots create']
const changes = (one: Command): boolean =>
  changing.includes(partsOf(one)[1]) && !keyedOtherwise.includes(one.words)

describe('every command', () => {
  it('is a noun of the API and a verb, or a declared single word', () => {
    const declared: readonly string[] = Object.values(alone).flat()
    const single = commands.filter((one) => !one.words.includes(' ') && !declared.includes(one.words))
    assert.deepEqual(namesOf(single), [])
    assert.deepEqual(namesOf(commands.filter((one) => one.words.split(' ').length > 2)), [])
    assert.deepEqual(namesOf(ofNouns.filter((one) => !apiNouns.has(partsOf(one)[0]))), [])
    const verbs = [...changing, ...reading]
    assert.deepEqual(namesOf(ofNouns.filter((one) => !verbs.includes(partsOf(one)[1]))), [])
  })

  it('has a documented noun, and every documented noun has a command', () => {
    assert.deepEqual(Object.keys(nouns).sort(), [...new Set(ofNouns.map((one) => partsOf(one)[0]))].sort())
  })

  it('has an example, which begins with the command or ends in it', () => {
    const without = commands.filter(
      ({ words: name, examples }) => !examples.some(({ line }) => line.includes(`exchequer ${name}`)),
    )
    assert.deepEqual(namesOf(without), [])
  })

  it('uses only existing commands and options in its examples', () => {
    const wrong = commands.flatMap(({ examples }) =>
      examples.flatMap(({ line }) => {
        const [, typed = ''] = /\bexchequer (.*)$/.exec(line) ?? []
        const given = words(typed)
        const one = [2, 1]
          .map((length) => commands.find((each) => each.words === given.slice(0, length).join(' ')))
          .find((found) => found !== undefined)
        const known = Object.keys({ ...commonFlags, ...one?.flags })
        const flags = given.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
        return one && (one.raw || flags.every((flag) => known.includes(flag))) ? [] : [line]
      }),
    )
    assert.deepEqual(wrong, [])
  })

  it('that changes something accepts --idempotency-key, and no other does', () => {
    const takes = (one: Command) => 'idempotency-key' in one.flags
    assert.deepEqual(namesOf(ofNouns.filter((one) => changes(one) && !takes(one))), [])
    assert.deepEqual(namesOf(commands.filter((one) => takes(one) && !changes(one))), [])
  })

  it('that changes points accepts the details of an entry, and --dry-run', () => {
    const moving = commands.filter(({ words: name }) =>
      /^(points|holds (create|capture|release)|entries reverse|reversals)/.test(name),
    )
    const all = ['reason', 'reference', 'metadata', 'actor-id', 'dry-run']
    assert.deepEqual(namesOf(moving.filter((one) => !all.every((flag) => flag in one.flags))), [])
    assert.equal(moving.length, 8)
  })

  it('that lists accepts --limit and --all', () => {
    const lists = ofNouns.filter((one) => partsOf(one)[1] === 'list' || one.words === 'leaderboard show')
    assert.deepEqual(namesOf(lists.filter(({ flags }) => !('limit' in flags && 'all' in flags))), [])
  })
})

describe('a mistyped command gets a suggestion', () => {
  const cases: Readonly<Record<string, string>> = {
    'realms make': 'realms create',
    'keys issue': 'keys create',
    'members new': 'members create',
    'point-types add': 'point-types create',
    'members ls': 'members list',
    'members find': 'members list',
    'keys get': 'keys show',
    'audit view': 'audit list',
    'members set': 'members update',
    'members freeze': 'members update',
    'keys edit': 'keys update',
    'members rm': 'members delete',
    'keys delete': 'keys revoke',
    'wallets remove': 'wallets unlink',
    'points add': 'points award',
    'points take': 'points deduct',
    'points give': 'points award',
    'snapshot take': 'snapshots create',
    'snapshot tree': 'snapshots export',
    'operators forget': 'operators erase',
    'member show': 'members show',
    'members shwo': 'members show',
    'pionts award': 'points award',
    'entry show': 'entries show',
    'invitation create': 'invitations create',
    'create realm': 'realms create',
    'list members': 'members list',
    'tokens issue': 'operator-tokens create',
    'undo 17': 'entries reverse',
    'history 42': 'entries list',
    'transfer 1 2': 'points transfer',
    'journal listen': 'journal follow',
    'webhooks add': 'webhooks create',
    'webhooks change': 'webhooks update',
    'webhooks remove': 'webhooks delete',
    'webhooks deliveries': 'deliveries list',
    'webhooks rotate-secret': 'webhooks rotate',
    'webhooks enable': 'webhooks update',
    lisen: 'listen',
    balance: 'members show',
    leaderbord: 'leaderboard show',
    impotr: 'import',
    'members xyzzy': 'members',
  }
  for (const [asked, meant] of Object.entries(cases))
    it(asked, () => assert.equal(suggestion(asked.split(' '), commands), meant))

  it('in a sentence, with exit code 2, and nothing is changed', async () => {
    const { code, out, err } = await run(['realms', 'make', 'guild'])
    assert.deepEqual([code, out], [2, ''])
    const sentence = 'There is no command `realms make`. Did you mean `exchequer realms create`?'
    assert.equal(err, `exchequer: ${sentence}\n`)
    const other = await run(['members', 'xyzzy'])
    assert.match(other.err, /There is no command `members xyzzy`\. .* exchequer help members\n$/)
  })

  it('but not when no command is similar, nor by a verb that every noun has', () => {
    for (const word of ['xyzzy', 'constructor', '__proto__', 'toString'])
      assert.equal(suggestion([word, word], commands), undefined)
  })
})
