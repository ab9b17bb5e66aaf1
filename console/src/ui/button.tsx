import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icons.tsx'

export type Look = 'primary' | 'secondary' | 'ghost' | 'danger'

const looks: Readonly<Record<Look, string>> = {
  primary: 'bg-accent-fill text-on-accent hover:bg-accent-fill-strong border-transparent shadow-card',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-sunken shadow-card',
  ghost: 'bg-transparent text-muted border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-bad-fill text-on-accent border-transparent hover:brightness-90 shadow-card',
}

/** Button styles, also for links that look like buttons. */
export const buttonClass = (look: Look = 'secondary', small = false): string =>
  `inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors
  disabled:opacity-55 disabled:pointer-events-none aria-disabled:cursor-not-allowed aria-disabled:opacity-55 ${small ? 'h-8 px-2.5 text-sm' : 'h-9 px-3.5 text-base'} ${looks[look]}`

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: Look
  readonly small?: boolean
  readonly icon?: IconName
  /** In progress: disabled, and announced as busy. */
  readonly busy?: boolean
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({ look, small, icon, busy, children, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(rest['aria-disabled'] ? { onClick: undefined } : {})}
      disabled={busy || rest.disabled}
      aria-busy={busy}
      className={`${buttonClass(look, small)} ${className}`}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that can't be pressed now, and can be reached to learn why: from the element with the id. */
export const stoppedBy = (id: string, why: string) => ({
  'aria-disabled': true,
  'aria-describedby': id,
  title: why,
})

type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'look' | 'small'> & {
  readonly icon: IconName
  readonly label: string
}

export function IconButton({ icon, label, busy, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      disabled={busy || rest.disabled}
      className={`inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink disabled:opacity-55 ${className}`}
    >
      {busy ? <Spinner /> : <Icon name={icon} />}
    </button>
  )
}

export function Spinner({ className = 'size-4' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`animate-spin ${className}`} fill="none">
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="3" opacity=".25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
