// The panel beside a list for the row that was opened from it; where the page is narrow it covers the list.

import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../ui/button.tsx'
import styles from './side-panel.module.css'

type Props = {
  label: string
  /** Closes the panel as long as its content has no close button of its own, as while it loads. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

export function SidePanel({ label, onClose, children }: Props) {
  const panel = useRef<HTMLElement>(null)
  useNothingBelow(panel)
  return (
    <aside ref={panel} className={styles.panel} aria-label={label} tabIndex={-1}>
      {onClose && (
        <div className={styles.corner}>
          <IconButton name="Close" size="small" onClick={onClose}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
      {children}
    </aside>
  )
}

/** The same as in its styles. */
const COVERING = '(max-width: 900px)'

/** Where it covers the page, the focus does not go to what nobody sees below it. */
function useNothingBelow(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const media = matchMedia(COVERING)
    const covered: HTMLElement[] = []
    const uncover = () => {
      for (const element of covered.splice(0)) element.inert = false
    }
    const look = () => {
      uncover()
      if (!media.matches || !panel.current) return
      for (const element of besides(panel.current)) {
        if (element.inert) continue
        element.inert = true
        covered.push(element)
      }
      // who opened it from a row is in it then, and not nowhere
      if (document.activeElement?.closest('[inert]')) panel.current.focus({ preventScroll: true })
    }
    look()
    media.addEventListener('change', look)
    return () => {
      media.removeEventListener('change', look)
      uncover()
    }
  }, [panel])
}

/** What is on the page beside an element, as far as its frame goes. */
function besides(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  const frame = element.closest('main')?.parentElement
  for (let at = element; at !== frame && at.parentElement; at = at.parentElement) {
    for (const other of at.parentElement.children) {
      if (other !== at && other instanceof HTMLElement) found.push(other)
    }
  }
  return found
}
