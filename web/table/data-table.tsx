// The one table: sorted by its heads, chosen by row, walked by keyboard, and drawn only where it is looked at.

import {
  type Cell,
  type ColumnDef,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useKeys } from '../util/keys.ts'
import { usePrinting } from '../util/printing.ts'
import { count } from '../util/words.ts'
import { tellCut } from './cut-cells.ts'
import styles from './data-table.module.css'

const features = tableFeatures({ rowSelectionFeature })

/** `asked` as the contract names the order; `isDown` is the greatest first. */
export type Sort = { field: string; isDown: boolean }

/** What a column has beside its cell. */
export type Look = {
  /** In px, in % of the table or in cqi, hundredths of what is seen of it; what has none shares the rest. */
  width?: string
  /** Pixels that a column without a width keeps. */
  least?: number
  /** The order that its head asks for. */
  sort?: string
  /** Left out where the page is narrow. */
  isExtra?: boolean
  /** The first to be left out. */
  isLast?: boolean
  /** Left out on a phone, where what a row is called needs its place. */
  isSpare?: boolean
  /** Sentences, which take more lines on a phone rather than being cut. */
  isSentence?: boolean
  isNumber?: boolean
}

export type Column<Row extends RowData> = ColumnDef<typeof features, Row, unknown> & { meta?: Look }

export type Chosen = RowSelectionState

type Props<Row extends RowData> = {
  label: string
  rows: readonly Row[]
  columns: Column<Row>[]
  idOf: (row: Row) => string
  /** What a row is called, for its checkbox. */
  nameOf: (row: Row) => string
  total: number | null
  sort?: Sort
  onSort?: (sort: Sort) => void
  chosen?: Chosen
  onChoose?: (chosen: Chosen) => void
  /** The row whose panel is open. */
  openId?: string | undefined
  onOpen?: (row: Row, how: { isReplacing: boolean }) => void
  isStale?: boolean
  hasMore?: boolean
  more?: () => void
  /** In the place of rows, where there are none. */
  empty?: ReactNode
}

/** Pixels; the same as --row. */
const ROW = 32
/** Rows drawn beyond what is seen, and rows from the end at which the next page is asked for. */
const BEYOND = 12
const AHEAD = 25
const LEAST = 120
/** Rows that are put on paper, of those that are loaded. */
const MOST_PRINTED = 2_000

