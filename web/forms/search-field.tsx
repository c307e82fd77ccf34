// A form field whose options are searched on the server while the user types; one or several can be chosen.

import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import SearchChoice from '../ui/search-choice.tsx'
import type { Find, Option } from '../ui/search-offered.ts'
import { type Base, Field, useField } from './field.tsx'
import styles from './form.module.css'

type Props = Base & {
  find: Find
  what: string
  kind?: 'one' | 'some'
  none?: string
  required?: boolean
  initial?: readonly Option[]
  onChoose?: (chosen: readonly Option[]) => void
}

/** The ids of the chosen options are submitted under `name`. */
export function SearchField({ name, label, hint, initial = [], onChoose, kind = 'one', ...rest }: Props) {
  const { id, wrong, control } = useField(name, hint !== undefined)
  const [chosen, setChosen] = useState(initial)
  const choose = (taken: readonly Option[]) => {
    setChosen(taken)
    onChoose?.(taken)
  }
  const { name: _, ...described } = control
  const words = chosen.map((option) => option.name).join(', ')
  const trigger = (
    <button type="button" {...described} className={styles.pick}>
      {words === '' ? <span className="muted">{rest.none ?? 'Select'}</span> : <span className="cut">{words}</span>}
      <ChevronsUpDown size={14} aria-hidden />
    </button>
  )
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      <SearchChoice {...rest} kind={kind} name={name} chosen={chosen} onChange={choose} trigger={trigger} />
    </Field>
  )
}
