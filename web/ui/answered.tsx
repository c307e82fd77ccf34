// Renders an answer: its data, a placeholder (only after 200 ms of waiting), or the sentence of its failure.

import type { ReactNode } from 'react'
import type { Answer } from '../api/ask.ts'
import type { Failure } from '../api/failure.ts'
import styles from './answered.module.css'
import { Button } from './button.tsx'

type Props<Data> = {
  of: Answer<Data>
  /** How many lines high the placeholder is. */
  lines?: number
  children: (data: Data) => ReactNode
}

/** The only access to the data of an answer, so that no page forgets the loading and failed states. */
export function Answered<Data>({ of: { data, failure, again }, lines = 6, children }: Props<Data>) {
  if (failure && data === undefined) return <Failed failure={failure} again={again} />
  if (data === undefined) return <Awaited lines={lines} />
  return (
    <>
      {failure && <Failed failure={failure} again={again} />}
      {children(data)}
    </>
  )
}

export function Awaited({ lines }: { lines: number }) {
  return (
    <div className={styles.awaited} role="status">
      <span className="heard">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <div key={line} className={styles.line} />
      ))}
    </div>
  )
}

export function Failed({ failure, again }: { failure: Failure; again?: () => void }) {
  return (
    <div className={styles.failed} role="alert">
      <p className="words">{failure.message}</p>
      {failure.requestId && (
        <p className="muted">
          Request <code>{failure.requestId}</code>
        </p>
      )}
      {again && (
        <Button size="small" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  )
}
