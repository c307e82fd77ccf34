// A place to drop files on, or to choose them in: while one is on its way it says so instead.

import { type DragEvent, type ReactNode, useState } from 'react'
import styles from './drop-area.module.css'

type Props = {
  label: string
  /** Why nothing may be dropped. */
  mayNot: string | undefined
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}

export function DropArea({ label, mayNot, onFiles, children }: Props) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(mayNot === undefined)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (mayNot === undefined) onFiles([...event.dataTransfer.files])
  }
  return (
    <section
      className={styles.drop}
      aria-label={label}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </section>
  )
}

type Choose = { onFiles: (files: readonly File[]) => void; isMany?: boolean; children: ReactNode }

export function ChooseFiles({ onFiles, isMany = false, children }: Choose) {
  return (
    <label className={styles.choose}>
      <input type="file" multiple={isMany} onChange={(event) => onFiles([...(event.target.files ?? [])])} />
      <span>{children}</span>
    </label>
  )
}

/** How much of a file, or of the work on it, is done: 0 to 1. */
export function Underway({ what, part }: { what: string; part: number }) {
  return (
    <>
      <span role="status">{what}</span>
      <progress aria-label={what} value={part} max={1} />
    </>
  )
}
