import type { WalletData } from '@exchequer/sdk'
import { type Command, command, yesFlag } from '../command.ts'
import { exits } from '../exits.ts'
import { timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { memberOf, present } from './values.ts'

const member = { member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' } } as const
const address = { address: { what: 'the wallet’s address' } } as const

const columns: readonly Column[] = [
  { title: 'ADDRESS', style: 'cyan' },
  { title: 'CHAIN' },
  { title: 'VERIFIED' },
  { title: 'LINKED' },
]
const row = (one: WalletData) => [one.address, one.chain, one.verified, timeText(one.linkedAt)]

export const walletsList: Command = command({
  words: 'wallets list',
  what: 'list a member’s wallets',
  args: member,
  flags: listFlags,
  examples: [{ line: 'exchequer wallets list 1190194345295482952', what: 'and whether they are verified' }],
  async run({ args, flags }, context) {
    // Listing a member's wallets needs a key that can link them; this needs one that can read.
    const { wallets } = await context.realm().member(memberOf(args.member)).web3()
    const source = { toArray: async ({ max }: { readonly max: number }) => wallets.slice(0, max) }
    showList(context, await listed(source, flags), { columns, row, empty: 'No wallet is linked.' })
  },
})

export const walletsCheck: Command = command({
  words: 'wallets check',
  what: 'check which wallets belong to members; exit code 1 unless all do',
  args: { addresses: { what: 'up to 1,000 addresses', many: true } },
  examples: [
    { line: 'exchequer wallets check 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', what: 'whose is it?' },
  ],
  async run({ args }, { realm, out }) {
    const answer = await realm().includes(args.addresses)
    const columns = [{ title: 'WALLET', style: 'cyan' }, { title: 'MEMBER' }] as const
    const rows = answer.wallets.map(({ wallet, memberId }) => [wallet, memberId ?? 'none'])
    out.answer(answer, () => out.table(columns, rows))
    return answer.includes ? exits.done.code : exits.refused.code
  },
})

export const walletsLink: Command = command({
  words: 'wallets link',
  what: 'link a wallet to a member, unverified',
  args: { ...member, ...address },
  flags: {
    chain: { value: 'CHAIN', what: 'a CAIP-2 name; not needed for EVM and Solana addresses' },
    ...idempotencyFlag,
  },
  examples: [
    {
      line: 'exchequer wallets link 1190194345295482952 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      what: 'an EVM address',
    },
  ],
  async run({ args, flags }, context) {
    const wallet = { address: args.address, ...present({ chain: flags.chain }) }
    const linked = await context.realm().member(memberOf(args.member)).link(wallet, onceOf(flags))
    context.out.answer([linked], () => context.out.table(columns, [row(linked)]))
  },
})

export const walletsUnlink: Command = command({
  words: 'wallets unlink',
  what: 'unlink a wallet from a member; its verification is lost',
  args: { ...member, ...address },
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [
    {
      line: 'exchequer wallets unlink 1190194345295482952 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      what: 'asks first',
    },
  ],
  async run({ args, flags }, context) {
    const id = memberOf(args.member)
    const what = `${args.address} will be unlinked from ${id}. If it is verified, that is lost.`
    await confirm(context.terminal, what, flags.yes)
    await context.realm().member(id).unlink(args.address, onceOf(flags))
    const { address: unlinked } = args
    context.out.answer({ address: unlinked }, () => context.out.line(`${unlinked} is unlinked.`))
  },
})
