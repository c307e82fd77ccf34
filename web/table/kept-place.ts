// Where somebody was in a list, by the entry of the history in which they left it: the way back leads there.

import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** By entry and list: rows that were loaded as pages, or pixels that were scrolled. */
const places = new Map<string, number>()

/** Gives the number that stood at `read` when this list was left in this entry of the history; undefined when it was not. */
export function useKeptPlace(list: string, read: () => number): number | undefined {
  const { key } = useLocation()
  const name = `${key} ${list}`
  const kept = useRef(places.get(name)).current
  const latest = useRef({ name, read })
  latest.current = { name, read }
  useEffect(
    () => () => {
      places.set(latest.current.name, latest.current.read())
    },
    [],
  )
  return kept
}
