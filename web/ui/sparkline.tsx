// How a count went, as a small line from zero with the words that say the same; the line has no axes and is for the eye alone.

import { count } from '../util/words.ts'
import styles from './sparkline.module.css'

type Props = {
  /** One for each day, oldest first. */
  values: readonly number[]
  /** When each of the days begins, in UTC. */
  days: readonly string[]
  /** What the line shows, as a sentence. */
  words: string
}

/** Units of the drawing, of which a day is as wide as there is room for. */
const HEIGHT = 24
/** So that the line is not cut at the ends. */
const EDGE = 2

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const wordOf = (day: string | undefined): string => (day === undefined ? '' : dayFormat.format(new Date(day)))

export function Sparkline({ values, days, words }: Props) {
  const most = Math.max(0, ...values)
  const places = values.map(
    (value, day) => `${day},${HEIGHT - EDGE - (value / Math.max(1, most)) * (HEIGHT - 2 * EDGE)}`,
  )
  const highest = most === 0 ? 'none on any' : `at most ${count(most)}, on ${wordOf(days[values.lastIndexOf(most)])}`
  return (
    <span className={styles.sparkline} title={`By day since ${wordOf(days[0])}: ${highest}`}>
      <svg viewBox={`0 0 ${Math.max(1, values.length - 1)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        <polyline points={places.join(' ')} />
        {/* A line of no length with round ends is a point, however the drawing is stretched. */}
        <path d={`M${places.at(-1) ?? '0,0'}h0`} className={styles.now} />
      </svg>
      <span>{words}</span>
    </span>
  )
}
