type ProgressProps = {
  /** What is in progress, for screen readers. */
  readonly label: string
  readonly done: number
  readonly all: number
  readonly children: string
}

/** Progress as a bar and as text. */
export function Progress({ label, done, all, children }: ProgressProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label={label}
        value={done}
        max={Math.max(1, all)}
        className="h-2 w-full overflow-hidden rounded-full bg-sunken accent-accent-fill"
      />
      <p role="status" className="figures text-muted text-sm">
        {children}
      </p>
    </div>
  )
}
