// Short notices of what just happened, shown in a corner and announced to screen readers until they expire.

import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { IconButton } from '../ui/button.tsx'
import styles from './toasts.module.css'

type Toast = { id: number; text: string }

const SHOWN_FOR = 6_000
const MOST = 4

let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const close = (id: number) => set(toasts.filter((toast) => toast.id !== id))

/** One short sentence. Errors belong next to the form or button that failed, not here. */
export function say(text: string): void {
  last += 1
  const id = last
  set([...toasts, { id, text }].slice(-MOST))
  setTimeout(() => close(id), SHOWN_FOR)
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <section className={styles.toasts} aria-label="Messages" aria-live="polite" aria-relevant="additions">
      {shown.map(({ id, text }) => (
        <div key={id} className={styles.toast}>
          <span className="words">{text}</span>
          <IconButton name="Close" size="small" onClick={() => close(id)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
    </section>
  )
}
