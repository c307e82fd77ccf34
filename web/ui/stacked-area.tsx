// Counts over time as a stacked area chart from zero, with a table of the same figures.

import { scaleLinear, scaleUtc } from 'd3-scale'
import { area, curveMonotoneX, type SeriesPoint, stack } from 'd3-shape'
import { type KeyboardEvent, type ReactNode, useCallback, useState } from 'react'
import { Link } from 'react-router'
import { count } from '../util/words.ts'
import styles from './stacked-area.module.css'

/** `path` is the list behind the last value; `mark` is how the console marks the layer elsewhere. */
export type Layer = { name: string; tone: string; values: readonly number[]; path?: string; mark: ReactNode }

type Props = {
  label: string
  /** One moment for each value, oldest first. */
  moments: readonly string[]
  /** From the bottom upwards. */
  layers: readonly Layer[]
}

/** In pixels: the drawing takes the width of its container, so that its text keeps its size. */
const WIDEST = 1_100
const NARROWEST = 240
const HEIGHT = 210
/** The width that the label of a day needs on the time axis. */
const LABEL = 100
const FOOT = 20
const LEFT = 44
const RIGHT = 16

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** The index of the moment nearest to `time`. */
const nearest = (times: readonly Date[], time: Date): number => {
  const away = times.map((each) => Math.abs(each.getTime() - time.getTime()))
  return Math.max(0, away.indexOf(Math.min(...away)))
}

export function StackedArea({ label, moments, layers }: Props) {
  const [at, setAt] = useState<number | null>(null)
  const [width, setWidth] = useState(WIDEST)
  const measured = useCallback((drawing: SVGSVGElement) => {
    const seen = new ResizeObserver(([entry]) => setWidth(Math.max(NARROWEST, entry?.contentRect.width ?? 0)))
    seen.observe(drawing)
    return () => seen.disconnect()
  }, [])
  const times = moments.map((moment) => new Date(moment))
  const [first = new Date(0), last = first] = [times[0], times.at(-1)]
  const totals = times.map((_, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const x = scaleUtc([first, last], [LEFT, width - RIGHT])
  const y = scaleLinear([0, Math.max(1, ...totals)], [HEIGHT - FOOT, 8]).nice(4)
  const stacked = stack<unknown, number, Layer>()
    .keys(layers)
    .value((index, { values }) => values[index] ?? 0)
  const shapeOf = area<SeriesPoint<number>>()
    .x((_, index) => x(times[index] ?? first))
    .y0(([floor]) => y(floor))
    .y1(([, upper]) => y(upper))
    .curve(curveMonotoneX)
  const shapes = stacked([...moments.keys()]).map((layer) => ({ ...layer.key, path: shapeOf(layer) ?? '' }))
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
        ref={measured}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move through its values
        tabIndex={0}
        onKeyDown={walk}
        onPointerLeave={() => setAt(null)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          setAt(nearest(times, x.invert(((event.clientX - box.left) / box.width) * width)))
        }}
      >
        {y
          .ticks(4)
          .filter(Number.isInteger)
          .map((value) => (
            <g key={value}>
              <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} className={styles.rule} />
              <text x={LEFT - 6} y={y(value) + 4} className={styles.scale} textAnchor="end">
                {count(value)}
              </text>
            </g>
          ))}
        {shapes.map(({ name, tone, path }) => (
          <path key={name} d={path} className={styles[tone]} />
        ))}
        {at !== null && (
          <line x1={x(times[at] ?? last)} x2={x(times[at] ?? last)} y1={8} y2={HEIGHT - FOOT} className={styles.at} />
        )}
        {x.ticks(Math.max(1, Math.min(moments.length - 1, Math.floor(width / LABEL)))).map((time) => (
          <text
            key={time.getTime()}
            x={x(time)}
            y={HEIGHT - 4}
            className={styles.scale}
            textAnchor={x(time) > width - LABEL / 3 ? 'end' : 'middle'}
          >
            {day.format(time)}
          </text>
        ))}
      </svg>
      <figcaption className={styles.caption} aria-live="polite">
        <span>{moments[shown] && day.format(new Date(moments[shown] ?? ''))}</span>
        {[...layers].reverse().map(({ name, mark, values, path }) => {
          const figure = (
            <>
              {name} <span className="number">{count(values[shown] ?? 0)}</span>
            </>
          )
          return (
            <span key={name}>
              <span aria-hidden>{mark}</span>{' '}
              {at === null && path !== undefined ? <Link to={path}>{figure}</Link> : figure}
            </span>
          )
        })}
      </figcaption>
      <details className={styles.table}>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <section className={styles.rows} tabIndex={0} aria-label={`${label}, as a table`}>
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
        </section>
      </details>
    </figure>
  )
}
