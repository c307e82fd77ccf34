// The heads of a table: one a column, of which some sort, and the checkbox that chooses all rows.

import type { ReactTable, RowData } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { ariaSortOf, classOf, type features, type Look, lookOf, type Sort } from './column.ts'
import styles from './data-table.module.css'

type Heads<Row extends RowData> = {
  table: ReactTable<typeof features, Row>
  /** How many rows are loaded. */
  count: number
  canChoose: boolean
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}

export function Heads<Row extends RowData>({ table, count, canChoose, sort, onSort }: Heads<Row>) {
  return table.getHeaderGroups().map((group) => (
    <tr key={group.id} aria-rowindex={1}>
      {canChoose && (count > 0 ? <ChooseAll table={table} count={count} /> : <td className={styles.choosing} />)}
      {group.headers.map((header) => {
        const look = lookOf(header.column)
        const words = <table.FlexRender header={header} />
        return (
          <th
            key={header.id}
            scope="col"
            data-column={header.id}
            className={classOf(look)}
            aria-sort={ariaSortOf(look, sort)}
          >
            {look.sort !== undefined && onSort ? (
              <SortHead look={look} sort={sort} onSort={onSort}>
                {words}
              </SortHead>
            ) : (
              words
            )}
          </th>
        )
      })}
    </tr>
  ))
}

type Head = { look: Look; sort: Sort | undefined; onSort: (sort: Sort) => void; children: ReactNode }

function SortHead({ look, sort, onSort, children }: Head) {
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

function ChooseAll({ table, count }: { table: Chooser; count: number }) {
  const isSome = table.getIsSomeRowsSelected()
  return (
    <th scope="col" className={styles.choosing}>
      <input
        type="checkbox"
        aria-label={`Select all ${count} loaded`}
        checked={table.getIsAllRowsSelected()}
        ref={(box) => {
          if (box) box.indeterminate = isSome
        }}
        onChange={(event) => table.toggleAllRowsSelected(event.target.checked)}
      />
    </th>
  )
}
