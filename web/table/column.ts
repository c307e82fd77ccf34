// The model of a table: its columns with their appearance and sort order, and which rows are chosen.

import {
  type ColumnDef,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { CSSProperties } from 'react'
import styles from './data-table.module.css'

export const features = tableFeatures({ rowSelectionFeature })

/** `field` is the contract's name for the order; `isDown` means descending. */
export type Sort = { field: string; isDown: boolean }

/** How a column looks and behaves, apart from how it draws its cells. */
export type Look = {
  /** In px, in % of the table, or in cqi (hundredths of the visible width). Columns without a width share the rest. */
  width?: string
  /** The part, from 0 to 1, of what columns with a width leave of the visible width; in place of a width. */
  share?: number
  /** The minimum width, in pixels, of a column that has no width. */
  least?: number
  /** The order that a click on the column's head requests. */
  sort?: string
  /** Hidden where the page is narrow. */
  isExtra?: boolean
  /** Among the first columns to be hidden when space runs out. */
  isLast?: boolean
  /** Hidden on a phone, where the column with the row's name needs the space. */
  isSpare?: boolean
  /** Holds sentences, which wrap on a phone rather than being cut. */
  isSentence?: boolean
  isNumber?: boolean
}

export type Column<Row extends RowData> = ColumnDef<typeof features, Row, unknown> & { meta?: Look }

/** The look of a column of the table. */
export const lookOf = <Row extends RowData>({
  columnDef,
}: {
  columnDef: ColumnDef<typeof features, Row, unknown>
}): Look => (columnDef as Column<Row>).meta ?? {}

export type Chosen = RowSelectionState

/** The minimum width, in pixels, of a column that sets neither a width nor a minimum. */
const LEAST = 120

export const classOf = ({ isExtra, isLast, isSpare, isNumber, isSentence }: Look): string | undefined =>
  [
    isExtra && styles.extra,
    isLast && styles.last,
    isSpare && styles.spare,
    isNumber && styles.number,
    isSentence && styles.sentence,
  ]
    .filter(Boolean)
    .join(' ') || undefined

/** The table's minimum width, and what columns with a width take of it: with all columns, and without those that are hidden first. */
export function widthsOf(looks: readonly Look[]): CSSProperties {
  const fewer = looks.filter(({ isLast }) => !isLast)
  return {
    '--least': leastOf(looks),
    '--least-fewer': leastOf(fewer),
    '--taken': takenBy(looks),
    '--taken-fewer': takenBy(fewer),
  } as CSSProperties
}

export const widthOf = ({ width, share, least = LEAST }: Look): string | undefined =>
  share === undefined ? width : `max(${least}px, var(--rest) * ${share})`

const leastOf = (looks: readonly Look[]): string => sumOf(looks.map(({ least = LEAST, width = `${least}px` }) => width))

const takenBy = (looks: readonly Look[]): string => sumOf(looks.map(({ width = '0px' }) => width))

/**
 * Percentages become cqi, a share of the visible width: a column's percentage is of the table, whose width is what
 * these sums are for.
 */
const sumOf = (widths: readonly string[]): string =>
  `calc(${widths.map((width) => width.replace('%', 'cqi')).join(' + ')})`

export const ariaSortOf = (look: Look, sort: Sort | undefined) => {
  if (look.sort === undefined || look.sort !== sort?.field) return undefined
  return sort.isDown ? 'descending' : 'ascending'
}
