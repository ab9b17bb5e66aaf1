import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Collected, totalsOf } from '../src/importers/collect.ts'
import { cellsOf, csv } from '../src/importers/csv.ts'
import { Digits, idOf, nameOf, parseExactly, pointsOf, twitchNameOf } from '../src/importers/exact.ts'
import type { Importer, Page } from '../src/importers/importer.ts'
import { importers } from '../src/importers/sources.ts'
import { folder } from './support/run.ts'

const strict = { allowRounded: false, isCell: false }
const problemOf = (checked: object): string => ('problem' in checked ? String(checked.problem) : '')

describe('numbers of an answer', () => {
  it('keep every digit, and texts that look like numbers stay texts', () => {
    const answer = parseExactly('{"id":1190194345295482952,"s":"12 \\" 34","n":[-1.50,2e3]}')
    assert.deepEqual(answer, {
      id: new Digits('1190194345295482952'),
      s: '12 " 34',
      n: [new Digits('-1.50'), new Digits('2e3')],
    })
    assert.throws(() => parseExactly('<html>1</html>'), SyntaxError)
  })

  it('are an exact id, or are refused as rounded', () => {
    assert.deepEqual(idOf(new Digits('1190194345295482952'), strict), { value: '1190194345295482952' })
    const rounded = new Digits('1190194345295483000')
    assert.match(
      problemOf(idOf(rounded, strict)),
      /^the id 1190194345295483000 is a JSON number that looks rounded/,
    )
    assert.deepEqual(idOf(rounded, { ...strict, allowRounded: true }), { value: '1190194345295483000' })
    // A text has its digits, however it ends.
    assert.deepEqual(idOf('1190194345295483000', strict), { value: '1190194345295483000' })
    assert.match(
      problemOf(idOf('1190194345295480000', { ...strict, isCell: true })),
      /rounded by a spreadsheet/,
    )
    for (const lost of [new Digits('1.190194345295483e18'), '1.19E+18', '1,19E+18'])
      assert.match(problemOf(idOf(lost, strict)), /has lost its last digits; export the ids as text/)
  })

  it('that are not an id are refused', () => {
    for (const wrong of [new Digits('-5'), '0', '012', 'ada', '9223372036854775808', '12.5'])
      assert.match(problemOf(idOf(wrong, strict)), /is not a whole number from 1 to 9223372036854775807$/)
    for (const missing of [undefined, null, '', ' ', {}])
      assert.equal(problemOf(idOf(missing, strict)), 'the id is missing')
  })
})

describe('points', () => {
  it('are whole; a fraction is rounded down and counted', () => {
    const of = (text: string) => pointsOf(new Digits(text))
    assert.deepEqual(of('12'), { value: { amount: 12n, roundedDown: false } })
    assert.deepEqual(of('12.0'), { value: { amount: 12n, roundedDown: false } })
    assert.deepEqual(of('12.999'), { value: { amount: 12n, roundedDown: true } })
    assert.deepEqual(pointsOf('9007199254740991'), {
      value: { amount: 9007199254740991n, roundedDown: false },
    })
    assert.deepEqual(of('-0.0'), { value: { amount: 0n, roundedDown: false } })
  })

  it('that no balance can be are refused, with the reason', () => {
    assert.match(
      problemOf(pointsOf(new Digits('-5'))),
      /^the points are -5; an opening balance is never below 0$/,
    )
    assert.match(problemOf(pointsOf(new Digits('-0.5'))), /never below 0/)
    assert.match(problemOf(pointsOf('9007199254740992')), /the greatest balance is 9007199254740991$/)
    for (const odd of ['Infinity', '1,234', '1e3', 'many'])
      assert.match(problemOf(pointsOf(odd)), /are not a number in digits$/)
    assert.equal(problemOf(pointsOf(null)), 'the points are missing')
  })
})

it('a Twitch name is in lower case; another name is refused', () => {
  assert.deepEqual(twitchNameOf(' Ada_99 '), { value: 'ada_99' })
  assert.match(problemOf(twitchNameOf('Ada L.')), /^"Ada L\." is not a Twitch user name$/)
  assert.equal(problemOf(twitchNameOf(undefined)), 'the user name is missing')
})

