// The console's only data table: sortable, selectable, navigable by keyboard, and virtualised.

import { type Cell, type RowData, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { usePrinting } from '../util/printing.ts'
import { count } from '../util/words.ts'
import { ariaSortOf, type Chosen, type Column, classOf, features, leastWidths, type Sort } from './column.ts'
import { tellCut } from './cut-cells.ts'
import styles from './data-table.module.css'
import { ChooseAll, SortHead } from './heads.tsx'
import { useKeptPlace } from './kept-place.ts'
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

/** In pixels; equal to --row in CSS. */
const ROW = 32
/** Rows drawn beyond the visible ones, and how near the end a row must be for the next page to be requested. */
const BEYOND = 12
const AHEAD = 25
/** How many of the loaded rows are printed at most. */
const MOST_PRINTED = 2_000

export function DataTable<Row extends RowData>(props: Props<Row>) {
  const { label, rows, columns, idOf, nameOf, total, sort, onSort, openId, onOpen, isStale, hasMore, more } = props
  const { chosen = {}, onChoose, empty } = props
  const scroller = useRef<HTMLDivElement>(null)
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: idOf,
    state: { rowSelection: chosen },
    onRowSelectionChange: (change) => onChoose?.(typeof change === 'function' ? change(chosen) : change),
  })
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: BEYOND,
    scrollPaddingStart: ROW,
  })
  const top = useRef(0)
  const kept = useKeptPlace(`top ${label}`, () => top.current)
  useLayoutEffect(() => {
    if (kept !== undefined && scroller.current) scroller.current.scrollTop = kept
  }, [kept])
  const wasStale = useRef(isStale)
  useLayoutEffect(() => {
    // a new query's rows start at the top
    if (wasStale.current && !isStale && scroller.current) scroller.current.scrollTop = 0
    wasStale.current = isStale
  }, [isStale])
  const isPrinting = usePrinting()
  const seen = drawn.getVirtualItems()
  const printed = Math.min(rows.length, MOST_PRINTED)
  const indexes = isPrinting ? Array.from({ length: printed }, (_, index) => index) : seen.map(({ index }) => index)
  const lastDrawn = seen.at(-1)?.index ?? 0
  useEffect(() => {
    // printing draws every row, which must not make the table load the remaining pages
    if (hasMore && !isPrinting && lastDrawn >= rows.length - AHEAD) more?.()
  }, [hasMore, isPrinting, lastDrawn, more, rows.length])

  const choose = (id: string) => {
    const { [id]: was, ...others } = chosen
    onChoose?.(was ? others : { ...chosen, [id]: true })
  }
  const stepAt = useWalk({
    scroller,
    scrollTo: (index) => drawn.scrollToIndex(index),
    rows,
    idOf,
    openId,
    onOpen,
    choose: onChoose && choose,
  })

  const looks = table.getAllLeafColumns().map((column) => (column.columnDef as Column<Row>).meta ?? {})
  const hasSentences = looks.some(({ isSentence }) => isSentence)
  const above = isPrinting ? 0 : (seen[0]?.start ?? 0)
  const below = isPrinting ? 0 : drawn.getTotalSize() - (seen.at(-1)?.end ?? 0)

  return (
    <div
      ref={scroller}
      onScroll={({ currentTarget }) => {
        top.current = currentTarget.scrollTop
      }}
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
        style={leastWidths(looks)}
      >
        <colgroup>
          {onChoose && <col className={styles.choosing} />}
          {looks.map(({ width, ...look }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
            <col key={index} style={{ width }} className={classOf(look)} />
          ))}
        </colgroup>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              {onChoose && <ChooseAll table={table} count={rows.length} />}
              {group.headers.map((header) => {
                const look = (header.column.columnDef as Column<Row>).meta ?? {}
                return (
                  <th key={header.id} scope="col" className={classOf(look)} aria-sort={ariaSortOf(look, sort)}>
                    {look.sort !== undefined && onSort ? (
                      <SortHead look={look} sort={sort} onSort={onSort}>
                        <table.FlexRender header={header} />
                      </SortHead>
                    ) : (
                      <table.FlexRender header={header} />
                    )}
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody onPointerOver={tellCut}>
          {above > 0 && <Gap height={above} />}
          {indexes.map((index) => {
            const row = table.getRowModel().rows[index]
            if (!row) return null
            const isOpen = row.id === openId
            return (
              <tr
                key={row.id}
                ref={hasSentences ? drawn.measureElement : undefined}
                data-index={index}
                data-open={isOpen || undefined}
                data-chosen={chosen[row.id] || undefined}
                aria-rowindex={index + 2}
                aria-selected={onChoose ? chosen[row.id] === true : undefined}
                {...stepAt(index)}
                onClick={(event) => {
                  if (onOpen && !isControl(event.target)) onOpen(row.original, { isReplacing: openId !== undefined })
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.target !== event.currentTarget) return
                  event.preventDefault()
                  onOpen?.(row.original, { isReplacing: openId !== undefined })
                }}
              >
                {onChoose && (
                  <td className={styles.choosing}>
                    <input
                      type="checkbox"
                      tabIndex={-1}
                      aria-label={`Select ${nameOf(row.original)}`}
                      checked={chosen[row.id] === true}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className={classOf((cell.column.columnDef as Column<Row>).meta ?? {})}>
                    {drawnCell(cell)}
                  </td>
                ))}
              </tr>
            )
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
      {isPrinting && total !== null && total > printed && (
        <p className={styles.printed}>
          The first {count(printed)} of {count(total)}: only loaded rows are printed. To print others, scroll down first
          or narrow the list.
        </p>
      )}
      {rows.length === 0 && empty}
    </div>
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

/** A single cell rather than one a column: cells for hidden columns would claim a share of the width again. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className={styles.gap} style={{ height }}>
    <td />
  </tr>
)
