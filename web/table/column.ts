// What a table is made of: its columns with how each looks, how it is sorted, and what is chosen of it.

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

/** Pixels of a column without a width of its own. */
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

/** How narrow the table may be, with all columns and without those that are left out first. */
export const leastWidths = (looks: readonly Look[]): CSSProperties =>
  ({ '--least': leastOf(looks), '--least-fewer': leastOf(looks.filter(({ isLast }) => !isLast)) }) as CSSProperties

/** A width in % of the table would be of itself here: it is of what is seen. */
const leastOf = (looks: readonly Look[]): string =>
  `calc(${looks.map(({ least = LEAST, width = `${least}px` }) => width.replace('%', 'cqi')).join(' + ')})`

export const ariaSortOf = (look: Look, sort: Sort | undefined) => {
  if (look.sort === undefined || look.sort !== sort?.field) return undefined
  return sort.isDown ? 'descending' : 'ascending'
}