it('a name fits the server: no control characters, at most 100 characters', () => {
  assert.equal(nameOf(' a\u0000d\na\ud800 '), 'ada')
  assert.equal(nameOf('🦊'.repeat(101)), '🦊'.repeat(100))
  assert.equal(nameOf(''), undefined)
  assert.equal(nameOf(5), undefined)
})

const collectedOf = (importer: Importer, rows: Page['rows']): Collected => {
  const collected = new Collected({ importer, pointType: undefined, allowRounded: false })
  for (const row of rows) collected.add(row)
  return collected
}

describe('members that were read', () => {
  it('have totals, and rows with problems are named and left out', () => {
    const collected = collectedOf(importers.mee6, [
      { id: '1190194345295482952', username: 'ada', points: new Digits('7.5') },
      { id: '42', points: new Digits('9007199254740991') },
      { id: '43', points: new Digits('0') },
      { id: new Digits('1190194345295483000'), points: new Digits('1') },
      { id: '44', points: 'Infinity' },
    ])
    assert.equal(
      collected.text,
      '{"id":"1190194345295482952","username":"ada","balance":"7"}\n' +
        '{"id":"42","balance":"9007199254740991"}\n{"id":"43"}\n',
    )
    assert.deepEqual(totalsOf(collected.text), {
      ids: ['1190194345295482952', '42', '43'],
      members: 3,
      points: 9007199254740998n,
      largest: { id: '42', points: 9007199254740991n },
    })
    assert.equal(collected.roundedDown, 1)
    assert.equal(collected.problemCount, 2)
    assert.match(collected.problems[0] ?? '', /^row 4: the id 1190194345295483000 is a JSON number/)
    assert.equal(collected.problems[1], 'row 5: member 44: the points "Infinity" are not a number in digits')
  })

  it('and are on a later page with other points have those', () => {
    const rows = [1, 1, 2].map((points) => ({ id: '42', points: new Digits(String(points)) }))
    const collected = collectedOf(importers.tatsu, rows)
    assert.equal(collected.text, '{"id":"42","balance":"2"}\n')
    assert.equal(collected.changed, 1)
  })

  it('and are in a file twice with other points are a problem', () => {
    const collected = collectedOf(csv, [
      { id: '42', points: '1' },
      { id: '42', points: '2' },
    ])
    assert.deepEqual(collected.problems, ['row 2: member 42 is on row 1 too, with other points'])
    assert.equal(collected.text, '{"id":"42","balance":"1"}\n')
  })

  it('by StreamElements are identities', () => {
    const { text } = collectedOf(importers.streamelements, [
      { id: 'Ada_99', username: 'Ada_99', points: new Digits('5') },
    ])
    assert.equal(text, '{"id":"twitch:ada_99","username":"Ada_99","balance":"5"}\n')
  })
})

describe('a table', () => {
  const here = folder()
  const rowsOf = async (text: string) => {
    const pages = csv.pages(here.file('table.csv', text), async () => undefined)
    return (await pages.next()).value?.rows
  }

  it('may have commas, semicolons or tabs, quotes, and the columns of other bots', async () => {
    assert.deepEqual(cellsOf('a,"b ""c"", d"\r\n\r\n"x\ny",\n'), [
      ['a', 'b "c", d'],
      ['x\ny', ''],
    ])
    const rows = [{ id: '42', points: '7', username: 'ada', displayName: '' }]
    assert.deepEqual(await rowsOf('User ID;XP;Name\n42;7;ada'), rows)
    assert.deepEqual(await rowsOf('\uFEFFname\tdiscord_id\tcoins\nada\t="42"\t7\n'), rows)
  })

  it('without a column for ids or points is refused, with the names that it may have', async () => {
    await assert.rejects(
      rowsOf('name,xp\nada,7\n'),
      /has no column for the id: its first line must name one of id,/,
    )
    await assert.rejects(rowsOf('id,level\n42,7\n'), /has no column for the points: .* balance, xp,/)
  })
})
