// Keys that a page listens for; never while somebody types, and never under an open dialog or menu.

import { useEffect, useRef } from 'react'

export type Keys = Record<string, (event: KeyboardEvent) => void>

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null

const isCovered = (): boolean =>
  document.querySelector('[role=dialog][data-modal], [role=alertdialog], [role=menu]') !== null

/** `keys` by the name of the key as the browser tells it, such as `j`, `?` or `Escape`. */
export function useKeys(keys: Keys, isOn = true): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    if (!isOn) return
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isCovered()) return
      const act = latest.current[event.key]
      if (!act) return
      event.preventDefault()
      act(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [isOn])
}
