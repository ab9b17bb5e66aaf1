import type { ProfileData } from '@exchequer/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, renew, useRealm } from '../../realm.tsx'
import { Amount, Badge, Code } from '../../ui/bits.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Fact, Section } from '../../ui/page.tsx'
import { Problem, Refusal } from '../../ui/states.tsx'
import { EditMember } from './actions.tsx'

type Of = { readonly member: ProfileData }

/** What stands beside the statement. */
export function About({ member, point }: Of & { readonly point: string }) {
  const { member: words } = useWords()
  const format = useFormat()
  const { id: realm, client } = useRealm()
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(realm), 'leaderboard', 'rank', member.id, point],
    queryFn: () => client.member(member.id).rank({ realmPointId: point }),
  })
  const rank = data?.member.rank
  if (error && !data)
    return (
      <Section title={words.about}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Section>
    )
  return (
    <Section title={words.about}>
      <dl className="-my-1.5">
        <Fact name={words.rank}>
          {data === undefined
            ? '…'
            : rank === null || rank === undefined
              ? words.unranked
              : words.rankOf(format.number(rank), format.number(data.total))}
        </Fact>
        {member.username && <Fact name={words.username}>{member.username}</Fact>}
        <Fact name={words.joined}>{member.joinedAt ? format.day(member.joinedAt) : '–'}</Fact>
      </dl>
    </Section>
  )
}

export function Holds({ member }: Of) {
  const { member: words } = useWords()
  const format = useFormat()
  const { id: realm, client, can } = useRealm()
  const queries = useQueryClient()
  const any = Object.values(member.held).some((held) => held > 0)
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(realm), 'member', member.id, 'holds'],
    queryFn: () => client.member(member.id).holds(),
    enabled: any,
  })
  const end = useMutation({
    mutationFn: async ({ hold, how }: { hold: string; how: 'capture' | 'release' }) => {
      await client.hold(hold)[how]()
    },
    onSettled: () => renew(queries, realm),
  })
  if (any && error && !data)
    return (
      <Section title={words.holds}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Section>
    )
  if (!any || !data || data.length === 0) return null
  return (
    <Section title={words.holds}>
      <ul className="flex flex-col gap-3">
        {data.map((hold) => (
          <li key={hold.holdId} className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="font-medium">
              <Amount value={hold.tokens} />
            </span>
            <span className="text-muted text-sm">{words.holdUntil(format.moment(hold.expiresAt))}</span>
            {can('points:write') && (
              <span className="flex gap-2">
                <Button small onClick={() => end.mutate({ hold: hold.holdId, how: 'capture' })}>
                  {words.capture}
                </Button>
                <Button small onClick={() => end.mutate({ hold: hold.holdId, how: 'release' })}>
                  {words.release}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <Refusal error={end.error} />
    </Section>
  )
}

export function Wallets({ member }: Of) {
  const { member: words } = useWords()
  const { id: realm, client, can } = useRealm()
  const queries = useQueryClient()
  const [address, setAddress] = useState<string>()
  const key = [...realmKey(realm), 'member', member.id, 'wallets']
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => client.member(member.id).web3() })
  const onSuccess = async () => {
    setAddress(undefined)
    await queries.invalidateQueries({ queryKey: key })
  }
  const link = useMutation({
    mutationFn: (one: string) => client.member(member.id).link({ address: one }),
    onSuccess,
  })
  const unlink = useMutation({ mutationFn: (one: string) => client.member(member.id).unlink(one), onSuccess })
  const add = can('wallets:write') && address === undefined && (
    <IconButton icon="plus" label={words.linkWallet} onClick={() => setAddress('')} />
  )
  return (
    <Section title={words.wallets} actions={add}>
      <ul className="flex flex-col gap-2.5">
        {data?.wallets.map((wallet) => (
          <li key={wallet.address} className="flex items-start gap-2">
            <span className="min-w-0 flex-1">
              <Code>{wallet.address}</Code>
              <span className="mt-0.5 flex gap-1.5 text-muted text-xs">
                {wallet.chain}
                <Badge tone={wallet.verified ? 'good' : 'plain'}>
                  {wallet.verified ? words.proved : words.unproved}
                </Badge>
              </span>
            </span>
            {can('wallets:write') && (
              <IconButton
                icon="close"
                label={words.unlink}
                onClick={() => unlink.mutate(wallet.address)}
                className="size-7"
              />
            )}
          </li>
        ))}
      </ul>
      {error && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.wallets.length === 0 && address === undefined && (
        <p className="text-muted text-sm">{words.noWallets}</p>
      )}
      {address !== undefined && (
        <form
          className="mt-2 flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            link.mutate(address.trim())
          }}
        >
          <div className="min-w-0 flex-1">
            <TextField
              label={words.address}
              value={address}
              onChange={({ target }) => setAddress(target.value)}
            />
          </div>
          <Button
            type="submit"
            look="primary"
            icon="link"
            aria-label={words.linkWallet}
            busy={link.isPending}
          />
        </form>
      )}
      <Refusal error={link.error ?? unlink.error} />
    </Section>
  )
}

export function Note({ member }: Of) {
  const { member: words } = useWords()
  const { can } = useRealm()
  const [editing, setEditing] = useState(false)
  const edit = can('members:write') && (
    <IconButton icon="edit" label={words.edit} onClick={() => setEditing(true)} />
  )
  return (
    <Section title={words.note} actions={edit}>
      {member.note ? (
        <p className="whitespace-pre-wrap break-words">{member.note}</p>
      ) : (
        <p className="text-muted text-sm">{words.noNote}</p>
      )}
      <EditMember member={member} open={editing} onClose={() => setEditing(false)} />
    </Section>
  )
}
