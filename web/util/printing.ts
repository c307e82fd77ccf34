// Whether the page is being printed, reported in time for everything to be rendered.

import { useEffect, useState } from 'react'
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
