// The parts of a menu: its popup, its actions and its choices; loaded when a menu is first opened.

import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect } from 'react'
import type { Pressed } from './late.tsx'
import styles from './menu.module.css'

export type MenuProps = {
  trigger: ReactElement<Partial<Pressed<'menu'>>>
  children: ReactNode
  align?: 'start' | 'end'
}

export function OpenMenu({
  trigger,
  children,
  align = 'start',
  isOpenAtFirst,
}: MenuProps & { isOpenAtFirst: boolean }) {
  return (
    <Base.Root modal={false} defaultOpen={isOpenAtFirst}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className={styles.place}>
          <Base.Popup className={styles.popup}>
            <ShownGuards />
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/**
 * Base UI's guards around an open menu take the focus and hand it on, and yet are hidden from assistive technology, where whoever comes
 * to one would be nowhere for a moment: they are as hidden as they are seen, by having nothing in them.
 */
function ShownGuards() {
  useEffect(() => {
    const show = () => {
      for (const guard of document.querySelectorAll('[data-base-ui-focus-guard]')) guard.removeAttribute('aria-hidden')
    }
    show()
    // those outside of the menu are made after it
    const later = requestAnimationFrame(show)
    return () => cancelAnimationFrame(later)
  }, [])
  return null
}

export type MenuItemProps = {
  onSelect?: () => void
  render?: ReactElement
  /** Why the action is not possible now, shown in the item itself. */
  disabledReason?: string | undefined
  children: ReactNode
}

export function MenuItem({ onSelect, render, disabledReason, children }: MenuItemProps) {
  return (
    <Base.Item className={styles.item} disabled={disabledReason !== undefined} onClick={onSelect} render={render}>
      {children}
      {disabledReason !== undefined && <span className={styles.reason}>{disabledReason}</span>}
    </Base.Item>
  )
}

export type MenuChoiceProps = { isChosen: boolean; onChange: (isChosen: boolean) => void; children: ReactNode }

/** The menu stays open, so that several options can be chosen. */
export function MenuChoice({ isChosen, onChange, children }: MenuChoiceProps) {
  return (
    <Base.CheckboxItem className={styles.item} checked={isChosen} onCheckedChange={onChange} closeOnClick={false}>
      <span className={styles.box} data-chosen={isChosen || undefined}>
        {isChosen && <Check size={12} aria-hidden />}
      </span>
      {children}
    </Base.CheckboxItem>
  )
}

export type MenuOneOfProps<T extends string> = {
  /** Null while none is chosen. */
  value: T | null
  onChange: (value: T) => void
  options: readonly { value: T; label: ReactNode }[]
}

export function MenuOneOf<T extends string>({ value, onChange, options }: MenuOneOfProps<T>) {
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

export type MenuGroupProps = { label: string; children: ReactNode }

export const MenuGroup = ({ label, children }: MenuGroupProps) => (
  <Base.Group>
    <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>
    {children}
  </Base.Group>
)
