import { type ReactNode, useEffect } from 'react'
import { LiveSign } from '../live/live.tsx'
import { useWords } from '../preferences.tsx'
import { useHeadingFocus } from './headingFocus.ts'

type PageProps = {
  readonly title: string
  readonly intro?: ReactNode
  /** Next to the title: what is special about it. */
  readonly badges?: ReactNode
  /** Buttons on the right. */
  readonly actions?: ReactNode
  readonly above?: ReactNode
  /** Before the title. */
  readonly icon?: ReactNode
  /** Follows the journal. */
  readonly live?: boolean
  readonly children: ReactNode
}

/** A page: title, actions and content. */
export function Page({ title, intro, badges, actions, above, icon, live, children }: PageProps) {
  const { shell } = useWords()
  const heading = useHeadingFocus()
  useEffect(() => {
    document.title = `${title} · ${shell.product}`
  }, [title, shell.product])
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-col gap-3">
        {above}
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          {/* With badges it shares its line with the buttons also on a phone: the badges wrap. */}
          <div className={`flex min-w-0 items-center gap-3 ${badges === undefined ? '' : 'flex-1'}`}>
            {icon}
            <div className="min-w-0">
              <div className="flex flex-wrap items-baseline gap-x-3">
                <h1
                  ref={heading}
                  tabIndex={-1}
                  className="min-w-0 break-words font-semibold text-2xl tracking-tight outline-none"
                >
                  {title}
                </h1>
                {badges}
                {live && <LiveSign />}
              </div>
              {intro !== undefined && <p className="mt-1 max-w-2xl text-muted">{intro}</p>}
            </div>
          </div>
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      </header>
      {children}
    </div>
  )
}

type SectionProps = {
  readonly title?: ReactNode
  readonly intro?: ReactNode
  readonly actions?: ReactNode
  /** Without padding: for a table or a chart. */
  readonly bare?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a page, on a card of its own. */
export function Section({ title, intro, actions, bare, className = '', children }: SectionProps) {
  return (
    <section className={`card min-w-0 ${className}`}>
      {(title !== undefined || actions !== undefined) && (
        <header className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b px-5 py-2.5">
          <div className="min-w-0">
            <h2 className="font-semibold">{title}</h2>
            {intro !== undefined && <p className="text-muted text-sm">{intro}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      {bare ? children : <div className="px-5 py-4">{children}</div>}
    </section>
  )
}

type FactProps = { readonly name: ReactNode; readonly children: ReactNode }

/** One line of a list of facts. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-1.5">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="min-w-0 break-words text-right">{children}</dd>
    </div>
  )
}
