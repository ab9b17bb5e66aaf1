import { hash as digest } from 'node:crypto'
import { evmSigner } from '../../../tests/support/signers.ts'
import { createCheckpointKey } from '../../src/events/checkpoints/index.ts'

/** Members of the demo community: their ids are above 2^53, as those of chat services are. */
export const ada = '1190194345295482952'
export const robin = '1190194345295483417'
export const kim = '1190194345295484103'
export const sam = '1190194345295485266'
/** Created by mistake, and deleted again. */
export const twin = '1190194345295486038'

/** Wallets that are the same in every run; their secrets are in this file, so they must never hold value. */
const wallet = (owner: string) => evmSigner(digest('sha256', `example wallet of ${owner}`, 'buffer'))

export const wallets = { ada: wallet('ada'), robin: wallet('robin'), kim: wallet('kim'), sam: wallet('sam') }

/** The same in every run too, and never used elsewhere. */
export const checkpointKey =
  createCheckpointKey('points.example.com', digest('sha256', 'example checkpoint key', 'buffer'))?.signer ??
  ''

/** The only chain of the run, a fake node: every wallet holds the same amount of the one token. */
export const chain = 'eip155:1'
export const token = `0x${digest('sha256', 'example token', 'hex').slice(0, 40)}`
export const block = { number: 24_236_011n, hash: `0x${digest('sha256', 'example block', 'hex')}` }

/** People of the OpenID provider of the run. */
export const accounts = {
  grace: { name: 'Grace', email: 'grace@example.com', email_verified: true },
}
