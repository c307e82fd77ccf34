// The fields of a form, each with its label, its hint, and the server's error message for it.

import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'
import type { Failure } from '../api/failure.ts'
import styles from './form.module.css'

const Failed = createContext<Failure | undefined>(undefined)
export const FieldFailure = Failed.Provider

export type Base = { name: string; label: string; hint?: ReactNode }

/** What a control needs besides its value: the attributes that tie it to its hint and error for assistive technology. */
export function useField(name: string, hasHint: boolean) {
  const id = useId()
  const failure = use(Failed)
  const wrong = failure?.argument?.split('.').at(-1) === name ? failure.message : undefined
  const described = [hasHint ? `${id}-hint` : '', wrong ? `${id}-wrong` : ''].filter(Boolean).join(' ')
  return {
    id,
    wrong,
    control: { id, name, 'aria-invalid': wrong ? true : undefined, 'aria-describedby': described || undefined },
  }
}

type Frame = { id: string; label: string; hint?: ReactNode; wrong: string | undefined; children: ReactNode }

export function Field({ id, label, hint, wrong, children }: Frame) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-wrong`} role="alert" className={styles.wrong}>
          {wrong}
        </p>
      )}
    </div>
  )
}

export function TextField({ name, label, hint, ...rest }: Base & Omit<ComponentProps<'input'>, 'name'>) {
  const { id, wrong, control } = useField(name, hint !== undefined)
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      <input type="text" autoComplete="off" {...rest} {...control} className={styles.input} />
    </Field>
  )
}

export function LongTextField({ name, label, hint, ...rest }: Base & Omit<ComponentProps<'textarea'>, 'name'>) {
  const { id, wrong, control } = useField(name, hint !== undefined)
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      <textarea {...rest} {...control} className={styles.input} />
    </Field>
  )
}

export function FileField({ name, label, hint, ...rest }: Base & Omit<ComponentProps<'input'>, 'name' | 'type'>) {
  const { id, wrong, control } = useField(name, hint !== undefined)
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      <input {...rest} type="file" {...control} className={styles.file} />
    </Field>
  )
}

type Pick<T extends string> = Base &
  Omit<ComponentProps<'select'>, 'name' | 'children'> & {
    options: readonly { value: T; label: string }[]
    /** The label of the empty choice; without it a choice is required. */
    none?: string
  }

/** One of many options, for which radio buttons would take too much room. */
export function SelectField<T extends string>({ name, label, hint, options, none, ...rest }: Pick<T>) {
  const { id, wrong, control } = useField(name, hint !== undefined)
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      <select {...rest} {...control} className={styles.input}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  )
}

type Option<T extends string> = { value: T; label: ReactNode; disabledReason?: string | undefined }

type Choices<T extends string> = Base & {
  options: readonly Option<T>[]
  /** One option, or any number of them. */
  kind: 'one' | 'some'
  initial?: readonly T[]
  onChoose?: (value: T) => void
}

export function ChoiceField<T extends string>({ name, label, hint, options, kind, initial, onChoose }: Choices<T>) {
  const { id, wrong, control } = useField(name, hint !== undefined)
  return (
    <fieldset className={styles.field} aria-describedby={control['aria-describedby']}>
      <legend className={styles.label}>{label}</legend>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <div className={styles.choices}>
        {options.map(({ value, label: words, disabledReason }) => (
          <label key={value} className={styles.choice} data-disabled={disabledReason === undefined ? undefined : ''}>
            <input
              type={kind === 'one' ? 'radio' : 'checkbox'}
              name={name}
              value={value}
              required={kind === 'one'}
              disabled={disabledReason !== undefined}
              defaultChecked={initial?.includes(value)}
              onChange={() => onChoose?.(value)}
            />
            <span>
              {words} {disabledReason !== undefined && <span className={styles.reason}>{disabledReason}</span>}
            </span>
          </label>
        ))}
      </div>
      {wrong && (
        <p id={`${id}-wrong`} role="alert" className={styles.wrong}>
          {wrong}
        </p>
      )}
    </fieldset>
  )
}