export function DataTable<Row extends RowData>(props: Props<Row>) {
  const { label, rows, columns, idOf, nameOf, total, sort, onSort, openId, onOpen, isStale, hasMore, more } = props
  const { chosen = {}, onChoose, empty } = props
  const scroller = useRef<HTMLDivElement>(null)
  const active = useRef(0)
  const opened = useRef<string>(undefined)
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
  const isPrinting = usePrinting()
  const seen = drawn.getVirtualItems()
  const printed = Math.min(rows.length, MOST_PRINTED)
  const indexes = isPrinting ? Array.from({ length: printed }, (_, index) => index) : seen.map(({ index }) => index)
  const lastDrawn = seen.at(-1)?.index ?? 0
  useEffect(() => {
    // on paper all rows are in view, which asks for none that were not loaded
    if (hasMore && !isPrinting && lastDrawn >= rows.length - AHEAD) more?.()
  }, [hasMore, isPrinting, lastDrawn, more, rows.length])

  const openAt = openId === undefined ? -1 : rows.findIndex((row) => idOf(row) === openId)
  // only when another one is opened: a drawing in between is not to take back a step
  if (openAt >= 0 && openId !== opened.current) active.current = openAt
  opened.current = openAt >= 0 ? openId : undefined
  if (active.current >= rows.length) active.current = Math.max(0, rows.length - 1)

  const focusRow = (index: number) => {
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    drawn.scrollToIndex(index)
    find()?.focus({ preventScroll: true })
    requestAnimationFrame(() => find()?.focus({ preventScroll: true }))
  }
  // a row that is gone leaves the focus to the one in its place, and a panel that is closed to the row it was opened from
  const isFocused = useRef(false)
  const before = useRef(openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the rows that changed, whatever is drawn of them
  useLayoutEffect(() => {
    const isClosed = before.current !== undefined && openId === undefined
    before.current = openId
    if ((isFocused.current || isClosed) && document.activeElement === document.body) focusRow(active.current)
  }, [rows, openId])
  const walk = (by: number) => {
    const isOnRow = scroller.current?.querySelector('tr:focus, tr:focus-within') !== null || openAt >= 0
    const index = isOnRow ? Math.min(Math.max(active.current + by, 0), rows.length - 1) : active.current
    const row = rows[index]
    if (row === undefined) return
    active.current = index
    focusRow(index)
    if (openId !== undefined) onOpen?.(row, { isReplacing: true })
  }
  const withActive = (act: (row: Row) => void) => {
    const row = rows[active.current]
    if (row !== undefined) act(row)
  }
  const choose = (id: string) => {
    const { [id]: was, ...others } = chosen
    onChoose?.(was ? others : { ...chosen, [id]: true })
  }
  useKeys({
    j: () => walk(1),
    k: () => walk(-1),
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    ...(onChoose ? { x: () => withActive((row) => choose(idOf(row))) } : {}),
  })

  const looks = table.getAllLeafColumns().map((column) => (column.columnDef as Column<Row>).meta ?? {})
  const hasSentences = looks.some(({ isSentence }) => isSentence)
  const above = isPrinting ? 0 : (seen[0]?.start ?? 0)
  const below = isPrinting ? 0 : drawn.getTotalSize() - (seen.at(-1)?.end ?? 0)

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-stale={isStale || undefined}
      // Without a row there is nothing in it that takes the focus, and it may have to be scrolled.
      tabIndex={rows.length === 0 ? 0 : undefined}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are chosen and walked, which a plain table does not tell
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
            // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
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
                  <th key={header.id} scope="col" className={classOf(look)} aria-sort={sortOf(look, sort)}>
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
                tabIndex={index === active.current ? 0 : -1}
                onFocus={() => {
                  active.current = index
                  isFocused.current = true
                }}
                onBlur={({ relatedTarget }) => {
                  if (relatedTarget !== null) isFocused.current = false
                }}
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
                      aria-label={`Choose ${nameOf(row.original)}`}
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
          The first {count(printed)} of {count(total)}, those that were loaded. Scroll on before printing, or narrow the
          list, for others.
        </p>
      )}
      {rows.length === 0 && empty}
    </div>
  )
}

/** Called, and not made an element of: columns that are made anew would take away what is drawn and draw the same again. */
const drawnCell = <Row extends RowData>(cell: Cell<typeof features, Row>): ReactNode => {
  const draw = cell.column.columnDef.cell
  return typeof draw === 'function' ? draw(cell.getContext()) : draw
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label') !== null

const classOf = ({ isExtra, isLast, isSpare, isNumber, isSentence }: Look): string | undefined =>
  [
    isExtra && styles.extra,
    isLast && styles.last,
    isSpare && styles.spare,
    isNumber && styles.number,
    isSentence && styles.sentence,
  ]
    .filter(Boolean)
    .join(' ') || undefined

/** How narrow the table may be, with all columns and without those that are left out first. */
const leastWidths = (looks: readonly Look[]): CSSProperties =>
  ({ '--least': leastOf(looks), '--least-fewer': leastOf(looks.filter(({ isLast }) => !isLast)) }) as CSSProperties

function leastOf(looks: readonly Look[]): string {
  let [pixels, share] = [0, 0]
  for (const { least = LEAST, width = `${least}px` } of looks) {
    if (width.endsWith('px')) pixels += Number.parseFloat(width)
    else share += Number.parseFloat(width)
  }
  return `calc(${pixels}px + ${share}cqi)`
}

const sortOf = (look: Look, sort: Sort | undefined) => {
  if (look.sort === undefined || look.sort !== sort?.field) return undefined
  return sort.isDown ? 'descending' : 'ascending'
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
        aria-label={`Choose all ${count} that are loaded`}
        checked={count > 0 && table.getIsAllRowsSelected()}
        ref={(box) => {
          if (box) box.indeterminate = isSome
        }}
        onChange={(event) => table.toggleAllRowsSelected(event.target.checked)}
      />
    </th>
  )
}

/** One cell and not as many as there are columns: those that are left out would have a share of the width again. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className={styles.gap} style={{ height }}>
    <td />
  </tr>
)
