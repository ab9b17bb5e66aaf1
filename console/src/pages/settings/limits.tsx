import type { RateLimit } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { useSession } from '../../signedIn.ts'
import { AskButtons } from '../../ui/ask.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Fact, Section } from '../../ui/page.tsx'
import { Radios } from '../../ui/radios.tsx'
import { Refusal } from '../../ui/states.tsx'

const kindsCap = 200
const rateCap = 1_000_000

/** The realm's limits. Operators can change the request limit here. */
export function Limits() {
  const { settings: words } = useWords()
  const format = useFormat()
  const { operator } = useSession()
  const { data } = useRealm()
  const [changing, setChanging] = useState(false)
  const kinds = words.kindsMost(format.number(data.points.length), format.number(kindsCap))
  return (
    <Section title={words.limits} intro={words.limitsIntro}>
      <dl>
        <Fact name={words.requests}>
          <RateText limit={data.rateLimit} />
        </Fact>
        <Fact name={words.kinds}>{kinds}</Fact>
        <Fact name={words.pointsMost}>{words.upTo(format.number(Number.MAX_SAFE_INTEGER))}</Fact>
      </dl>
      {operator && (
        <Button small className="mt-2" onClick={() => setChanging(true)}>
          {words.changeLimit}
        </Button>
      )}
      <Dialog
        open={changing}
        title={words.changeLimit}
        intro={words.limitHint}
        onClose={() => setChanging(false)}
      >
        <LimitForm onClose={() => setChanging(false)} />
      </Dialog>
    </Section>
  )
}

function RateText({ limit }: { readonly limit: RateLimit }) {
  const { settings: words } = useWords()
  const format = useFormat()
  if (limit === 'default') return words.asDefault
  if (limit === 'off') return words.off
  return words.rate(format.number(limit.rate), format.number(limit.burst))
}

const isRate = (text: string): boolean => /^[1-9][0-9]{0,6}$/.test(text) && Number(text) <= rateCap

function LimitForm({ onClose }: { readonly onClose: () => void }) {
  const { settings: words, shell } = useWords()
  const { session } = useApp()
  const { id, data } = useRealm()
  const now = data.rateLimit
  const own = typeof now === 'object' ? now : { rate: 2_000, burst: 20_000 }
  const [kind, setKind] = useState<'default' | 'off' | 'own'>(typeof now === 'object' ? 'own' : now)
  const [rate, setRate] = useState(String(own.rate))
  const [burst, setBurst] = useState(String(own.burst))
  const change = useAct((rateLimit: RateLimit) => session.operator().realm(id).change({ rateLimit }), {
    key: realmKey(id),
    done: shell.saved,
    onDone: onClose,
  })
  const submit = () => {
    if (kind !== 'own') change.mutate(kind)
    else if (isRate(rate) && isRate(burst)) change.mutate({ rate: Number(rate), burst: Number(burst) })
  }
  const field = (label: string, text: string, set: (text: string) => void) => (
    <TextField
      label={label}
      inputMode="numeric"
      value={text}
      error={isRate(text) ? undefined : words.limitWrong}
      onChange={({ target }) => set(target.value.trim())}
    />
  )
  return (
    <DialogForm
      onSubmit={submit}
      footer={<AskButtons label={shell.save} busy={change.isPending} onClose={onClose} />}
    >
      <Radios
        label={words.limitKind}
        value={kind}
        choices={(['default', 'off', 'own'] as const).map((value) => ({
          value,
          label: words.limitKinds[value],
        }))}
        onChoose={setKind}
      />
      {kind === 'own' && field(words.rateField, rate, setRate)}
      {kind === 'own' && field(words.burstField, burst, setBurst)}
      <Refusal error={change.error} />
    </DialogForm>
  )
}
