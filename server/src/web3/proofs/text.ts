import { isEvmChain } from '../chains/index.ts'
/**
 * The message that a wallet's owner signs: ERC-4361 for EVM, Sign-In-With-Solana for Solana. It is composed
 * here and compared to the byte when it comes back, so that no field depends on a parser.
 */

/** The contents of a challenge. */
export type Challenge = {
  /** The realm and member that the wallet is to be linked to, by their public ids. */
  readonly realmId: string
  readonly member: string
  /** As displayed: EIP-55 for EVM. */
  readonly address: string
  /** A CAIP-2 id. */
  readonly chain: string
  /** 128 random bits in hex. */
  readonly nonce: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** Solana's clusters, by the names that its wallets know. */
const clusters: ReadonlyMap<string, string> = new Map([
  [mainnet, 'mainnet'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'devnet'],
  ['solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', 'testnet'],
])

/** The chain of a challenge: a namespace alone means its main network. Undefined for an unknown chain. */
export function challengeChain(chain: string): string | undefined {
  if (chain === 'eip155') return 'eip155:1'
  if (chain === 'solana') return mainnet
  if (isEvmChain(chain)) return chain
  return clusters.has(chain) ? chain : undefined
}

/** The chain's name in the message. */
function chainIn(chain: string): string {
  return clusters.get(chain) ?? chain.slice('eip155:'.length)
}

export const isSolana = (chain: string): boolean => chain.startsWith('solana:')

/** `publicUrl` is the public URL of this server. The URI is the member's own. */
export function textOf(challenge: Challenge, publicUrl: string): string {
  const { realmId, member, address, chain, nonce, issuedAt, expiresAt } = challenge
  const account = isSolana(chain) ? 'Solana' : 'Ethereum'
  return [
    `${new URL(publicUrl).host} wants you to sign in with your ${account} account:`,
    address,
    '',
    `Link this wallet to member ${member} of the realm ${realmId}. This costs nothing and moves nothing.`,
    '',
    `URI: ${publicUrl}/api/v4/realms/${realmId}/members/${member}`,
    'Version: 1',
    `Chain ID: ${chainIn(chain)}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
  ].join('\n')
}

/** The nonce in a message, by which its challenge is found. */
export function nonceIn(text: string): string | undefined {
  return /^Nonce: ([0-9a-f]{32})$/m.exec(text)?.[1]
}

/** The lines of a message by their meaning; an unexpected line counts as the form. */
const parts = [
  'the domain',
  'the address',
  'the form',
  'the statement',
  'the form',
  'the URI',
  'the version',
  'the chain id',
  'the nonce',
  'the time of issue',
  'the time of expiry',
]

/** The part of a message that differs from the issued one; undefined when they are equal to the byte. */
export function differenceOf(given: string, due: string): string | undefined {
  if (given === due) return undefined
  const lines = given.split('\n')
  const expected = due.split('\n')
  if (lines.length !== expected.length) return 'the form'
  return parts[expected.findIndex((line, index) => line !== lines[index])] ?? 'the form'
}
