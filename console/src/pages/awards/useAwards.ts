import type { BatchResult } from '@exchequer/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { renew, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { useStopper } from '../../stopper.ts'
import { useFailed } from '../../ui/toast.tsx'
import { wholeOf } from '../member/whole.ts'
import { linesCap, parseList } from './parse.ts'
import { type ResolvedLine, resolveAll } from './resolve.ts'

/** A checked list: its lines, and the result of the server's dry run. */
export type CheckResult = {
  readonly lines: readonly ResolvedLine[]
  readonly faults: number
  readonly would?: BatchResult
  readonly point: string
}
export type AwardRequest = {
  readonly text: string
  /** For lines without any. */
  readonly points: string
  readonly reason: string
  readonly point: string
}

export class ListFault extends Error {
  readonly what: 'none' | 'tooMany'
  constructor(what: 'none' | 'tooMany') {
    super(what)
    this.what = what
  }
}

/** Finds the members, runs a dry run on the server, then applies the list. */
export function useAwards() {
  const { queries, unsettled } = useApp()
  const { id, client, data } = useRealm()
  const [progress, setProgress] = useState({ done: 0, all: 0 })
  const { begin } = useStopper()
  const { awards: words } = useWords()
  const isShown = useShown()
  const failed = useFailed()
  const open = data.unknownMembers === 'create'
  const check = useMutation({
    mutationFn: async ({ text, points, reason, point }: AwardRequest): Promise<CheckResult> => {
      const signal = begin()
      const parsed = parseList(text, { points: wholeOf(points), reason: reason.trim() })
      if (parsed.length === 0) throw new ListFault('none')
      if (parsed.length > linesCap) throw new ListFault('tooMany')
      const tell = (done: number, all: number) => setProgress({ done, all })
      const lines = await resolveAll(parsed, { client, open, signal, tell })
      const faults = lines.filter(({ fault }) => fault).length
      const checked = { lines, faults, point }
      if (faults > 0) return checked
      return { ...checked, would: await client.batch(entriesOf(checked), { dryRun: true }) }
    },
  })
  const award = useMutation({
    mutationFn: (checked: CheckResult) => {
      const entries = entriesOf(checked)
      const send = (idempotencyKey: string) => client.batch(entries, { idempotencyKey })
      return unsettled.send(JSON.stringify([id, entries]), send)
    },
    onSuccess: () => renew(queries, id),
    onError: (error) => isShown() || failed(error, words.title),
  })
  const reset = () => {
    check.reset()
    award.reset()
  }
  return { check, award, progress, reset }
}

const entriesOf = ({ lines, point }: Pick<CheckResult, 'lines' | 'point'>) =>
  lines.map(({ member, tokens, reason }) => ({
    member: member?.id ?? '',
    tokens,
    realmPointId: point,
    ...(reason === '' ? {} : { reason }),
  }))
