import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../tests/support/books.ts'
import { type Cluster, startCluster } from '../../tests/support/cluster.ts'
import { award, makeRealm } from '../../tests/support/fixture.ts'
import { environment, operatorToken, runCommand, startServerProcess } from '../../tests/support/process.ts'
import { asSuperuser, ownerRole, serverRole } from '../src/dev/prepare.ts'
import { makeAuthority } from './events/certificates.ts'

/** Connections to a PostgreSQL that accepts both roles with TLS only, with a certificate for 127.0.0.1. */
const folder = mkdtempSync(join(tmpdir(), 'exchequer-tls-'))
const authority = makeAuthority('of the database')
let cluster: Cluster

const fileOf = (name: string): string => join(folder, name)
const superuser = (...statements: readonly string[]) => asSuperuser(cluster.url('postgres'), statements)

before(async () => {
  writeFileSync(fileOf('ca.crt'), authority.cert)
  writeFileSync(fileOf('other.crt'), makeAuthority('another').cert)
  cluster = await startCluster('embedded')
  const [{ data_directory: data }] = await rowsOf(cluster.url('postgres'), 'show data_directory')
  const { uid, gid } = statSync(data)
  const { key, cert } = authority.issue()
  const hba = [
    'hostssl all all 127.0.0.1/32 scram-sha-256',
    'hostnossl all postgres 127.0.0.1/32 scram-sha-256',
  ]
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    if (process.getuid?.() === 0) chownSync(join(data, name), uid, gid)
  }
  writeFileSync(join(data, 'pg_hba.conf'), `${hba.join('\n')}\n`)
  await superuser(
    `create database exchequer owner ${ownerRole}`,
    'alter system set ssl = on',
    'select pg_reload_conf()',
  )
})
after(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Both URLs, with these parameters. */
function env(parameters: string, host = '127.0.0.1') {
  const urlOf = (role: string) => `${cluster.url('exchequer', role).replace('127.0.0.1', host)}${parameters}`
  return environment({ serverUrl: urlOf(serverRole), ownerUrl: urlOf(ownerRole) })
}
const verified = (file: string) => `?sslmode=verify-full&sslrootcert=${fileOf(file)}`

describe('sslmode=verify-full', () => {
  it('connects every session with TLS, of a migration and of a server', async () => {
    const migrated = await runCommand(['migrate'], env(verified('ca.crt')))
    assert.equal(migrated.code, 0, migrated.err)
    const server = await startServerProcess(env(verified('ca.crt')))
    try {
      const realm = await makeRealm(
        { baseUrl: server.baseUrl, token: operatorToken },
        { unknownMembers: 'create' },
      )
      await award(server.baseUrl, realm, { 7: 5 })
      const sessions = await rowsOf(
        cluster.url('postgres'),
        `select s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.usename = $1`,
        [serverRole],
      )
      assert.ok(sessions.length > 1, String(sessions.length))
      assert.deepEqual(
        sessions.filter(({ ssl }) => !ssl),
        [],
      )
    } finally {
      await server.stop()
    }
  })

  it('refuses a certificate of an unknown authority, and one for another host', async () => {
    for (const [given, words] of [
      [env(verified('other.crt')), /unable to verify the first certificate|self-signed|signature/],
      [env('?sslmode=verify-full'), /unable to verify the first certificate|self-signed/],
      [env(verified('ca.crt'), 'localhost'), /does not match certificate's altnames/],
    ] as const) {
      const { code, err } = await runCommand(['migrate'], given)
      assert.notEqual(code, 0)
      assert.match(err, words)
    }
  })

  it('refuses a PostgreSQL without TLS, and without it that PostgreSQL refuses the server', async () => {
    const plain = await runCommand(['migrate'], env(''))
    assert.notEqual(plain.code, 0)
    assert.match(plain.err, /no encryption/)
    await superuser('alter system set ssl = off', 'select pg_reload_conf()')
    const { code, err } = await runCommand(['migrate'], env(verified('ca.crt')))
    assert.notEqual(code, 0)
    assert.match(err, /The server does not support SSL connections/)
  })
})
