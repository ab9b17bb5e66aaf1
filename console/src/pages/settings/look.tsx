import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Check, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Colours } from './colours.tsx'
import { Preview } from './preview.tsx'
import { SaveForm } from './save.tsx'
import { areColours, coloursIn, isLogo, type NamedColour } from './shape.ts'

/** Whether the leaderboard is public, and its branding. */
export function Look() {
  const { settings: words } = useWords()
  const { place } = useApp()
  const { id, data, can } = useRealm()
  const [publicBoard, setPublic] = useState(data.publicBoard)
  const [logo, setLogo] = useState(data.logo ?? '')
  const [colours, setColours] = useState<readonly NamedColour[]>(Object.entries(data.colours ?? {}))
  const [asked, setAsked] = useState(false)
  const right = isLogo(logo) && areColours(colours)
  const mayChange = can('realm:admin')
  const open = data.publicBoard && (
    <a
      href={`${place.server}/boards/${id}`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass('secondary', true)}
    >
      {words.openBoard}
    </a>
  )
  return (
    <Section title={words.look} intro={words.lookIntro} actions={open || undefined}>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <SaveForm
          values={{ publicBoard, logo, colours: coloursIn(colours) }}
          isRight={right}
          onAsked={() => setAsked(true)}
        >
          <Check
            label={words.publicBoard}
            hint={words.publicBoardHint}
            checked={publicBoard}
            disabled={!mayChange}
            onChange={setPublic}
          />
          <TextField
            label={words.logo}
            hint={words.logoHint}
            optional
            type="url"
            value={logo}
            disabled={!mayChange}
            placeholder="https://"
            error={asked && !isLogo(logo) ? words.logoWrong : undefined}
            onChange={({ target }) => setLogo(target.value.trim())}
          />
          <Colours
            value={colours}
            disabled={!mayChange}
            isWrong={asked && !areColours(colours)}
            onChange={setColours}
          />
        </SaveForm>
        <Preview logo={isLogo(logo) ? logo : ''} colours={colours} />
      </div>
    </Section>
  )
}
