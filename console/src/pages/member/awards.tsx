import type { ProfileData } from '@exchequer/sdk'
import { type AwardData, Awards as Client } from '@exchequer/sdk/awards'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Asides, type Ending } from './endings.tsx'

type Listed = AwardData & { readonly id: string }

const ways = ['grant', 'cancel'] as const

/** Pending awards, with buttons to grant or cancel them. */
export function Awards({ member }: { readonly member: ProfileData }) {
  const { member: words } = useWords()
  const format = useFormat()
  const { client } = useRealm()
  const awards = new Client(client)
  const endings = ways.map(
    (how): Ending<Listed> => ({
      name: how,
      words: words.awardEnd[how],
      preview: async ({ awardId, realmPointId }) => {
        const dry = await awards[how](awardId, { dryRun: true })
        const balance = 'newBalance' in dry ? dry.newBalance : (member.balances[realmPointId] ?? 0)
        return { id: member.id, balance }
      },
      send: ({ awardId }, idempotencyKey) => awards[how](awardId, { idempotencyKey }),
    }),
  )
  return (
    <Asides
      title={words.awards}
      name="awards"
      member={member}
      any={Object.values(member.pending ?? {}).some((pending) => pending > 0)}
      read={async () => {
        const pending = await awards.list(member.id).toArray({ max: 1_000 })
        return pending.map((award) => ({ ...award, id: award.awardId }))
      }}
      note={({ grantAt, postponedBy }) =>
        postponedBy === null
          ? grantAt === null
            ? words.awardOnRequest
            : words.awardAt(format.moment(grantAt))
          : words.awardLate
      }
      endings={endings}
    />
  )
}
