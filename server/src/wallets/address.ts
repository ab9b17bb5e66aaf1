import { keccak_256 } from '@noble/hashes/sha3.js'

/** A wallet as displayed, as compared, and its chain as a CAIP-2 namespace. */
export type Address = { readonly shown: string; readonly match: string; readonly chain: string }

const evm = /^0x[0-9a-fA-F]{40}$/
const base58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** EIP-55: the case of each hex letter is a bit of the address's own hash. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak_256(Buffer.from(digits, 'ascii'))
  const cased = Array.from(digits, (digit, index) => {
    const byte = hash[index >> 1] ?? 0
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15
    return nibble >= 8 ? digit.toUpperCase() : digit
  })
  return `0x${cased.join('')}`
}

/** Undefined for a string that is not base58. */
export function base58Bytes(text: string): Buffer | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,128}$/.test(text)) return undefined
  let value = 0n
  for (const digit of text) value = value * 58n + BigInt(alphabet.indexOf(digit))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const hex = value === 0n ? '' : value.toString(16)
  return Buffer.concat([
    Buffer.alloc(zeros),
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ])
}

/** A Solana address is 32 bytes in base58. */
function isSolana(text: string): boolean {
  return base58.test(text) && base58Bytes(text)?.length === 32
}

/** Undefined for an unknown format, unless its chain is named: then it is accepted as it is. */
export function parseAddress(text: string, chain?: string): Address | undefined {
  const namespace = chain?.split(':')[0]
  if (evm.test(text) && (namespace ?? 'eip155') === 'eip155') {
    return { shown: checksummed(text), match: text.toLowerCase(), chain: chain ?? 'eip155' }
  }
  if (isSolana(text) && (namespace ?? 'solana') === 'solana')
    return { shown: text, match: text, chain: chain ?? 'solana' }
  if (chain === undefined || namespace === 'eip155' || namespace === 'solana') return undefined
  const match = matchForm(text)
  return match === undefined ? undefined : { shown: text, match, chain }
}

/** The form in which a wallet is looked up; undefined for a string that can't be a wallet. */
export function matchForm(text: string): string | undefined {
  if (evm.test(text)) return text.toLowerCase()
  return /^[\x21-\x7e]{1,128}$/.test(text) ? text : undefined
}
