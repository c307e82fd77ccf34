// A form: it runs one change, says so while it runs, and shows the server's sentence beside the field that caused it.

import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { asFailure, type Failure } from '../api/failure.ts'
import { Button } from '../ui/button.tsx'
import { FieldFailure } from './field.tsx'
import styles from './form.module.css'

/** What was filled in, by the names of the fields. */
export type Filled = {
  text: (name: string) => string
  /** Null where nothing was filled in. */
  optional: (name: string) => string | null
  all: (name: string) => string[]
  /** The one of `values` that was chosen; undefined where none of them was. */
  oneOf: <T extends string>(name: string, values: readonly T[]) => T | undefined
  /** Null where none was chosen. */
  file: (name: string) => File | null
}

type Props = {
  /** What the form does; a Failure that it throws is shown. */
  action: (filled: Filled) => Promise<void>
  submit: string
  tone?: 'main' | 'danger'
  /** Of one button that does not ask to be looked at. */
  isQuiet?: boolean
  /** Why it cannot be sent. */
  disabledReason?: string | undefined
  onCancel?: () => void
  /** Below the buttons: another way to send it, whose button has a name and a value. */
  otherwise?: ReactNode
  children: ReactNode
}

export function Form({
  action,
  submit,
  tone = 'main',
  isQuiet = false,
  disabledReason,
  onCancel,
  otherwise,
  children,
}: Props) {
  const [failure, setFailure] = useState<Failure>()
  const [isRunning, setRunning] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isRunning || disabledReason !== undefined) return
    setRunning(true)
    setFailure(undefined)
    try {
      const { submitter } = event.nativeEvent as SubmitEvent
      await action(filledOf(new FormData(event.currentTarget, submitter)))
    } catch (error) {
      setFailure(asFailure(error))
    } finally {
      setRunning(false)
    }
  }

  const name = failure?.argument?.split('.').at(-1)
  const isBesideField = name !== undefined && form.current?.elements.namedItem(name) != null
  return (
    <FieldFailure value={isBesideField ? failure : undefined}>
      <form ref={form} onSubmit={run} className={styles.form}>
        {children}
        {failure && !isBesideField && (
          <p role="alert" ref={showWhole} className={styles.failure}>
            {failure.message}
          </p>
        )}
        <div className={styles.buttons}>
          {onCancel && <Button onClick={onCancel}>Cancel</Button>}
          <Button type="submit" tone={isQuiet ? 'plain' : tone} isRunning={isRunning} disabledReason={disabledReason}>
            {submit}
          </Button>
        </div>
        {otherwise}
      </form>
    </FieldFailure>
  )
}

/** In a long dialog it would stand below the edge. */
const showWhole = (failure: HTMLElement | null): void => failure?.scrollIntoView({ block: 'nearest' })

function filledOf(data: FormData): Filled {
  const text = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    text,
    optional: (name) => text(name).trim() || null,
    file: (name) => {
      const value = data.get(name)
      return value instanceof File && value.name !== '' ? value : null
    },
    oneOf: (name, values) => values.find((value) => value === text(name)),
    all: (name) => data.getAll(name).filter((value) => typeof value === 'string'),
  }
}
