import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { managed } from '../../../tests/support/manager.ts'
import { environment, type ServerProcess, startServerProcess } from '../../../tests/support/process.ts'
import { Receiver } from '../../../tests/support/receiver.ts'
import { freshDatabase, type Suite } from '../../../tests/support/suite.ts'
import { makeAuthority } from './certificates.ts'
import { adjust, until } from './hooked.ts'

/** Webhooks by TLS, of a server that trusts an authority besides the usual ones. */

const made = {} as Suite
let server: ServerProcess
const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'))
const known = makeAuthority('known to the server')
const unknown = makeAuthority('unknown to the server')

before(async () => {
  made.database = await freshDatabase()
  const file = join(folder, 'authority.pem')
  writeFileSync(file, known.cert)
  const extra = { WEBHOOK_ALLOW: 'localhost,127.0.0.0/8', NODE_EXTRA_CA_CERTS: file }
  server = await startServerProcess(environment(made.database, extra))
  made.app = { url: server.baseUrl } as Suite['app']
})
after(async () => {
  await server?.stop()
  await made.database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A realm with a webhook to a receiver with this certificate, at 127.0.0.1 or by another name. */
async function hookedBy(tls: { key: string; cert: string }, host = '127.0.0.1') {
  const realm = await managed(made, { unknownMembers: 'create' })
  const to = await Receiver.start({ tls })
  const url = to.url.replace('127.0.0.1', host)
  const { status, json, text } = await realm.send('POST /webhooks', { url })
  assert.equal(status, 201, text)
  const deliveries = async () => (await realm.send(`GET /webhooks/${json.id}/deliveries`)).json.data
  return { realm, to, secret: json.secret as string, deliveries }
}

/** The error of its first delivery. */
async function errorOf({ realm, to, deliveries }: Awaited<ReturnType<typeof hookedBy>>): Promise<string> {
  await adjust(realm, 5)
  await until(async () => (await deliveries()).length === 1)
  to.close()
  const [{ status, error }] = await deliveries()
  assert.equal(status, null)
  assert.equal(to.got.length, 0)
  return error
}

describe('a receiver with a certificate', () => {
  it('gets events if its authority is one of NODE_EXTRA_CA_CERTS', async () => {
    const { realm, to, secret, deliveries } = await hookedBy(known.issue())
    await adjust(realm, 5)
    const [got] = await to.until(1)
    assert.ok(got)
    new Webhook(secret).verify(got.body, got.headers)
    await until(async () => (await deliveries())[0]?.status === 200)
    to.close()
  })

  it('gets none if the server does not know the authority, and the delivery says why', async () => {
    assert.equal(
      await errorOf(await hookedBy(unknown.issue())),
      'The receiver’s certificate is not trusted: UNABLE_TO_VERIFY_LEAF_SIGNATURE.',
    )
  })

  it('gets none under another name than its certificate has, and the delivery says why', async () => {
    assert.equal(
      await errorOf(await hookedBy(known.issue(), 'localhost')),
      'The receiver’s certificate is for another host: ERR_TLS_CERT_ALTNAME_INVALID.',
    )
  })
})
