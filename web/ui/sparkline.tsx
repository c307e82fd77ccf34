// A count over time as a small line from zero, with words that say the same; the line has no axes and is hidden from assistive technology.

import { count } from '../util/words.ts'
import styles from './sparkline.module.css'

type Props = {
  /** One value a day, oldest first. */
  values: readonly number[]
  /** The start of each day in UTC. */
  days: readonly string[]
  /** A sentence that says what the line shows. */
  words: string
}

/** In units of the viewBox, whose width stretches to the space available. */
const HEIGHT = 24
/** Room for the stroke, so that it is not clipped at the top and bottom. */
const EDGE = 2

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const wordOf = (day: string | undefined): string => (day === undefined ? '' : dayFormat.format(new Date(day)))

/** What the line shows, for a tooltip. */
export function historyOf({ values, days }: Pick<Props, 'values' | 'days'>): string {
  const most = Math.max(0, ...values)
  const highest = most === 0 ? 'none' : `peak ${count(most)} on ${wordOf(days[values.lastIndexOf(most)])}`
  return `By day since ${wordOf(days[0])}: ${highest}`
}

export function Sparkline({ values, words }: Omit<Props, 'days'>) {
  const most = Math.max(0, ...values)
  const places = values.map(
    (value, day) => `${day},${HEIGHT - EDGE - (value / Math.max(1, most)) * (HEIGHT - 2 * EDGE)}`,
  )
  return (
    <span className={styles.sparkline}>
      <svg viewBox={`0 0 ${Math.max(1, values.length - 1)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        <polyline points={places.join(' ')} />
        {/* A zero-length line with round caps draws a dot that stays round, however the drawing is stretched. */}
        <path d={`M${places.at(-1) ?? '0,0'}h0`} className={styles.now} />
      </svg>
      <span>{words}</span>
    </span>
  )
}
