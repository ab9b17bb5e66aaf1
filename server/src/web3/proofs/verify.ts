import { type RefusalError, refuse } from '../../errors.ts'
import { type Chains, hexBytes } from '../chains/index.ts'
import { signerOf, textHash } from './account.ts'
import { contractSigned, isWrapped } from './contract.ts'
import { ed25519Signature, solanaSigned } from './solana.ts'
import { isSolana } from './text.ts'

export const proofRefused = (detail: string): RefusalError => refuse('proof_refused', detail)

export type SignedMessage = {
  readonly address: string
  readonly chain: string
  readonly text: string
  readonly signature: string
}

const wrong = 'The signature is not a valid signature of this message by this wallet.'

/**
 * The chain that the wallet is proved on. An account's key signs for every chain of its kind; a contract is
 * proved only for its own chain, as another contract may have its address elsewhere.
 */
export async function provedChain(chains: Chains, signed: SignedMessage): Promise<string> {
  if (isSolana(signed.chain)) {
    const signature = ed25519Signature(signed.signature)
    if (!signature || !solanaSigned(signed.address, signed.text, signature)) throw proofRefused(wrong)
    return 'solana'
  }
  return provedEvm(chains, signed)
}

/**
 * The three cases of ERC-6492: a wrapper, a contract (ERC-1271), an account. One success is enough, so their
 * order only decides what is called: an account's signature is checked without its chain, also while that is
 * unreachable.
 */
async function provedEvm(
  chains: Chains,
  { address, chain: id, text, signature: sent }: SignedMessage,
): Promise<string> {
  const signature = hexBytes(sent)
  if (!signature) throw proofRefused('The signature must be hex digits after 0x.')
  const hash = textHash(text)
  if (!isWrapped(signature) && signerOf(hash, signature) === address.toLowerCase()) return 'eip155'
  const chain = chains.get(id)
  if (!chain) {
    throw proofRefused(
      `${wrong} If the wallet is a contract: this server has no endpoint for ${id} to check it. ` +
        'The operator configures chains in CHAINS.',
    )
  }
  if (!(await contractSigned(chain, address, { hash, signature }))) throw proofRefused(wrong)
  return id
}
