// Keyboard shortcuts of a page; they do nothing while somebody types, or while a dialog or menu is open.

import { useEffect, useRef } from 'react'

type Keys = Record<string, (event: KeyboardEvent) => void>

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null

const isCovered = (): boolean =>
  document.querySelector('[role=dialog][data-modal], [role=alertdialog], [role=menu]') !== null

/** `keys` maps the browser's name of a key, such as `j`, `?` or `Escape`, to an action. */
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
