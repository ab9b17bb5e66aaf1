import assert from 'node:assert/strict'
import { call } from '../../../tests/support/call.ts'
import { FakeChain } from '../../../tests/support/fakeChain.ts'
import { environment, operatorToken } from '../../../tests/support/process.ts'
import { type OpenId, openId } from '../../../tests/support/provider.ts'
import { type App, startApp } from '../../src/app/index.ts'
import { readConfig } from '../../src/config/index.ts'
import type { Examples } from '../../src/http/reference/examples.ts'
import { accounts, block, checkpointKey, token } from './cast.ts'
import { addMembers, importAndExport, mergeMembers, removeMembers, setUpRealm } from './memberStory.ts'
import {
  createRealms,
  keepCheckpoint,
  lookAtInstallation,
  manageOperatorTokens,
  manageRealmKeys,
} from './operatorStory.ts'
import { manageKeys, manageOperators, managePeople, receiveInvitations } from './peopleStory.ts'
import {
  awardPoints,
  changeMany,
  holdPoints,
  promisePoints,
  rankMembers,
  readAndReverse,
} from './pointStory.ts'
import { publicUrl, Recorder } from './recorder.ts'
import { cleanUpWallets, linkWallets, rewardHolders, takeSnapshots } from './walletStory.ts'
import { receiveEvents } from './webhookStory.ts'

type Urls = { readonly serverUrl: string; readonly ownerUrl: string }

const client = { client_id: 'exchequer', client_secret: 'a secret of the examples' }

/** Additional settings: holdings are read once, so that the reading is at a fixed point of the story. */
const settingsOf = (fake: FakeChain, provider: OpenId): Record<string, string> => ({
  LOG_LEVEL: 'error',
  PUBLIC_URL: publicUrl,
  CHECKPOINT_KEY: checkpointKey,
  WEBHOOK_ALLOW: '127.0.0.0/8',
  OPERATOR_FEED: 'on',
  TRUSTED_PROXIES: '127.0.0.1',
  CHAINS: `${fake.id}=${fake.url}`,
  HOLDINGS_EVERY_SECONDS: '86400',
  HOLDINGS_SPACING_SECONDS: '86400',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.client_id,
  OIDC_CLIENT_SECRET: client.client_secret,
})

const cookieOf = (set: readonly string[] | undefined, name: string): string =>
  set?.map((one) => one.split(';')[0] ?? '').find((one) => one.startsWith(`__Secure-${name}=`)) ?? ''

/** Completes the sign-in like a browser. */
async function signInAt(app: App, provider: OpenId, account: string): Promise<string> {
  const begun = await call('GET', `${app.url}/console/sign-in`)
  assert.equal(begun.status, 303, begun.text)
  const { search } = await provider.signIn(String(begun.headers.location), account)
  const headers = { cookie: cookieOf(begun.headers['set-cookie'], 'exchequer-sign-in') }
  const back = await call('GET', `${app.url}/console/sign-in/callback${search}`, { headers })
  assert.equal(back.status, 303, back.text)
  return cookieOf(back.headers['set-cookie'], 'exchequer-session')
}

async function recordAll(at: Recorder, signIn: (account: string) => Promise<string>): Promise<void> {
  await createRealms(at)
  await setUpRealm(at)
  await addMembers(at)
  await awardPoints(at)
  await importAndExport(at)
  await manageRealmKeys(at)
  await manageOperatorTokens(at)
  await changeMany(at)
  await holdPoints(at)
  await promisePoints(at)
  await readAndReverse(at)
  await rankMembers(at)
  await linkWallets(at)
  await rewardHolders(at)
  await takeSnapshots(at)
  await cleanUpWallets(at)
  await receiveEvents(at)
  await manageKeys(at)
  await managePeople(at)
  await receiveInvitations(at, signIn)
  await manageOperators(at)
  await mergeMembers(at)
  await removeMembers(at)
  await lookAtInstallation(at)
  await keepCheckpoint(at)
}

/** Runs every operation of the document on this empty database, and returns requests and responses. */
export async function recordExamples(urls: Urls): Promise<Examples> {
  const fake = await FakeChain.start()
  fake.amounts.set(token, 3n)
  fake.block = { ...block, at: new Date() }
  const redirectUri = `${publicUrl}/console/sign-in/callback`
  const provider = await openId({ redirectUri, client, accounts })
  try {
    const app = await startApp(readConfig(environment(urls, settingsOf(fake, provider))))
    try {
      const recorder = new Recorder({ url: app.url, operatorToken })
      await recordAll(recorder, (account) => signInAt(app, provider, account))
      return recorder.examples
    } finally {
      await app.close()
    }
  } finally {
    provider.close()
    fake.close()
  }
}
