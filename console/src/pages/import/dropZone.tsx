import { type DragEvent, useRef, useState } from 'react'
import { useWords } from '../../preferences.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/states.tsx'
import type { FileFault } from './sheet.ts'

type DropProps = {
  readonly fault: FileFault | undefined
  readonly busy: boolean
  readonly onFile: (file: File) => void
}

/** A drop zone, with a button as an alternative to dragging. */
export function DropZone({ fault, busy, onFile }: DropProps) {
  const { imports: words } = useWords()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isOver)
  }
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
  const drop = (event: DragEvent) => {
    drag(false)(event)
    take(event.dataTransfer.files)
  }
  return (
    <div className="flex flex-col gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard */}
      <div
        data-drop=""
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={drop}
        className={`flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-6 py-14 text-center transition-colors ${over ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface'}`}
      >
        <span className="mb-1 flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent">
          <Icon name="import" className="size-5" />
        </span>
        <p className="font-semibold text-lg">{words.drop}</p>
        <p className="max-w-md text-muted text-sm">{words.dropHint}</p>
        <Button
          className="mt-2"
          look="primary"
          icon="file"
          busy={busy}
          onClick={() => input.current?.click()}
        >
          {words.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
          onChange={({ target }) => {
            take(target.files)
            // So that the same file can be chosen again after it was corrected.
            target.value = ''
          }}
        />
      </div>
      {fault && <Notice tone="bad">{words[fault]}</Notice>}
    </div>
  )
}
