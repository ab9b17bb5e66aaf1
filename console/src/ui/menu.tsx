import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

const popup =
  'z-50 min-w-48 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised p-1 shadow-float outline-none origin-(--transform-origin) transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0'
const item =
  'flex w-full cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-base outline-none data-disabled:cursor-not-allowed data-disabled:text-faint data-highlighted:bg-sunken'

type MenuProps = {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly align?: 'start' | 'end'
  readonly side?: 'top' | 'bottom'
  readonly children: ReactNode
}

export function Menu({ trigger, align = 'end', side = 'bottom', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={6} className="z-50">
          <Base.Popup className={popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type ItemProps = {
  readonly icon?: IconName
  readonly disabled?: boolean
  readonly danger?: boolean
  readonly children: ReactNode
  /** A link instead of an action. */
  readonly render?: ReactElement<Record<string, unknown>>
  readonly onSelect?: () => void
}

export function MenuItem({ icon, disabled, danger, children, render, onSelect }: ItemProps) {
  return (
    <Base.Item
      {...(render ? { render } : {})}
      disabled={disabled ?? false}
      {...(onSelect ? { onClick: onSelect } : {})}
      className={`${item} ${danger ? 'text-bad' : ''}`}
    >
      {icon && <Icon name={icon} className={`size-4 ${danger ? '' : 'text-muted'}`} />}
      {children}
    </Base.Item>
  )
}

type ChoicesProps = {
  readonly label: string
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChoose: (value: string) => void
}

export function MenuChoices({ label, value, choices, onChoose }: ChoicesProps) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-2 pb-1 font-medium text-muted text-xs">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChoose}>
        {choices.map((one) => (
          <Base.RadioItem key={one.value} value={one.value} closeOnClick className={item}>
            <span className="size-4">
              <Base.RadioItemIndicator>
                <Icon name="check" className="size-4 text-accent" />
              </Base.RadioItemIndicator>
            </span>
            {one.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export const MenuLine = () => <Base.Separator className="my-1 h-px bg-line" />
