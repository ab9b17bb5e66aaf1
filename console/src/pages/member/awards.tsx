import type { ProfileData } from '@exchequer/sdk'
import { type AwardData, Awards as Client } from '@exchequer/sdk/awards'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Asides, type Ending } from './endings.tsx'

const ways = ['grant', 'cancel'] as const

/** An award is granted or cancelled. */
export function useAwardEndings(): readonly Ending<AwardData>[] {
  const { member: words } = useWords()
  const { client } = useRealm()
  const awards = new Client(client)
  return ways.map((how) => ({
    name: how,
    words: words.awardEnd[how],
    preview: async ({ awardId, realmPointId }, { id, balances }) => {
      const dry = await awards[how](awardId, { dryRun: true })
      return { id, balance: 'newBalance' in dry ? dry.newBalance : (balances[realmPointId] ?? 0) }
    },
    send: ({ awardId }, idempotencyKey) => awards[how](awardId, { idempotencyKey }),
  }))
}

/** When an award is granted, in words. */
export function useAwardNote(): (award: AwardData) => string {
  const { member: words } = useWords()
  const format = useFormat()
  return ({ grantAt, postponedBy }) => {
    if (postponedBy !== null) return words.awardLate
    return grantAt === null ? words.awardOnRequest : words.awardAt(format.moment(grantAt))
  }
}

/** Pending awards, with buttons to grant or cancel them. */
export function Awards({ member }: { readonly member: ProfileData }) {
  const { member: words } = useWords()
  const { client } = useRealm()
  return (
    <Asides
      title={words.awards}
      name="awards"
      member={member}
      any={Object.values(member.pending ?? {}).some((pending) => pending > 0)}
      read={async () => {
        const pending = await new Client(client).list(member.id).toArray({ max: 1_000 })
        return pending.map((award) => ({ ...award, id: award.awardId }))
      }}
      note={useAwardNote()}
      endings={useAwardEndings()}
    />
  )
}
