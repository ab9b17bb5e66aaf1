import { once } from 'node:events'
import { isEvmChain } from './chains/chains.ts'
import { type Command, command, commandLine, telling, withNouns } from './command.ts'
import { ConfigError } from './config.ts'
import { Snapshots } from './snapshots/snapshots.ts'

/** A journal's entry on the command line. */
function seqOf(text: string | undefined): bigint | undefined {
  if (text === undefined || /^[1-9][0-9]{0,18}$/.test(text))
    return text === undefined ? undefined : BigInt(text)
  throw new ConfigError('--seq is the number of an entry.')
}

function chainOf(text: string): string {
  if (isEvmChain(text)) return text
  throw new ConfigError('The chain is an EVM chain in CAIP-2, such as eip155:8453.')
}

/** What members have, by proved wallet: docs/claim.md. */
export const snapshotCommands: readonly Command[] = [
  telling(
    'snapshot take <realm> <id> <chain> [--point <id>] [--seq <seq>] [--claimable] [--dry-run]',
    'what members have by proved wallet, as a Merkle tree; --claimable takes the points, for good',
    async ({ db, configs, realms }, [realmId = '', id = '', chain = ''], values) => {
      const { number: realm } = await realms.get(realmId)
      const asked = {
        realm,
        id,
        chain: chainOf(chain),
        point: values['point'],
        seq: seqOf(values['seq']),
        claimable: values['claimable'] !== undefined,
        dry: values['dry-run'] !== undefined,
      }
      const taker = { key: 0, requestId: 'command line', by: commandLine }
      return new Snapshots(db, configs).take(asked, taker)
    },
  ),
  command(
    'snapshot tree <realm> <id>',
    'write a snapshot’s whole tree as JSON, for @openzeppelin/merkle-tree',
    ([realmId = '', id = '']) =>
      withNouns(async ({ db, configs, realms }) => {
        const { number: realm } = await realms.get(realmId)
        for await (const chunk of await new Snapshots(db, configs).dump({ realm, id }))
          if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
        return undefined
      }),
  ),
]
