import { type MouseEvent, type ReactNode, useState } from 'react'
import { useFormat, useWords } from '../preferences.tsx'
import { avatarColour } from './avatarColour.ts'
import { Button, IconButton } from './button.tsx'

const tones = {
  plain: 'bg-sunken text-muted',
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  accent: 'bg-accent-soft text-accent',
} as const

type BadgeProps = { readonly tone?: keyof typeof tones; readonly children: ReactNode }

export function Badge({ tone = 'plain', children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs ${tones[tone]}`}
    >
      {children}
    </span>
  )
}

type Named = { readonly id: string; readonly username?: string | null; readonly displayName?: string | null }

/** A member's display name, else username, else ID. */
export const nameOf = ({ id, username, displayName }: Named): string => displayName || username || id

/** The first letters of the first two words of a name, or the first two of its only one. */
function initialsOf(name: string): string {
  const [first = '', second] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = second === undefined ? /^.{1,2}/u.exec(first) : /^./u.exec(first)
  return (letters?.[0] ?? '') + (/^./u.exec(second ?? '')?.[0] ?? '')
}

const sizes = {
  small: 'size-5 text-[0.5625rem]',
  medium: 'size-7 text-xs',
  large: 'size-12 text-lg',
} as const

type AvatarProps = { readonly member: Named; readonly size?: keyof typeof sizes }

/** Initials on a background colour that is stable per member. */
export function Avatar({ member, size = 'medium' }: AvatarProps) {
  const letters = initialsOf(nameOf(member))
  return (
    <span
      aria-hidden="true"
      className={`flex shrink-0 items-center justify-center rounded-full font-medium uppercase ${avatarColour(member.id)} ${sizes[size]}`}
    >
      {letters || '?'}
    </span>
  )
}

type AmountProps = { readonly value: number; readonly signed?: boolean }

/** Points in tabular figures. Gains are green, losses plain. */
export function Amount({ value, signed }: AmountProps) {
  const format = useFormat()
  if (!signed) return <span className="figures">{format.number(value)}</span>
  return (
    <span
      className={`figures font-medium ${value > 0 ? 'text-good' : value < 0 ? 'text-ink' : 'text-muted'}`}
    >
      {format.signed(value)}
    </span>
  )
}

type TimeProps = { readonly at: string | null | undefined; readonly relative?: boolean }

export function Time({ at, relative }: TimeProps) {
  const format = useFormat()
  if (!at) return <span className="text-muted">–</span>
  return (
    <time dateTime={at} title={format.exact(at)} className="whitespace-nowrap">
      {relative ? format.ago(at) : format.moment(at)}
    </time>
  )
}

/** Machine text: an ID, a hash, an address. */
export function Code({
  children,
  className = '',
}: {
  readonly children: ReactNode
  readonly className?: string
}) {
  return <code className={`break-all font-mono text-[0.8125em] ${className}`}>{children}</code>
}

/** Selects the text next to a button, so that it can be copied manually. */
function selectBeside(button: HTMLElement, text: string): void {
  for (let around = button.parentElement; around; around = around.parentElement) {
    const shown = [...around.querySelectorAll('code, pre')].find(({ textContent }) => textContent === text)
    if (!shown) continue
    getSelection()?.selectAllChildren(shown)
    return
  }
}

type CopyProps = { readonly text: string; readonly label?: string; readonly button?: boolean }

export function Copy({ text, label, button }: CopyProps) {
  const { shell } = useWords()
  const [outcome, setOutcome] = useState<'copied' | 'selected'>()
  const copy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      // Without https a page can't copy, and a browser may forbid it.
      selectBeside(currentTarget, text)
      setOutcome('selected')
    }
    setTimeout(() => setOutcome(undefined), 3000)
  }
  const name = outcome ? shell[outcome] : (label ?? shell.copy)
  const icon = outcome === 'copied' ? 'check' : 'copy'
  if (button)
    return (
      <Button icon={icon} onClick={(event) => void copy(event)}>
        {name}
      </Button>
    )
  return <IconButton icon={icon} label={name} onClick={(event) => void copy(event)} className="size-7" />
}

export function Key({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="rounded border border-line-strong bg-sunken px-1.5 py-px font-medium font-sans text-muted text-xs">
      {children}
    </kbd>
  )
}
