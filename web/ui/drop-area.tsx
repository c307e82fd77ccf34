// A drop zone for files that also opens a file picker, and shows progress while a file is on its way.

import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import styles from './drop-area.module.css'

type Props = {
  label: string
  /** Why no file may be dropped now. */
  mayNot: string | undefined
  onFiles: (files: readonly File[]) => void
  /** Accepts drops anywhere on the page, where the browser would otherwise leave the page and open the file. */
  isWholePage?: boolean
  children: ReactNode
}

type FileDrag = Pick<DragEvent, 'dataTransfer' | 'preventDefault'>

export function DropArea({ label, mayNot, onFiles, isWholePage = false, children }: Props) {
  const [isOver, setOver] = useState(false)
  const over = (event: FileDrag) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(mayNot === undefined)
  }
  const drop = (event: FileDrag) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(false)
    if (mayNot === undefined) onFiles([...event.dataTransfer.files])
  }
  const leave = () => setOver(false)
  useOfPage(isWholePage, { over, drop, leave })
  const own = isWholePage ? {} : { onDragOver: over, onDragLeave: leave, onDrop: drop }
  return (
    <section className={styles.drop} aria-label={label} data-over={isOver || undefined} {...own}>
      {children}
    </section>
  )
}

type Dragging = { over: (event: FileDrag) => void; drop: (event: FileDrag) => void; leave: () => void }

function useOfPage(isWhole: boolean, dragging: Dragging) {
  const take = useEffectEvent((name: 'over' | 'drop', event: globalThis.DragEvent) => {
    const { dataTransfer } = event
    if (dataTransfer !== null) dragging[name]({ dataTransfer, preventDefault: () => event.preventDefault() })
  })
  const leave = useEffectEvent((event: globalThis.DragEvent) => {
    if (event.relatedTarget === null) dragging.leave()
  })
  useEffect(() => {
    if (!isWhole) return
    const ending = new AbortController()
    const { signal } = ending
    window.addEventListener('dragover', (event) => take('over', event), { signal })
    window.addEventListener('drop', (event) => take('drop', event), { signal })
    window.addEventListener('dragleave', (event) => leave(event), { signal })
    return () => ending.abort()
  }, [isWhole])
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

/** The progress of an upload or of the work on a file; `part` is a fraction from 0 to 1. */
export function Underway({ what, part }: { what: string; part: number }) {
  return (
    <>
      <span role="status">{what}</span>
      <progress aria-label={what} value={part} max={1} />
    </>
  )
}
