import type { Script } from './bare.ts'

/** A workload: what pgbench runs, and what wrk sends. */
export type Workload = {
  readonly name: string
  readonly title: string
  /** pgbench scripts with their weights. */
  readonly bare: Readonly<Partial<Record<Script, number>>>
  /** What load.lua sends. */
  readonly kind: string
  readonly realms: 'big' | 'many'
  /** Measured in fewer rounds by a quick run. */
  readonly aside?: boolean
  /** Whether a bare `node:http` server is measured next to it. */
  readonly nodeHttp?: boolean
}

export const workloads: readonly Workload[] = [
  { name: 'adjust_spread', title: 'add points, spread', bare: { spread: 1 }, kind: 'spread', realms: 'big' },
  { name: 'adjust_hot', title: 'one hot member', bare: { hot: 1 }, kind: 'hot', realms: 'big' },
  { name: 'adjust_zipf', title: 'Zipf', bare: { zipf: 1 }, kind: 'zipf', realms: 'big' },
  { name: 'transfer', title: 'transfers', bare: { transfer: 1 }, kind: 'transfer', realms: 'big' },
  { name: 'realms_1000', title: '1,000 realms', bare: { realms: 1 }, kind: 'realms', realms: 'many' },
  {
    name: 'read_member',
    title: 'read a member',
    bare: { readMember: 1 },
    kind: 'member',
    realms: 'big',
    nodeHttp: true,
  },
  {
    name: 'wallets_100',
    title: 'check 100 wallets',
    bare: { checkWallets: 1 },
    kind: 'wallets',
    realms: 'big',
    aside: true,
  },
  {
    name: 'mixed',
    title: '80 % reads, 20 % writes',
    bare: { readMember: 4, spread: 1 },
    kind: 'mixed',
    realms: 'big',
    aside: true,
  },
]
