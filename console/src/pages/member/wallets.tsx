import type { ProfileData } from '@exchequer/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { Badge, Code, nameOf } from '../../ui/bits.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Problem, Refusal } from '../../ui/states.tsx'
import { useSuccessToast } from '../../ui/toast.tsx'
import { pendingMs, useWalletLink, WalletLink } from './walletLink.tsx'

type Wallet = { readonly address: string; readonly chain: string; readonly verified: boolean }
type Of = { readonly member: ProfileData }

const walletsKey = (realm: string, member: string) => [...realmKey(realm), 'member', member, 'wallets']

export function Wallets({ member }: Of) {
  const { member: words } = useWords()
  const { id: realm, client, can } = useRealm()
  const [linking, setLinking] = useState(false)
  const [unlinking, setUnlinking] = useState<Wallet>()
  const pending = useWalletLink(member)
  const { data, error, refetch } = useQuery({
    queryKey: walletsKey(realm, member.id),
    queryFn: () => client.member(member.id).web3(),
    refetchInterval: pending.isValid ? pendingMs : false,
  })
  const verified = data?.wallets.filter((wallet) => wallet.verified).map(({ address }) => address)
  const add = can('wallets:write') && !linking && (
    <IconButton icon="plus" label={words.linkWallet} onClick={() => setLinking(true)} />
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
                onClick={() => setUnlinking(wallet)}
                className="size-7"
              />
            )}
          </li>
        ))}
      </ul>
      {error && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.wallets.length === 0 && !linking && <p className="text-muted text-sm">{words.noWallets}</p>}
      {linking && <LinkForm member={member} onDone={() => setLinking(false)} />}
      {can('wallets:write') && <WalletLink member={member} verified={verified} {...pending} />}
      {unlinking && <Unlink member={member} wallet={unlinking} onClose={() => setUnlinking(undefined)} />}
    </Section>
  )
}

function LinkForm({ member, onDone }: Of & { readonly onDone: () => void }) {
  const { member: words } = useWords()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const [address, setAddress] = useState('')
  const link = useMutation({
    mutationFn: () => client.member(member.id).link({ address: address.trim() }),
    onSuccess: async () => {
      onDone()
      await queries.invalidateQueries({ queryKey: walletsKey(realm, member.id) })
    },
  })
  return (
    <>
      <form
        className="mt-2 flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          link.mutate()
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
      <Refusal error={link.error} />
    </>
  )
}

type UnlinkProps = Of & { readonly wallet: Wallet; readonly onClose: () => void }

/** Asks first: the owner of a verified wallet would have to verify it again. */
function Unlink({ member, wallet, onClose }: UnlinkProps) {
  const { member: words } = useWords()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const unlink = useMutation({
    mutationFn: () => client.member(member.id).unlink(wallet.address),
    onSuccess: () => {
      showSuccess(words.unlinked)
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: walletsKey(realm, member.id) }),
  })
  return (
    <Ask
      open
      danger
      title={words.unlinkTitle}
      label={words.unlink}
      busy={unlink.isPending}
      error={unlink.error}
      onConfirm={() => unlink.mutate()}
      onClose={onClose}
    >
      <Code>{wallet.address}</Code>
      <p>{wallet.verified ? words.unlinkProved(nameOf(member)) : words.unlinkUnproved(nameOf(member))}</p>
    </Ask>
  )
}
