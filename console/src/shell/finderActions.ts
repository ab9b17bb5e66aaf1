import type { ListedMember } from '@exchequer/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useApp } from '../app.tsx'
import { hasWords } from '../fold.ts'
import { languages, usePreferences } from '../preferences.tsx'
import { realmKey, type Scope } from '../realm.tsx'
import { nameOf } from '../ui/bits.tsx'
import type { IconName } from '../ui/icons.tsx'
import { useFailed } from '../ui/toast.tsx'
import type { Words } from '../words/en.ts'
import { type MemberVerb, type Verb, verbs } from './verbs.ts'

/** What the finder can do with an item: open a page, do something, or go on typing. */
export type Action = {
  readonly label: string
  readonly icon: IconName
  /** More words by which it is found. */
  readonly also: string
  readonly target?: object
  readonly run?: () => void
  readonly type?: string
}

const icons: Readonly<Record<Verb, IconName>> = {
  award: 'plus',
  take: 'minus',
  transfer: 'transfer',
  hold: 'lock',
  freeze: 'snow',
  undo: 'undo',
}
const needed = (verb: Verb): Scope => (verb === 'freeze' ? 'members:write' : 'points:write')

type Named = Pick<ListedMember, 'id' | 'username' | 'displayName' | 'frozen'>

/** Opens a member's page with a dialog. */
export function actOn(verb: MemberVerb, { realm, member }: { realm: string; member: Named }, words: Words) {
  const { acts } = words.finder
  const isDone = verb === 'freeze' && member.frozen
  return {
    label: acts[isDone ? 'unfreeze' : verb](nameOf(member)),
    icon: icons[verb],
    also: words.finder.verbs[verb],
    target: {
      to: '/r/$realm/members/$member',
      params: { realm, member: member.id },
      search: { act: isDone ? 'unfreeze' : verb },
    },
  }
}

type Here = { readonly realm: string | undefined; readonly may: (scope: Scope) => boolean }

/** The actions that a text finds, of those this person may do here. */
export function useActions(text: string, { realm, may }: Here): readonly Action[] {
  const { words } = usePreferences()
  const general = useGeneral()
  const member = useMemberHere(realm)
  return useMemo(() => {
    const inRealm = realm === undefined ? [] : ofRealm(realm, { words, may, member })
    const all = [...inRealm, ...general]
    if (text.trim() === '') return member ? all.slice(0, 3) : []
    return all.filter(({ label, also }) => hasWords(`${label} ${also}`, text.trim()))
  }, [text, realm, may, member, general, words])
}

/** The member whose page is open. */
function useMemberHere(realm: string | undefined): Named | undefined {
  const { member } = useParams({ strict: false })
  const queries = useQueryClient()
  if (realm === undefined || member === undefined) return undefined
  return queries.getQueryData<Named>([...realmKey(realm), 'member', member])
}

type OfRealm = Pick<Here, 'may'> & { readonly words: Words; readonly member: Named | undefined }

function ofRealm(realm: string, { words, may, member }: OfRealm): Action[] {
  const { finder } = words
  const firstOf = (verb: Verb) => `${finder.verbs[verb].split(' ')[0]} `
  const open = (to: string, search: object) => ({ to, params: { realm }, search })
  const changes = verbs
    .filter((verb) => may(needed(verb)))
    .map((verb): Action => {
      const also = finder.verbs[verb]
      if (verb === 'undo') return { label: finder.undoAny, icon: 'undo', also, type: firstOf(verb) }
      if (member) return actOn(verb, { realm, member }, words)
      return { label: finder.acts[verb](finder.aMember), icon: icons[verb], also, type: firstOf(verb) }
    })
  const others: readonly (Action & { scope: Scope })[] = [
    {
      label: finder.invite,
      icon: 'people',
      also: finder.inviteAlso,
      scope: 'realm:admin',
      target: open('/r/$realm/people', { act: 'invite' }),
    },
    {
      label: finder.addMember,
      icon: 'members',
      also: finder.addMemberAlso,
      scope: 'members:write',
      target: open('/r/$realm/members', { act: 'add' }),
    },
    {
      label: finder.verify,
      icon: 'shield',
      also: finder.verifyAlso,
      scope: 'journal:read',
      target: open('/r/$realm/journal', { act: 'verify' }),
    },
  ]
  return [...changes, ...others.filter(({ scope }) => may(scope))]
}

/** Theme, language and sign-out. */
function useGeneral(): readonly Action[] {
  const { session } = useApp()
  const { words, setTheme, setLanguage } = usePreferences()
  const failed = useFailed()
  return useMemo(() => {
    const { finder, shell } = words
    const themes = (['light', 'dark', 'system'] as const).map(
      (theme): Action => ({
        label: `${shell.theme}: ${shell.themes[theme]}`,
        icon: 'sun',
        also: theme,
        run: () => setTheme(theme),
      }),
    )
    const tongues = (['en', 'de'] as const).map(
      (language): Action => ({
        label: `${shell.language}: ${languages[language]}`,
        icon: 'settings',
        also: language,
        run: () => setLanguage(language),
      }),
    )
    const signOut = () => void session.signOut().catch((error) => failed(error, shell.signOutFailed))
    const out: Action = { label: shell.signOut, icon: 'out', also: finder.signOutAlso, run: signOut }
    return [...themes, ...tongues, out]
  }, [words, session, setTheme, setLanguage, failed])
}
