// A menu behind a button: things to do, or things to choose of which several may be on.

import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import styles from './menu.module.css'

type Props = { trigger: ReactElement; children: ReactNode; align?: 'start' | 'end' }

export function Menu({ trigger, children, align = 'start' }: Props) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className={styles.place}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type Item = {
  onSelect?: () => void
  render?: ReactElement
  /** Why it cannot be done now, said in the item itself. */
  disabledReason?: string | undefined
  children: ReactNode
}

export function MenuItem({ onSelect, render, disabledReason, children }: Item) {
  return (
    <Base.Item className={styles.item} disabled={disabledReason !== undefined} onClick={onSelect} render={render}>
      {children}
      {disabledReason !== undefined && <span className={styles.reason}>{disabledReason}</span>}
    </Base.Item>
  )
}

type Choice = { isChosen: boolean; onChange: (isChosen: boolean) => void; children: ReactNode }

/** Stays open, so that several can be chosen. */
export function MenuChoice({ isChosen, onChange, children }: Choice) {
  return (
    <Base.CheckboxItem className={styles.item} checked={isChosen} onCheckedChange={onChange} closeOnClick={false}>
      <span className={styles.box} data-chosen={isChosen || undefined}>
        {isChosen && <Check size={12} aria-hidden />}
      </span>
      {children}
    </Base.CheckboxItem>
  )
}

type One<T extends string> = {
  /** Null while none is chosen. */
  value: T | null
  onChange: (value: T) => void
  options: readonly { value: T; label: ReactNode }[]
}

export function MenuOneOf<T extends string>({ value, onChange, options }: One<T>) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={styles.item} closeOnClick>
          <span className={styles.mark}>{option.value === value && <Check size={14} aria-hidden />}</span>
          {option.label}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export const MenuLine = () => <Base.Separator className={styles.line} />

export const MenuGroup = ({ label, children }: { label: string; children: ReactNode }) => (
  <Base.Group>
    <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>
    {children}
  </Base.Group>
)
