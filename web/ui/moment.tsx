// A moment in relative terms; the exact time is shown on hover, and is what a copy of the page contains.

import { useEffect, useState } from 'react'
import { ago, exact } from '../util/words.ts'

const EVERY_MINUTE = 60_000

export function Moment({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MINUTE)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={exact(at)}>
      {ago(Date.parse(at), now)}
    </time>
  )
}
