// The console's only data table: sortable, selectable, navigable by keyboard, and virtualised.

import { type RowData, useTable } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { count } from '../util/words.ts'
import { type Chosen, type Column, classOf, features, lookOf, type Sort, widthOf, widthsOf } from './column.ts'
import { tellCut } from './cut-cells.ts'
import styles from './data-table.module.css'
import { DrawnRow } from './drawn-row.tsx'
import { Heads } from './heads.tsx'
import { useDrawn } from './use-drawn.ts'
import { useWalk } from './use-walk.ts'

type Props<Row extends RowData> = {
  label: string
  rows: readonly Row[]
  columns: Column<Row>[]
  idOf: (row: Row) => string
  /** The row's name, for the label of its checkbox. */
  nameOf: (row: Row) => string
  total: number | null
  sort?: Sort
  onSort?: (sort: Sort) => void
  chosen?: Chosen
  onChoose?: (chosen: Chosen) => void
  /** The row that is open in the side panel. */
  openId?: string | undefined
  onOpen?: (row: Row, how: { isReplacing: boolean }) => void
  /** The rows still belong to the previous query, until those of the current one have arrived. */
  isStale?: boolean
  hasMore?: boolean
  more?: () => void
  /** Shown in place of the rows when there are none. */
  empty?: ReactNode
}

export function DataTable<Row extends RowData>(props: Props<Row>) {
  const { label, rows, columns, idOf, nameOf, total, sort, onSort, openId, onOpen, isStale, hasMore, more } = props
  const { chosen = {}, onChoose, empty } = props
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: idOf,
    state: { rowSelection: chosen },
    onRowSelectionChange: (change) => onChoose?.(typeof change === 'function' ? change(chosen) : change),
  })
  const drawn = useDrawn({ label, count: rows.length, isStale, hasMore, more })
  const { scroller, above, below, printed } = drawn
  const choose = (id: string) => {
    const { [id]: was, ...others } = chosen
    onChoose?.(was ? others : { ...chosen, [id]: true })
  }
  const { scrollTo } = drawn
  const stepAt = useWalk({ scroller, scrollTo, rows, idOf, openId, onOpen, choose: onChoose && choose })
  const looks = table.getAllLeafColumns().map(lookOf)
  const measure = looks.some(({ isSentence }) => isSentence) ? drawn.measure : undefined
  const drawRow = (index: number) => {
    const row = table.getRowModel().rows[index]
    return (
      row && (
        <DrawnRow
          key={row.id}
          row={row}
          index={index}
          name={onChoose && nameOf(row.original)}
          isChosen={chosen[row.id] === true}
          isOpen={row.id === openId}
          onOpen={onOpen && (() => onOpen(row.original, { isReplacing: openId !== undefined }))}
          step={stepAt(index)}
          measure={measure}
        />
      )
    )
  }

  return (
    <div
      ref={scroller}
      onScroll={drawn.onScroll}
      className={styles.scroller}
      data-stale={isStale || undefined}
      // An empty table has nothing that takes focus, so the scroller itself must be focusable for scrolling by keyboard.
      tabIndex={rows.length === 0 ? 0 : undefined}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are selected and navigated by keyboard, as in a grid
        role="grid"
        aria-label={label}
        aria-rowcount={total === null ? -1 : total + 1}
        aria-busy={isStale || undefined}
        aria-multiselectable={onChoose ? true : undefined}
        className={styles.table}
        style={widthsOf(looks)}
      >
        <colgroup>
          {onChoose && <col className={styles.choosing} />}
          {looks.map((look, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
            <col key={index} style={{ width: widthOf(look) }} className={classOf(look)} />
          ))}
        </colgroup>
        <thead>
          <Heads table={table} count={rows.length} canChoose={onChoose !== undefined} sort={sort} onSort={onSort} />
        </thead>
        <tbody onPointerOver={tellCut}>
          {above > 0 && <Gap height={above} />}
          {drawn.indexes.map((index) => drawRow(index))}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
      <Unprinted printed={printed} total={total} />
      {rows.length === 0 && empty}
    </div>
  )
}

type UnprintedProps = { printed: number | null; total: number | null }

/** On paper, how much of the list is missing. */
const Unprinted = ({ printed, total }: UnprintedProps) =>
  printed !== null && total !== null && total > printed ? (
    <p className={styles.printed}>
      The first {count(printed)} of {count(total)}: only loaded rows are printed. To print others, scroll down first or
      narrow the list.
    </p>
  ) : null

/** A single cell rather than one a column: cells for hidden columns would claim a share of the width again. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className={styles.gap} style={{ height }}>
    <td />
  </tr>
)
