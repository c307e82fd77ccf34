// How a table is walked by keyboard: which row is the one to go on from, and where the focus goes when its row is gone.

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useKeys } from '../util/keys.ts'

type Walked<Row> = {
  scroller: RefObject<HTMLElement | null>
  /** Has the row drawn, as far as it is not. */
  scrollTo: (index: number) => void
  rows: readonly Row[]
  idOf: (row: Row) => string
  openId: string | undefined
  onOpen: ((row: Row, how: { isReplacing: boolean }) => void) | undefined
  /** Where rows can be chosen: turns whether this one is. */
  choose: ((id: string) => void) | undefined
}

/** What a row at a place takes to be one of those that are walked. */
export type Step = {
  tabIndex: 0 | -1
  onFocus: () => void
  onBlur: (event: FocusEvent) => void
}

export function useWalk<Row>({ scroller, scrollTo, rows, idOf, openId, onOpen, choose }: Walked<Row>) {
  const active = useRef(0)
  const opened = useRef<string>(undefined)
  const openAt = openId === undefined ? -1 : rows.findIndex((row) => idOf(row) === openId)
  // only when another one is opened: a drawing in between is not to take back a step
  if (openAt >= 0 && openId !== opened.current) active.current = openAt
  opened.current = openAt >= 0 ? openId : undefined
  if (active.current >= rows.length) active.current = Math.max(0, rows.length - 1)

  const focusRow = (index: number) => {
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    scrollTo(index)
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
  const chooseActive = () => {
    const row = rows[active.current]
    if (row !== undefined) choose?.(idOf(row))
  }
  useKeys({
    j: () => walk(1),
    k: () => walk(-1),
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    ...(choose ? { x: chooseActive } : {}),
  })

  return (index: number): Step => ({
    tabIndex: index === active.current ? 0 : -1,
    onFocus: () => {
      active.current = index
      isFocused.current = true
    },
    onBlur: ({ relatedTarget }) => {
      if (relatedTarget !== null) isFocused.current = false
    },
  })
}
