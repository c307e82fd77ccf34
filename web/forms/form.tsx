// A form that submits one change, shows that it is running, and shows the server's error beside the field that caused it.

import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { asFailure, type Failure } from '../api/failure.ts'
import { Button } from '../ui/button.tsx'
import { FieldFailure } from './field.tsx'
import styles from './form.module.css'

/** The submitted values, by field name. */
export type Filled = {
  text: (name: string) => string
  /** Null if left empty. */
  optional: (name: string) => string | null
  all: (name: string) => string[]
  /** The chosen one of `values`; undefined if none of them was chosen. */
  oneOf: <T extends string>(name: string, values: readonly T[]) => T | undefined
  /** Null if no file was chosen. */
  file: (name: string) => File | null
}

type Props = {
  /** Submits the form; a Failure that it throws is shown. */
  action: (filled: Filled) => Promise<void>
  submit: string
  tone?: 'main' | 'danger'
  /** For a form that is a single, unobtrusive button. */
  isQuiet?: boolean
  /** Why the form cannot be submitted now. */
  disabledReason?: string | undefined
  onCancel?: () => void
  /** Shown below the buttons: another way to submit, with a button that has a name and a value. */
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

/** In a long dialog the message could otherwise be outside the visible part. */
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
