import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fold, hasWords } from '../src/fold.ts'
import { filtersOf } from '../src/pages/members/find.ts'
import { splitVerb } from '../src/shell/verbs.ts'
import { de } from '../src/words/de.ts'
import { en } from '../src/words/en.ts'

describe('a typed text', () => {
  it('is compared without case, accents, styled letters and separators', () => {
    for (const [text, folded] of [
      ['Élodie', 'elodie'],
      ['𝓐𝓭𝓪', 'ada'],
      ['brisk_lemur', 'brisk lemur'],
      ['Straße', 'strasse'],
      ['ŁUKASZ Ærø', 'lukasz aero'],
      ['Σίσυφος', 'σισυφοσ'],
    ] as const)
      assert.equal(fold(text), folded)
    assert.ok(hasWords('Won the Halloween quest', 'QUEST hallow'))
    assert.ok(!hasWords('Won the Halloween quest', 'quest cake'))
  })

  it('is searched as an id, an identity or a wallet, as a part of one, and as a part of a name', () => {
    const expected: Record<string, readonly object[]> = {
      '': [{}],
      ' Ada ': [{ search: 'Ada' }],
      '@ada': [{ search: 'ada' }],
      '<@!118639>': [{ id: '118639' }, { idPart: '118639' }, { search: '118639' }],
      '42': [{ id: '42' }, { search: '42' }],
      '00123': [{ idPart: '00123' }, { search: '00123' }],
      '1190194345295482952': [{ id: '1190194345295482952' }, { search: '1190194345295482952' }],
      'shop:9f1c': [{ id: 'shop:9f1c' }, { search: 'shop:9f1c' }],
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed': [
        { wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      ],
      '0x5aAeb': [{ walletPart: '0x5aAeb' }, { search: '0x5aAeb' }],
      '0x5aAe...eAed': [{ walletPart: '0x5aAe…eAed' }, { search: '0x5aAe...eAed' }],
      '7EcDh': [{ search: '7EcDh' }, { walletPart: '7EcDh' }],
      'email:ada@example.org': [],
    }
    for (const [text, filters] of Object.entries(expected)) assert.deepEqual(filtersOf(text), filters, text)
    assert.deepEqual(filtersOf('é'.repeat(150)), [{ search: 'é'.repeat(100) }])
  })

  it('begins with an action, in each language, or with none', () => {
    assert.deepEqual(splitVerb('award pixel lemur', en.finder), { verb: 'award', rest: 'pixel lemur' })
    assert.deepEqual(splitVerb('FRE  ada ', en.finder), { verb: 'freeze', rest: 'ada' })
    assert.deepEqual(splitVerb('ruckgangig 12', de.finder), { verb: 'undo', rest: '12' })
    for (const text of ['award', 'ada lovelace', 'aw ada', ''])
      assert.deepEqual(splitVerb(text, en.finder), { verb: undefined, rest: '' })
  })
})
