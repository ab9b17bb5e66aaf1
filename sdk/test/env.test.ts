import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Operator, Realm } from '../src/index.ts'

const env = { EXCHEQUER_URL: 'http://there', EXCHEQUER_REALM: 'r', EXCHEQUER_KEY: 'k', EXCHEQUER_TOKEN: 't' }
const lacking = (name: string) => ({ message: new RegExp(`^${name} is not set`) })

it('a client is created from the environment, and a missing variable is named', () => {
  assert.equal(Realm.fromEnv({}, env).id, 'r')
  assert.equal(Realm.fromEnv({ realm: 'mine', timeoutMs: 5 }, env).id, 'mine')
  assert.ok(Operator.fromEnv({}, env))
  for (const value of [undefined, '']) {
    for (const name of ['EXCHEQUER_URL', 'EXCHEQUER_REALM', 'EXCHEQUER_KEY'])
      assert.throws(() => Realm.fromEnv({}, { ...env, [name]: value }), lacking(name))
    for (const name of ['EXCHEQUER_URL', 'EXCHEQUER_TOKEN'])
      assert.throws(() => Operator.fromEnv({}, { ...env, [name]: value }), lacking(name))
  }
})

/** Creates a client in a runtime with this `process`. */
function withProcess<T>(instead: unknown, make: () => T): T {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'process') as PropertyDescriptor
  Object.defineProperty(globalThis, 'process', { value: instead, configurable: true })
  try {
    return make()
  } finally {
    Object.defineProperty(globalThis, 'process', own)
  }
}

it('it uses process.env, and works in a runtime without one', () => {
  assert.equal(withProcess({ env }, () => Realm.fromEnv()).id, 'r')
  const given = { url: 'http://there', realm: 'mine', key: 'k' }
  for (const process of [undefined, {}]) {
    assert.equal(withProcess(process, () => Realm.fromEnv(given)).id, 'mine')
    assert.equal(withProcess(process, () => Realm.fromEnv({}, env)).id, 'r')
    assert.throws(() => withProcess(process, () => Realm.fromEnv()), lacking('EXCHEQUER_URL'))
  }
})
