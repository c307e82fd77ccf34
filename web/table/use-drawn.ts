// Which rows of a long table are drawn: those in sight or, in print, those that are loaded; and where it is scrolled to.

import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, type UIEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { usePrinting } from '../util/printing.ts'
import { useKeptPlace } from './kept-place.ts'

/** In pixels; equal to --row in CSS. */
const ROW = 32
/** Rows drawn beyond the visible ones, and how near the end a row must be for the next page to be requested. */
const BEYOND = 12
const AHEAD = 25
/** How many of the loaded rows are printed at most. */
const MOST_PRINTED = 2_000

type Asked = {
  /** Names the list, whose place is kept. */
  label: string
  count: number
  isStale: boolean | undefined
  hasMore: boolean | undefined
  more: (() => void) | undefined
}

type Drawn = {
  scroller: RefObject<HTMLDivElement | null>
  onScroll: (event: UIEvent) => void
  scrollTo: (index: number) => void
  indexes: readonly number[]
  /** The heights of what is not drawn, in pixels. */
  above: number
  below: number
  /** The ref of a row whose height depends on what it says. */
  measure: (row: HTMLElement | null) => void
  /** How many rows are printed; null while the page is not printed. */
  printed: number | null
}

export function useDrawn({ label, count, isStale, hasMore, more }: Asked): Drawn {
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: BEYOND,
    scrollPaddingStart: ROW,
  })
  const onScroll = useKeptScroll(scroller, label, isStale)
  const isPrinting = usePrinting()
  const seen = drawn.getVirtualItems()
  const lastDrawn = seen.at(-1)?.index ?? 0
  useEffect(() => {
    // printing draws every row, which must not make the table load the remaining pages
    if (hasMore && !isPrinting && lastDrawn >= count - AHEAD) more?.()
  }, [hasMore, isPrinting, lastDrawn, more, count])

  const scrollTo = (index: number) => drawn.scrollToIndex(index)
  const shared = { scroller, onScroll, scrollTo, measure: drawn.measureElement }
  if (isPrinting) {
    const printed = Math.min(count, MOST_PRINTED)
    return { ...shared, indexes: Array.from({ length: printed }, (_, index) => index), above: 0, below: 0, printed }
  }
  return {
    ...shared,
    indexes: seen.map(({ index }) => index),
    above: seen[0]?.start ?? 0,
    below: drawn.getTotalSize() - (seen.at(-1)?.end ?? 0),
    printed: null,
  }
}

/** Scrolls back to where the list was left, and to the top for another query's rows; what it returns notes where the list is. */
function useKeptScroll(scroller: RefObject<HTMLElement | null>, label: string, isStale: boolean | undefined) {
  const top = useRef(0)
  const kept = useKeptPlace(`top ${label}`, () => top.current)
  useLayoutEffect(() => {
    if (kept !== undefined && scroller.current) scroller.current.scrollTop = kept
  }, [kept, scroller])
  const wasStale = useRef(isStale)
  useLayoutEffect(() => {
    if (wasStale.current && !isStale && scroller.current) scroller.current.scrollTop = 0
    wasStale.current = isStale
  }, [isStale, scroller])
  return ({ currentTarget }: UIEvent) => {
    top.current = currentTarget.scrollTop
  }
}
