// Keyboard navigation in a table: which row is the current one, and where the focus goes when its row disappears.

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useKeys } from '../util/keys.ts'

type Walked<Row> = {
  scroller: RefObject<HTMLElement | null>
  /** Scrolls the row into view, so that the virtualised table draws it. */
  scrollTo: (index: number) => void
  rows: readonly Row[]
  idOf: (row: Row) => string
  openId: string | undefined
  onOpen: ((row: Row, how: { isReplacing: boolean }) => void) | undefined
  /** Toggles whether a row is chosen; absent where rows cannot be chosen. */
  choose: ((id: string) => void) | undefined
}

/** The properties that make a row part of the keyboard navigation. */
export type Step = {
  tabIndex: 0 | -1
  onFocus: () => void
  onBlur: (event: FocusEvent) => void
}

export function useWalk<Row>({ scroller, scrollTo, rows, idOf, openId, onOpen, choose }: Walked<Row>) {
  const active = useRef(0)
  const opened = useRef<string>(undefined)
  const openAt = openId === undefined ? -1 : rows.findIndex((row) => idOf(row) === openId)
  // only when another row is opened: a render in between must not undo a step of the keyboard
  if (openAt >= 0 && openId !== opened.current) active.current = openAt
  opened.current = openAt >= 0 ? openId : undefined
  if (active.current >= rows.length) active.current = Math.max(0, rows.length - 1)

  const focusRow = (index: number) => {
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    scrollTo(index)
    find()?.focus({ preventScroll: true })
    requestAnimationFrame(() => find()?.focus({ preventScroll: true }))
  }
  // when the focused row disappears, focus the row in its place; when the panel closes, focus the row that it was opened from
  const isFocused = useRef(false)
  const before = useRef(openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run when the rows change, although it reads none of them
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
