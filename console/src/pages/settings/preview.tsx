import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { accentOf, inkOn, type Named } from './shape.ts'

type PreviewProps = { readonly logo: string; readonly colours: readonly Named[] }

const ranked = [
  ['Ada', 1240],
  ['Grace', 980],
  ['Edsger', 815],
] as const

/** The public page in small, with names that are nobody's. */
export function Preview({ logo, colours }: PreviewProps) {
  const { settings: words } = useWords()
  const format = useFormat()
  const { data } = useRealm()
  const accent = accentOf(colours)
  const ground = { backgroundColor: accent, color: inkOn(accent) }
  return (
    <figure className="flex flex-col gap-2 self-start">
      <figcaption className="font-medium text-sm">{words.preview}</figcaption>
      <div className="overflow-hidden rounded-lg border border-line bg-page">
        <div className="h-1.5" style={{ backgroundColor: accent }} />
        <div className="flex items-center gap-2.5 px-4 py-3">
          {logo && (
            <img src={logo} alt="" referrerPolicy="no-referrer" className="size-8 rounded object-contain" />
          )}
          <span className="min-w-0 truncate font-semibold">{data.name}</span>
        </div>
        <ol className="mx-3 mb-3 rounded-md border border-line bg-surface">
          {ranked.map(([name, score], at) => (
            <li key={name} className="flex items-center gap-3 border-line border-b px-3 py-2 last:border-0">
              <span
                className="figures flex size-6 items-center justify-center rounded-full font-medium text-xs"
                style={at === 0 ? ground : {}}
              >
                {at + 1}
              </span>
              <span className="flex-1">{name}</span>
              <span className="figures">{format.number(score)}</span>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  )
}
