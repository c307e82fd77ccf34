// Whether the page is being printed, reported in time for everything to be rendered; and printing once what is still requested has arrived.

import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches)
  useEffect(() => {
    const media = matchMedia('print')
    // the browser prints what is in the DOM when the event handler returns, so the update must be synchronous
    const set = (is: boolean) => flushSync(() => setPrinting(is))
    const begin = () => set(true)
    const end = () => set(false)
    const change = () => set(media.matches)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    media.addEventListener('change', change)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
      media.removeEventListener('change', change)
    }
  }, [])
  return isPrinting
}

/** Milliseconds for which answers are waited for, and between two looks. */
const PATIENCE = 10_000
const LOOK = 50

/**
 * Prints parts of the page that are drawn for paper alone, once what they ask is there: by `print`, and by the browser's own key for
 * it. `isWhole` is whether they are to be drawn, and `whole` where.
 */
export function usePrintedWhole(): { isWhole: boolean; whole: RefObject<HTMLDivElement | null>; print: () => void } {
  const isPrinting = usePrinting()
  const [isPreparing, setPreparing] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isPreparing) return
    const began = performance.now()
    const timer = setInterval(() => {
      const isAwaited = whole.current === null || whole.current.querySelector('[role="status"]') !== null
      if (isAwaited && performance.now() - began < PATIENCE) return
      clearInterval(timer)
      window.print()
      setPreparing(false)
    }, LOOK)
    return () => clearInterval(timer)
  }, [isPreparing])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setPreparing(true)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return { isWhole: isPrinting || isPreparing, whole, print: () => setPreparing(true) }
}
