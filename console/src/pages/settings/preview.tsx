import { useFormat, useWords } from '../../preferences.tsx'
import { useKinds, useRealm } from '../../realm.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { accentOf, type NamedColour } from './shape.ts'

type PreviewProps = { readonly logo: string; readonly colours: readonly NamedColour[] }

const ranked = [
  ['Ada', 1240],
  ['Grace', 980],
  ['Edsger', 815],
  ['Barbara', 790],
] as const
/** How many rows are highlighted, as on the page. */
const marked = 3
const tabs = ['All time', 'This week', 'This month']

/** A preview of the public page with made-up names. In English, as server/src/http/public/boardPage.ts. */
export function Preview({ logo, colours }: PreviewProps) {
  const { settings: words } = useWords()
  const { data } = useRealm()
  const accent = accentOf(colours)
  return (
    <figure className="flex flex-col gap-2 self-start">
      <figcaption className="font-medium text-sm">{words.preview}</figcaption>
      <div lang="en" className="overflow-hidden rounded-lg border border-line bg-page p-4">
        <div className="mb-3 flex items-center gap-3">
          {logo && (
            <img src={logo} alt="" referrerPolicy="no-referrer" className="size-10 rounded-lg object-cover" />
          )}
          <div className="min-w-0">
            <p className="truncate font-semibold text-lg leading-tight">{data.name}</p>
            <p className="text-muted text-sm">Leaderboard, {ranked.length} members</p>
          </div>
        </div>
        <div className="mb-3 flex gap-1 border-line border-b text-sm">
          {tabs.map((tab, at) => (
            <span
              key={tab}
              className={`border-b-[3px] px-2 py-1 ${at === 0 ? 'font-semibold' : 'border-transparent text-muted'}`}
              style={at === 0 ? { borderColor: accent } : {}}
            >
              {tab}
            </span>
          ))}
        </div>
        <Ranking accent={accent} />
      </div>
    </figure>
  )
}

function Ranking({ accent }: { readonly accent: string }) {
  const format = useFormat()
  const [kind] = useKinds()
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex gap-3 px-3 py-2 text-muted text-xs">
        <span className="w-8">Rank</span>
        <span className="flex-1">Name</span>
        <span>{kind && kindName(kind)}</span>
      </div>
      {ranked.map(([name, score], at) => (
        <div
          key={name}
          className={`flex gap-3 border-line border-t px-3 py-2 ${at < marked ? 'font-semibold' : ''}`}
          style={at < marked ? { boxShadow: `inset 4px 0 ${accent}` } : {}}
        >
          <span className={`figures w-8 ${at < marked ? '' : 'text-muted'}`}>{at + 1}</span>
          <span className="flex-1">{name}</span>
          <span className="figures">{format.number(score)}</span>
        </div>
      ))}
    </div>
  )
}
