import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { createCheckpointKey } from '../../server/src/events/checkpoints/index.ts'
import { scopes } from '../../server/src/keys/scopes.ts'
import { rowsOf } from '../../tests/support/books.ts'
import { makeRealm, operator, rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { Awards } from '../src/awards.ts'
import { Identities } from '../src/identities.ts'
import { ExchequerError, Operator, Realm, responseOf } from '../src/index.ts'
import { Lapse } from '../src/lapse.ts'
import { Merges } from '../src/merges.ts'
import { openNote } from '../src/note.ts'
import { Chain } from '../src/verify.ts'
import { WalletLinks } from '../src/wallets.ts'
import { verifyWebhook } from '../src/webhooks.ts'

/** Every example of a doc comment runs against a real server. */
const checkpointKey = createCheckpointKey('points.example.com')
const made = suite({ CHECKPOINT_KEY: checkpointKey?.signer ?? '', WEBHOOK_ALLOW: '127.0.0.0/8' })
const files = globSync(fileURLToPath(new URL('../src/*.ts', import.meta.url)))

function examplesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const blocks = [...text.matchAll(/@example\n\s*\* ```ts\n([\s\S]*?)\n\s*\* ```/g)]
  return blocks.map(([, block = '']) => block.replaceAll(/^\s*\* ?/gm, ''))
}

/** Of the entry points next to the client's own. */
const separate = { Chain, Awards, Identities, Lapse, Merges, WalletLinks, openNote, verifyWebhook }

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** A webhook as a server receives it. */
function webhook(): Request {
  const body = JSON.stringify({ type: 'points.adjusted', timestamp: new Date(), data: { tokens: 5 } })
  const now = new Date()
  const headers = {
    'webhook-id': 'evt_1_0123456789abcdef',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1_0123456789abcdef', now, body),
  }
  return new Request('http://localhost/', { method: 'POST', headers, body })
}

type Run = (...given: unknown[]) => Promise<unknown>
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => Run

let access: { url: string; realmId: string; key: string }
let webhookId: string

describe('an example', () => {
  before(async () => {
    const at = { baseUrl: made.app.url, token: operatorToken }
    const { id, key } = await makeRealm(at, { name: 'Examples', unknownMembers: 'create' })
    const body = { name: 'examples', scopes }
    const issued = (await operator(at, 'POST', { path: `/realms/${id}/keys`, body })) as { key: string }
    access = { url: made.app.url, realmId: id, key: issued.key }
    Object.assign(process.env, {
      EXCHEQUER_URL: access.url,
      EXCHEQUER_REALM: id,
      EXCHEQUER_KEY: issued.key,
      EXCHEQUER_TOKEN: operatorToken,
    })
    await new Realm({ url: access.url, realm: id, key }).member(rich).adjust(1_000)
    const { webhooks } = new Realm({ url: access.url, realm: id, key: issued.key })
    webhookId = (await webhooks.create({ url: 'http://127.0.0.1:1/unused' })).id
    // As if its owner had signed.
    await rowsOf(
      made.database.superuserUrl,
      `insert into wallets (realm, match, account, address, chain, verified_at)
        select realm, $2, account, $2, 'eip155', now() from members
        where realm = (select realm from realms where id = $1)`,
      [id, '0x00000000000000000000000000000000000a11ce'],
    )
  })

  for (const file of files) {
    for (const [index, code] of examplesOf(file).entries()) {
      it(`${index + 1} of ${file.split('/').at(-1)} runs`, async () => {
        const { url, realmId, key } = access
        const given: Record<string, unknown> = {
          realm: new Realm({ url, realm: realmId, key }),
          operator: new Operator({ url, token: operatorToken }),
          Realm,
          Operator,
          ExchequerError,
          responseOf,
          ...separate,
          storedKeys: [checkpointKey?.verifier],
          request: webhook(),
          secret,
          webhookId,
          url,
          realmId,
          key,
          token: operatorToken,
          console: { log: () => {} },
        }
        // In a block: an example may declare the same name.
        await new AsyncFunction(...Object.keys(given), `{${code}}`)(...Object.values(given))
      })
    }
  }

  it('exists for every public function', () => {
    const lacking = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      const functions = [...text.matchAll(/^ {2}(?:static )?(?:async )?\*?(\w+)\([^)]*(?:\)|\{|$)/gm)]
      return functions.flatMap(({ 1: name = '', index }) => {
        if (name === 'constructor' || file.endsWith('transport.ts')) return []
        const above = text.slice(0, index).trimEnd()
        return above.endsWith('*/') && above.slice(above.lastIndexOf('/**')).includes('@example')
          ? []
          : [name]
      })
    })
    assert.deepEqual(lacking, [])
  })
})
