// Counts over time, one layer on the other, drawn from zero; behind it a table with the same figures.

import { type KeyboardEvent, useState } from 'react'
import { count } from '../util/words.ts'
import styles from './stacked-area.module.css'

export type Layer = { name: string; tone: string; values: readonly number[] }

type Props = {
  label: string
  /** One for each value, oldest first. */
  moments: readonly string[]
  /** The lowest first. */
  layers: readonly Layer[]
}

const WIDTH = 1_100
const HEIGHT = 210
const FOOT = 20
const LEFT = 44

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** The next number that reads well: 1, 2 or 5 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 5, 10].map((times) => times * power).find((nice) => nice >= value) ?? value
}

export function StackedArea({ label, moments, layers }: Props) {
  const [at, setAt] = useState<number | null>(null)
  const totals = moments.map((_, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const top = niceAbove(Math.max(1, ...totals))
  const x = (index: number) => LEFT + (index / Math.max(1, moments.length - 1)) * (WIDTH - LEFT)
  const y = (value: number) => HEIGHT - FOOT - (value / top) * (HEIGHT - FOOT - 8)
  const below = moments.map(() => 0)
  const shapes = layers.map(({ name, tone, values }) => {
    const floor = [...below]
    for (const [index, value] of values.entries()) below[index] = (below[index] ?? 0) + value
    const upper = below.map((value, index) => `${x(index)},${y(value)}`)
    const lower = floor.map((value, index) => `${x(index)},${y(value)}`).reverse()
    return { name, tone, points: [...upper, ...lower].join(' ') }
  })
  const walk = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setAt((before) => Math.min(moments.length - 1, Math.max(0, (before ?? moments.length - 1) + by)))
  }
  const shown = at ?? moments.length - 1
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are walked with the arrow keys
        tabIndex={0}
        onKeyDown={walk}
        onPointerLeave={() => setAt(null)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          const part = ((event.clientX - box.left) / box.width) * WIDTH - LEFT
          setAt(Math.min(moments.length - 1, Math.max(0, Math.round((part / (WIDTH - LEFT)) * (moments.length - 1)))))
        }}
      >
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} className={styles.rule} />
            <text x={LEFT - 6} y={y(value) + 4} className={styles.scale} textAnchor="end">
              {count(value)}
            </text>
          </g>
        ))}
        {shapes.map(({ name, tone, points }) => (
          <polygon key={name} points={points} className={styles[tone]} />
        ))}
        {at !== null && <line x1={x(at)} x2={x(at)} y1={8} y2={HEIGHT - FOOT} className={styles.at} />}
        <text x={LEFT} y={HEIGHT - 4} className={styles.scale}>
          {moments[0] && day.format(new Date(moments[0]))}
        </text>
        <text x={WIDTH} y={HEIGHT - 4} className={styles.scale} textAnchor="end">
          {moments.at(-1) && day.format(new Date(moments.at(-1) ?? ''))}
        </text>
      </svg>
      <figcaption className={styles.caption} aria-live="polite">
        <span>{moments[shown] && day.format(new Date(moments[shown] ?? ''))}</span>
        {[...layers].reverse().map(({ name, tone, values }) => (
          <span key={name}>
            <span className={`${styles.key} ${styles[tone]}`} aria-hidden /> {name}{' '}
            <span className="number">{count(values[shown] ?? 0)}</span>
          </span>
        ))}
      </figcaption>
      <details className={styles.table}>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {layers.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moments.map((moment, index) => (
              <tr key={moment}>
                <th scope="row">{day.format(new Date(moment))}</th>
                {layers.map(({ name, values }) => (
                  <td key={name}>{count(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
