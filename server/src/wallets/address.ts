import { keccak_256 } from '@noble/hashes/sha3.js'

/** A wallet in the form it is shown in, the form it is compared in, and its chain as a CAIP-2 namespace. */
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

/** A Solana address is 32 bytes in base58. */
function isSolana(text: string): boolean {
  if (!base58.test(text)) return false
  let value = 0n
  for (const digit of text) value = value * 58n + BigInt(alphabet.indexOf(digit))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
  return zeros + bytes === 32
}

/** Undefined for a string in no form we know, unless its chain is named: then it is taken as it is. */
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

/** The form in which a wallet is looked for; undefined for one that can belong to nobody. */
export function matchForm(text: string): string | undefined {
  if (evm.test(text)) return text.toLowerCase()
  return /^[\x21-\x7e]{1,128}$/.test(text) ? text : undefined
}
