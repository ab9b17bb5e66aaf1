import type { ProfileData } from '@exchequer/sdk'
import { WalletLinks } from '@exchequer/sdk/wallets'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDraft } from '../../drafts.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Secret } from '../../ui/secret.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'

/** A link that was created in this tab, and the wallets that were verified before. */
type PendingLink = { readonly expiresAt: string; readonly verified: readonly string[] }

/** How often the wallets are read while a link is pending: no event reports that it was used. */
export const pendingMs = 5_000

const none: PendingLink | undefined = undefined

/** The last link that was created for a member, until it was used. It outlives the page, not the tab. */
export function useWalletLink(member: Pick<ProfileData, 'id'>) {
  const { id: realm } = useRealm()
  const [link, setLink] = useDraft<PendingLink | undefined>(`${realm} wallet link ${member.id}`, none)
  return { link, setLink, isValid: useIsValid(link?.expiresAt) }
}

function useIsValid(expiresAt: string | undefined): boolean {
  const isNow = () => expiresAt !== undefined && Date.parse(expiresAt) > Date.now()
  const [isValid, setValid] = useState(isNow)
  useEffect(() => {
    const leftMs = expiresAt === undefined ? 0 : Date.parse(expiresAt) - Date.now()
    setValid(leftMs > 0)
    if (leftMs <= 0) return
    const timer = setTimeout(() => setValid(false), leftMs)
    return () => clearTimeout(timer)
  }, [expiresAt])
  return isValid
}

type WalletLinkProps = ReturnType<typeof useWalletLink> & {
  readonly member: ProfileData
  /** Addresses, once they are loaded. */
  readonly verified: readonly string[] | undefined
}

/** Creates a link to the page where the member signs, and shows what became of it. */
export function WalletLink({ member, verified, link, setLink, isValid }: WalletLinkProps) {
  const { walletLink: words } = useWords()
  const format = useFormat()
  const { client } = useRealm()
  const failed = useFailed()
  const showSuccess = useSuccessToast()
  const [url, setUrl] = useState<string>()
  const create = useMutation({
    mutationFn: () => new WalletLinks(client).create(member.id),
    onSuccess: (made) => {
      setUrl(made.url)
      setLink({ expiresAt: made.expiresAt, verified: verified ?? [] })
    },
    onError: (error) => failed(error),
  })
  const isUsed = link !== undefined && verified?.some((address) => !link.verified.includes(address)) === true
  const name = nameOf(member)
  useEffect(() => {
    if (!isUsed) return
    showSuccess(words.used(name))
    setUrl(undefined)
    setLink(undefined)
  }, [isUsed, showSuccess, words, name, setLink])
  const until = link ? format.hour(link.expiresAt) : ''
  return (
    <div className="mt-3 flex flex-col items-start gap-2">
      {link && (
        <p role="status" className="flex gap-2 text-muted text-sm">
          <Icon name="clock" className="mt-0.5 size-4" />
          {isValid ? words.pending(until) : words.expired(until)}
        </p>
      )}
      <Button
        small
        icon="link"
        busy={create.isPending}
        disabled={verified === undefined}
        onClick={() => create.mutate()}
      >
        {link ? words.again : words.create}
      </Button>
      <Secret
        title={words.title(name)}
        text={url}
        label={words.label}
        warning={words.warning(name, until)}
        onClose={() => setUrl(undefined)}
      />
    </div>
  )
}
