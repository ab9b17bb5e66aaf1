import { loadArgs, type Scene, workloadNamed } from './compare.ts'
import { median, residentMb, type ServerProcess, wrk } from './tools.ts'

/** Ten times the clients: the server must keep its throughput and memory, and no client may wait long. */
export type Overload = {
  /** Changes a second with 256 connections. */
  readonly peak: number
  /** Changes a second with 2,560, relative to the peak of the same round. */
  readonly ratio: number
  readonly p99Ms: number
  readonly refused: number
  /** Resident after each round, in MB. */
  readonly memoryMb: readonly number[]
}

const clients = 256
const tenfold = 2_560
const roundSeconds = 5

export async function measureOverload({ filled, pace }: Scene, ours: ServerProcess): Promise<Overload> {
  const spread = workloadNamed('adjust_spread')
  const drive = (connections: number) => {
    const args = loadArgs(filled, spread)
    return wrk({ url: ours.url, args, connections, seconds: roundSeconds, mayRefuse: true })
  }
  const rounds: { peak: number; rate: number; p99Ms: number; refused: number; memoryMb: number }[] = []
  await drive(tenfold)
  for (let round = 0; round < pace.rounds; round++) {
    const usual = await drive(clients)
    const many = await drive(tenfold)
    const { p99Ms, refused } = many
    rounds.push({ peak: usual.rate, rate: many.rate, p99Ms, refused, memoryMb: residentMb(ours) })
  }
  return {
    peak: median(rounds.map(({ peak }) => peak)),
    ratio: median(rounds.map(({ rate, peak }) => rate / peak)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    refused: rounds.reduce((sum, { refused }) => sum + refused, 0),
    memoryMb: rounds.map(({ memoryMb }) => memoryMb),
  }
}
