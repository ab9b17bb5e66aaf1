import assert from 'node:assert/strict'
import type { Answer } from './call.ts'
import type { ManagedRealm } from './manager.ts'
import { assertProblem } from './problem.ts'
import type { Signer } from './signers.ts'

export type Asking = { readonly member?: number; readonly chain?: string; readonly of?: ManagedRealm }

type Handed = {
  readonly message: string
  readonly chain: string
  readonly address: string
  readonly expiresAt: string
}

/** Proves wallets in a realm with their private keys. */
export function proving(realmOf: () => ManagedRealm) {
  const challenge = async (address: string, { member = 1, chain, of = realmOf() }: Asking = {}) => {
    const answer = await of.send(`POST /members/${member}/wallets/challenges`, { address, chain })
    assert.equal(answer.status, 200, answer.text)
    return answer.json as Handed
  }
  const present = (signer: Signer, message: string, { member = 1, of = realmOf() }: Asking = {}) => {
    const signed = { address: signer.address, message, signature: signer.sign(message) }
    return of.send(`POST /members/${member}/wallets`, signed)
  }
  return {
    challenge,
    present,
    /** Requests a challenge, changes it, signs it and sends it. */
    prove: async (signer: Signer, changed: Asking & { readonly text?: (text: string) => string } = {}) => {
      const { message } = await challenge(signer.address, changed)
      return present(signer, changed.text?.(message) ?? message, changed)
    },
    walletsOf: async (member: number) =>
      (await realmOf().send(`GET /web3/members/${member}`)).json.wallets as {
        address: string
        verified: boolean
      }[],
  }
}

export function refused(answer: Answer, words: RegExp): void {
  assertProblem(answer, 422, 'proof_refused')
  assert.match(answer.json.detail, words)
}
