import type { IssuedByPerson, TokenData } from '@exchequer/sdk'
import { useMemo } from 'react'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { AskRevoke, RevocableTable, RevokeAll, useRevoking } from '../people/revoking.tsx'

/** A removed operator, and the keys and tokens they issued that still work. */
export type Left = { readonly name: string; readonly issued: IssuedByPerson }
export type OnLeft = (left: Left) => void

export const isAnyLeft = ({ keys, tokens }: IssuedByPerson): boolean => keys.length + tokens.length > 0

type LeftProps = { readonly left: Left | undefined; readonly onClose: () => void }

export function LeftBehind({ left, onClose }: LeftProps) {
  const { operators: words } = useWords()
  const revoking = useRevoking(useRevocable(left), ['operators'])
  const footer = (
    <>
      <RevokeAll revoking={revoking} />
      <Button look="primary" type="submit">
        {words.done}
      </Button>
    </>
  )
  return (
    <Dialog
      wide
      firm
      open={left !== undefined && revoking.left.length > 0}
      title={words.left(left?.name ?? '')}
      intro={words.leftIntro}
      onClose={onClose}
    >
      <DialogForm onSubmit={onClose} footer={footer}>
        <RevocableTable revoking={revoking} label={words.left(left?.name ?? '')} about={words.kind} />
      </DialogForm>
      <AskRevoke revoking={revoking} />
    </Dialog>
  )
}

function useRevocable(left: Left | undefined) {
  const { operators: words } = useWords()
  const { session } = useApp()
  return useMemo(() => {
    const { keys: issuedKeys = [], tokens: issuedTokens = [] } = left?.issued ?? {}
    const shown = ({ id, name, prefix, lastFour, lastUsedAt }: TokenData) => ({
      name: name || id,
      text: `${prefix}…${lastFour}`,
      lastUsedAt,
    })
    const tokens = issuedTokens.map((token) => ({
      ...shown(token),
      id: `token ${token.id}`,
      about: words.token,
      revoke: () => session.operator().tokens.revoke(token.id),
    }))
    const keys = issuedKeys.map((key) => ({
      ...shown(key),
      id: `${key.realmId} ${key.id}`,
      about: words.keyOf(key.realmId),
      revoke: () => session.operator().realm(key.realmId).keys.revoke(key.id),
    }))
    return [...tokens, ...keys]
  }, [left, session, words])
}
