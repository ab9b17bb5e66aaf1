import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rich } from '../../../tests/support/fixture.ts'
import { manage } from '../../../tests/support/operator.ts'
import { invitedPerson } from '../../../tests/support/person.ts'
import { sendSlowly } from '../../../tests/support/slow.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'
import { head } from '../../../tests/support/wire.ts'

const made = suite()
const { balance } = v4(made)
const realm = () => `/realms/${made.fixture.realm.id}`

/** Roles and keys are cached for at most this long. */
const noticedMs = 1_000

type Sent = { readonly key: string; readonly line: string; readonly body: object }

/** Sends a body in two parts; between them `meanwhile` runs and takes effect. */
function slowly({ key, line, body }: Sent, meanwhile: () => Promise<unknown>) {
  const [method = '', path = ''] = line.split(' ')
  const text = JSON.stringify(body)
  const headers = { authorization: key, 'content-length': String(text.length), connection: 'close' }
  const start = head(`${method} /api/v4${realm()}${path}`, headers)
  return sendSlowly(made.app.url, { head: start, body: text }, async () => {
    await sleep(200)
    await meanwhile()
    await sleep(noticedMs)
  })
}

async function signedInAs(role: string) {
  const person = await invitedPerson(made.app.url, { id: made.fixture.realm.id }, { role })
  const { id } = (await person.send('GET', '/console/session')).json.person
  const become = (other: string) =>
    manage(made.app.url, `PATCH ${realm()}/people/${id}`, { role: other }).then(({ status }) =>
      assert.equal(status, 200),
    )
  return { key: await person.key(made.fixture.realm.id), become }
}

describe('a body that arrives slowly', () => {
  it('is rejected with 403 when its sender lost the scope meanwhile', async () => {
    const before = await balance(rich)
    const { key, become } = await signedInAs('manager')
    const sent = { key, line: `PATCH /members/${rich}/tokenBalance`, body: { tokens: 1_000_000 } }
    const { status, text } = await slowly(sent, () => become('viewer'))
    assert.equal(status, 403, text)
    assert.match(text, /insufficient_scope/)
    assert.equal(await balance(rich), before)
  })

  it('creates no key for an owner who is a viewer by then', async () => {
    const { key, become } = await signedInAs('owner')
    const sent = { key, line: 'POST /keys', body: { name: 'late', scopes: ['realm:admin'] } }
    const { status, text } = await slowly(sent, () => become('viewer'))
    assert.equal(status, 403, text)
  })

  it('is executed with the scopes that its sender has by then', async () => {
    const { key, become } = await signedInAs('owner')
    const sent = { key, line: `PATCH /members/${rich}/tokenBalance`, body: { tokens: 3 } }
    const { status, text } = await slowly(sent, () => become('manager'))
    assert.equal(status, 200, text)
  })
})
