// The heads of a table that can be clicked: a column head that sorts, and the checkbox that chooses all rows.

import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Look, Sort } from './column.ts'
import styles from './data-table.module.css'

type Head = { look: Look; sort: Sort | undefined; onSort: (sort: Sort) => void; children: ReactNode }

export function SortHead({ look, sort, onSort, children }: Head) {
  const isOn = look.sort === sort?.field
  const turn = () => onSort({ field: look.sort ?? '', isDown: isOn ? !sort?.isDown : true })
  return (
    <button type="button" className={styles.sort} onClick={turn}>
      {children}
      {isOn && (sort?.isDown ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
    </button>
  )
}

type Chooser = {
  getIsAllRowsSelected: () => boolean
  getIsSomeRowsSelected: () => boolean
  toggleAllRowsSelected: (isChosen?: boolean) => void
}

export function ChooseAll({ table, count }: { table: Chooser; count: number }) {
  const isSome = table.getIsSomeRowsSelected()
  return (
    <th scope="col" className={styles.choosing}>
      <input
        type="checkbox"
        aria-label={`Select all ${count} loaded`}
        checked={count > 0 && table.getIsAllRowsSelected()}
        ref={(box) => {
          if (box) box.indeterminate = isSome
        }}
        onChange={(event) => table.toggleAllRowsSelected(event.target.checked)}
      />
    </th>
  )
}
