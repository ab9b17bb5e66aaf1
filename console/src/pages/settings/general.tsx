import { useMemo, useState } from 'react'
import { useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Radios } from '../../ui/radios.tsx'
import { SaveForm } from './save.tsx'

export function General() {
  const { settings: words } = useWords()
  const { data, can } = useRealm()
  const [name, setName] = useState(data.name)
  const [timeZone, setTimeZone] = useState(data.timeZone)
  const [unknownMembers, setUnknown] = useState(data.unknownMembers)
  const [asked, setAsked] = useState(false)
  const zones = useZones(data.timeZone)
  const isNamed = name.trim() !== ''
  const mayChange = can('realm:admin')
  return (
    <Section title={words.general}>
      <SaveForm
        values={{ name: name.trim(), timeZone, unknownMembers }}
        isRight={isNamed}
        onAsked={() => setAsked(true)}
      >
        <div className="grid gap-5 md:grid-cols-2">
          <TextField
            label={words.name}
            maxLength={100}
            value={name}
            disabled={!mayChange}
            error={asked && !isNamed ? words.nameMissing : undefined}
            onChange={({ target }) => setName(target.value)}
          />
          <SelectField
            label={words.timeZone}
            hint={words.timeZoneHint}
            value={timeZone}
            disabled={!mayChange}
            choices={zones}
            onChange={({ target }) => setTimeZone(target.value)}
          />
        </div>
        <Radios
          label={words.unknown}
          value={unknownMembers}
          disabled={!mayChange}
          choices={(['refuse', 'create'] as const).map((value) => ({
            value,
            label: words.unknownChoices[value].name,
            hint: words.unknownChoices[value].hint,
          }))}
          onChoose={setUnknown}
        />
      </SaveForm>
    </Section>
  )
}

/** Every time zone this browser knows, plus the realm's own. */
function useZones(own: string): readonly { readonly value: string; readonly label: string }[] {
  return useMemo(() => {
    const all = new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])
    return [...all].sort().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
  }, [own])
}
