// One row of a table: its checkbox, if rows can be chosen, and its cells. A click or Enter opens it.

import type { Cell, RowData, Row as TableRow } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { classOf, type features, lookOf } from './column.ts'
import styles from './data-table.module.css'
import type { Step } from './use-walk.ts'

type Props<Row extends RowData> = {
  row: TableRow<typeof features, Row>
  index: number
  /** The row's name, for the label of its checkbox; undefined where rows cannot be chosen. */
  name: string | undefined
  isChosen: boolean
  isOpen: boolean
  onOpen: (() => void) | undefined
  step: Step
  measure: ((row: HTMLElement | null) => void) | undefined
}

export function DrawnRow<Row extends RowData>(props: Props<Row>) {
  const { row, index, name, isChosen, isOpen, onOpen, step, measure } = props
  return (
    <tr
      ref={measure}
      data-index={index}
      data-open={isOpen || undefined}
      data-chosen={isChosen || undefined}
      aria-rowindex={index + 2}
      aria-selected={name === undefined ? undefined : isChosen}
      {...step}
      onClick={(event) => {
        if (!isControl(event.target)) onOpen?.()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return
        event.preventDefault()
        onOpen?.()
      }}
    >
      {name !== undefined && (
        <td className={styles.choosing}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${name}`}
            checked={isChosen}
            onChange={row.getToggleSelectedHandler()}
          />
        </td>
      )}
      {row.getAllCells().map((cell) => (
        <td key={cell.id} className={classOf(lookOf(cell.column))}>
          {drawnCell(cell)}
        </td>
      ))}
    </tr>
  )
}

/**
 * Called as a function rather than rendered as a component. With every new array of columns the component type would
 * change, and React would unmount and remount what the cell draws.
 */
const drawnCell = <Row extends RowData>(cell: Cell<typeof features, Row>): ReactNode => {
  const draw = cell.column.columnDef.cell
  return typeof draw === 'function' ? draw(cell.getContext()) : draw
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label') !== null
