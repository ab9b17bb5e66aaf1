import type { Signer } from '../../../tests/support/signers.ts'
import { ada, chain, kim, robin, sam, token, wallets } from './cast.ts'
import type { Recorder } from './recorder.ts'

const signed = (signer: Signer, message: string) => ({
  address: signer.address,
  message,
  signature: signer.sign(message),
})

/** Wallets are linked: by their owner's signature, by a key alone, and on the page. */
export async function linkWallets(at: Recorder): Promise<void> {
  const path = { memberID: ada }
  const asked = { address: wallets.ada.address, chain }
  const { json } = await at.show('createWalletChallenge', { path, body: asked })
  const proof = signed(wallets.ada, json.message)
  await at.show('linkWallet', { path, body: proof, idempotencyKey: 'wallet-ada' })
  await at.ask('linkWallet', { path: { memberID: robin }, body: { address: wallets.robin.address } })
  await linkOnPage(at)
  await at.show('listWallets', { path })
  await at.show('getWallet', { path: { ...path, address: wallets.ada.address } })
  const both = [wallets.ada.address, `0x${'0'.repeat(39)}1`]
  await at.show('findMembersByWallet', { query: { wallets: both.join(',') } })
  await at.show('searchMembersByWallet', { body: { wallets: both } })
}

async function linkOnPage(at: Recorder): Promise<void> {
  const { json } = await at.show('createWalletLink', {
    path: { memberID: kim },
    body: { returnUrl: 'https://community.example.com/profile' },
  })
  const path = { token: new URL(json.url).pathname.split('/').at(-1) ?? '' }
  await at.show('openLinkPage', { path })
  await at.show('getLinkDetails', { path })
  const asked = { address: wallets.kim.address, chain }
  const { json: challenge } = await at.show('createLinkChallenge', { path, body: asked })
  await at.show('linkWalletByPage', { path, body: signed(wallets.kim, challenge.message) })
}

/** Token balances of wallets are read, and rewarded. The chain is a fake: see cast.ts. */
export async function rewardHolders(at: Recorder): Promise<void> {
  const path = { collectionID: 'badge' }
  const badge = { name: 'Founder badge', chain, standard: 'erc20', address: token }
  await at.show('putCollection', { path, body: badge })
  await at.until('getCollection', { path }, ({ block }) => block !== null)
  await at.show('getCollection', { path })
  await at.show('listCollections')
  await at.show('getWeb3Member', { path: { memberID: ada } })
  const award = { collection: 'badge', atLeast: '1', tokens: 5, reason: 'Holds the badge' }
  const { json: tried } = await at.ask('awardHolders', { query: { dryRun: 'true' }, body: award })
  const { block, blockHash } = tried.at
  await at.show('awardHolders', { body: { ...award, block, blockHash }, idempotencyKey: 'badge-january' })
  await at.show('putCollection', { path, body: { name: 'Founders’ badge' } })
}

export async function takeSnapshots(at: Recorder): Promise<void> {
  const body = { id: 'season-1', chain }
  const path = { snapshotID: 'season-1' }
  await at.show('createSnapshot', { body })
  await at.show('createSnapshot', { query: { dryRun: 'true' }, body: { ...body, id: 'season-2' } })
  await at.show('getSnapshot', { path })
  await at.show('listSnapshots')
  await at.show('listSnapshotMembers', { path })
  await at.show('getSnapshotMember', { path: { ...path, memberID: ada } })
  await at.show('getSnapshotTree', { path })
}

/** Unused things are deleted. */
export async function cleanUpWallets(at: Recorder): Promise<void> {
  await at.show('deleteSnapshot', { path: { snapshotID: 'season-1' } })
  await at.show('deleteCollection', { path: { collectionID: 'badge' } })
  await at.ask('linkWallet', { path: { memberID: sam }, body: { address: wallets.sam.address } })
  await at.show('unlinkWallet', { path: { memberID: sam, address: wallets.sam.address } })
}
