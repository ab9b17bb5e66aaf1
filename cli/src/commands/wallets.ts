import type { WalletData } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { exits } from '../exits.ts'
import { timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import { memberOf, present } from './values.ts'

const member = { member: { what: 'the member’s id, in digits' } } as const
const address = { address: { what: 'the wallet’s address' } } as const

function show({ out }: Context, wallets: readonly WalletData[]): void {
  const columns = [
    { title: 'ADDRESS', style: 'cyan' },
    { title: 'CHAIN' },
    { title: 'PROVED' },
    { title: 'LINKED' },
  ] as const
  const rows = wallets.map((one) => [one.address, one.chain, one.verified, timeText(one.linkedAt)])
  out.answer(wallets, () => {
    if (wallets.length === 0) out.aside('No wallet is linked.')
    else out.table(columns, rows)
  })
}

export const walletsShow: Command = command({
  words: 'wallets show',
  what: 'list the wallets of a member',
  args: member,
  examples: [{ line: 'exchequer wallets show 1190194345295482952', what: 'its wallets' }],
  async run({ args }, context) {
    const { wallets } = await context.realm().member(memberOf(args.member)).web3()
    show(context, wallets)
  },
})

export const walletsCheck: Command = command({
  words: 'wallets check',
  what: 'whether wallets belong to members, and to whom; exit 1 unless all do',
  args: { addresses: { what: 'addresses, up to 1000', many: true } },
  examples: [{ line: 'exchequer wallets check 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', what: 'one' }],
  async run({ args }, { realm, out }) {
    const answer = await realm().includes(args.addresses)
    const columns = [{ title: 'WALLET', style: 'cyan' }, { title: 'MEMBER' }] as const
    const rows = answer.wallets.map(({ wallet, memberId }) => [wallet, memberId ?? 'nobody’s'])
    out.answer(answer, () => out.table(columns, rows))
    return answer.includes ? exits.done.code : exits.refused.code
  },
})

export const walletsLink: Command = command({
  words: 'wallets link',
  what: 'link a wallet to a member, without proof',
  args: { ...member, ...address },
  flags: { chain: { value: 'CHAIN', what: 'a CAIP-2 name; EVM and Solana addresses need none' } },
  examples: [
    {
      line: 'exchequer wallets link 1190194345295482952 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      what: 'an EVM address',
    },
  ],
  async run({ args, flags }, context) {
    const wallet = { address: args.address, ...present({ chain: flags.chain }) }
    show(context, [await context.realm().member(memberOf(args.member)).link(wallet)])
  },
})

export const walletsUnlink: Command = command({
  words: 'wallets unlink',
  what: 'take a wallet from a member; a proof of it is lost',
  args: { ...member, ...address },
  flags: yesFlag,
  examples: [
    {
      line: 'exchequer wallets unlink 1190194345295482952 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      what: 'asks first',
    },
  ],
  async run({ args, flags }, context) {
    const id = memberOf(args.member)
    const what = `${args.address} is taken from ${id}. If the member has proved it, that proof is lost.`
    await confirm(context.terminal, what, flags.yes)
    await context.realm().member(id).unlink(args.address)
    const { address: unlinked } = args
    context.out.answer({ address: unlinked }, () => context.out.line(`${unlinked} is unlinked.`))
  },
})
