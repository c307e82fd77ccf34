// Remembers the place in a list for each entry of the browser's history, so that Back returns to it.

import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Keyed by history entry and list; the value is a number of loaded pages or of scrolled pixels. */
const places = new Map<string, number>()

/**
 * Returns what `read` gave when this list was last left in the current history entry, or undefined if it was not. The
 * value is saved again when the component unmounts.
 */
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
