import { ada, kim, robin, sam } from './cast.ts'
import type { Recorder } from './recorder.ts'

/** Points are awarded, transferred and read. */
export async function awardPoints(at: Recorder): Promise<void> {
  const won = { tokens: 120, reason: 'Won the quiz', reference: 'quiz-42' }
  const path = { memberID: ada }
  await at.show('adjustPoints', { path, body: won, idempotencyKey: 'quiz-42-ada' })
  const thanks = { recipientId: robin, tokens: 20, reason: 'Thanks for the help' }
  await at.show('transferPoints', { path, body: thanks, idempotencyKey: 'thanks-ada-robin' })
  await at.show('getMember', { path })
  await at.show('listMembers', { query: { limit: '2' } })
}

export async function changeMany(at: Recorder): Promise<void> {
  const entries = [
    { memberId: ada, tokens: 10 },
    { memberId: kim, tokens: 10 },
  ]
  await at.show('adjustManyPoints', {
    body: { reason: 'Came to the meet-up', entries },
    idempotencyKey: 'meet-up-7',
  })
  const changes = [
    { memberId: robin, tokens: 15, reason: 'Second place', reference: 'quiz-43' },
    { memberId: kim, recipientId: ada, tokens: 5, reason: 'Lost a bet' },
  ]
  await at.show('applyChanges', { body: { changes }, idempotencyKey: 'quiz-43' })
}

export async function holdPoints(at: Recorder): Promise<void> {
  const path = { memberID: ada }
  const order = { tokens: 30, expiresIn: 900, reason: 'A hoodie, until the order is confirmed' }
  const query = { dryRun: 'true' }
  const { json } = await at.show('createHold', { path, body: order, idempotencyKey: 'order-1001' })
  await at.show('createHold', { path, query, body: order })
  await at.show('getHold', { path: { holdID: json.holdId } })
  await at.show('listMemberHolds', { path })
  await at.show('listHolds')
  await at.show('captureHold', {
    path: { holdID: json.holdId },
    body: { tokens: 25, reason: 'A hoodie, at a discount' },
    idempotencyKey: 'order-1001-paid',
  })
  const { json: other } = await at.ask('createHold', { path, body: { tokens: 40, reason: 'A mug' } })
  await at.show('releaseHold', {
    path: { holdID: other.holdId },
    body: { reason: 'Sold out' },
    idempotencyKey: 'order-1002-cancelled',
  })
}

export async function promisePoints(at: Recorder): Promise<void> {
  const path = { memberID: robin }
  const order = {
    tokens: 45,
    reason: 'An order, until it can’t be returned',
  }
  const query = { dryRun: 'true' }
  const { json } = await at.show('createAward', { path, body: order, idempotencyKey: 'order-1003' })
  await at.show('createAward', { path, query, body: order })
  await at.show('getAward', { path: { awardID: json.awardId } })
  await at.show('listMemberAwards', { path })
  await at.show('listAwards')
  await at.show('grantAward', {
    path: { awardID: json.awardId },
    body: { reason: 'Kept' },
    idempotencyKey: 'order-1003-kept',
  })
  const { json: other } = await at.ask('createAward', { path, body: { tokens: 12, reason: 'A mug' } })
  await at.show('cancelAward', {
    path: { awardID: other.awardId },
    body: { reason: 'Sent back' },
    idempotencyKey: 'order-1004-returned',
  })
}

export async function readAndReverse(at: Recorder): Promise<void> {
  const wrong = { tokens: 500, reason: 'Won the quiz', reference: 'quiz-44' }
  const { json } = await at.ask('adjustPoints', { path: { memberID: kim }, body: wrong })
  const path = { transactionID: json.transactionId as string }
  await at.show('reverseEntry', {
    path,
    body: { reason: 'Typed 500 for 50' },
    idempotencyKey: 'undo-quiz-44',
  })
  await at.show('getEntry', { path })
  await at.show('reverseEntries', {
    body: { filter: { reference: 'quiz-43' }, reason: 'The quiz is played again' },
    idempotencyKey: 'undo-quiz-43',
  })
  await at.show('listMemberEntries', { path: { memberID: ada }, query: { limit: '2' } })
  await at.show('listJournal', { query: { limit: '2' } })
  await at.show('streamJournal', { query: { cursor: '1' } })
}

const dayMs = 24 * 60 * 60 * 1_000
const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

export async function rankMembers(at: Recorder): Promise<void> {
  await at.ask('adjustPoints', { path: { memberID: sam }, body: { tokens: 35, reason: 'Found a bug' } })
  await at.show('getLeaderboard', { query: { limit: '2' } })
  await at.show('getRank', { path: { memberID: robin }, query: { neighbours: '1' } })
  await at.show('getStatistics', { query: { from: dayFromNow(-1), to: dayFromNow(1) } })
  await at.show('getPublicLeaderboard')
  await at.show('getPublicLeaderboardPage')
  await at.show('streamPublicLeaderboard')
  await at.show('getLeaderboardComponent')
  await at.show('getLeaderboardPageScript')
}
