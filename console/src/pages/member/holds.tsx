import type { HoldData, ProfileData } from '@exchequer/sdk'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Asides, type Ending } from './endings.tsx'

const ways = ['capture', 'release'] as const

/** A hold is charged or released. */
export function useHoldEndings(): readonly Ending<HoldData>[] {
  const { member: words, freeze } = useWords()
  const { client } = useRealm()
  return ways.map((how) => ({
    name: how,
    words: words.holdEnd[how],
    ...(how === 'capture' && { stopped: freeze.stoppedCharge }),
    preview: async ({ holdId, realmPointId }, { id, balances }) => {
      const dry = await client.hold(holdId)[how]({ dryRun: true })
      const balance = 'newBalance' in dry ? dry.newBalance : (balances[realmPointId] ?? 0)
      return { id, balance, held: dry.held[realmPointId] }
    },
    send: ({ holdId }, idempotencyKey) => client.hold(holdId)[how]({ idempotencyKey }),
  }))
}

/** Open holds, with buttons to charge or release them. */
export function Holds({ member }: { readonly member: ProfileData }) {
  const { member: words } = useWords()
  const format = useFormat()
  const { client } = useRealm()
  return (
    <Asides
      title={words.holds}
      name="holds"
      member={member}
      any={Object.values(member.held).some((held) => held > 0)}
      read={async () => {
        const open = await client.member(member.id).holds().toArray({ max: 1_000 })
        return open.map((hold) => ({ ...hold, id: hold.holdId }))
      }}
      note={({ expiresAt }) => words.holdUntil(format.moment(expiresAt))}
      endings={useHoldEndings()}
    />
  )
}
