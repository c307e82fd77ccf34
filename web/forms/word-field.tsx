// The field for one of the contract's words, such as a priority, as the record has it now.

import { optionsOf } from '../util/words.ts'
import { SelectField } from './field.tsx'

type Props<T extends string> = {
  name: string
  label: string
  hint?: string
  words: readonly T[]
  /** The record's own, if there is a record. */
  now: T | null | undefined
  /** Whether it can be left unset. */
  isOptional?: boolean
}

export const WordField = <T extends string>({ name, label, hint, words, now, isOptional = false }: Props<T>) => (
  <SelectField
    name={name}
    label={label}
    {...(hint === undefined ? {} : { hint })}
    {...(isOptional ? { none: 'Not set' } : {})}
    options={optionsOf(words)}
    defaultValue={now ?? (isOptional ? '' : undefined)}
  />
)
