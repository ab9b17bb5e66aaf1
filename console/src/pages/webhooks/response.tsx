import { useWords } from '../../preferences.tsx'

/** The beginning of what the receiver answered. It is another program's text: shown as text only. */
export function Response({ text }: { readonly text: string | null }) {
  const { webhooks: words } = useWords()
  if (!text) return <p className="text-muted text-sm">{words.emptyAnswer}</p>
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium text-sm">{words.answerText}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label={words.answerText} tabIndex={0} className="max-h-60 overflow-y-auto rounded-md">
        <pre className="whitespace-pre-wrap break-all bg-sunken px-3 py-2.5 font-mono text-[0.8125em]">
          {text}
        </pre>
      </section>
    </div>
  )
}
