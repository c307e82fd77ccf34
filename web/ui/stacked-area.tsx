// Counts over time as a stacked area chart from zero, with a table of the same figures.

import { scaleLinear, scaleUtc } from 'd3-scale'
import { area, curveMonotoneX, type SeriesPoint, stack } from 'd3-shape'
import { type Dispatch, type KeyboardEvent, type ReactNode, type SetStateAction, useCallback, useState } from 'react'
import { Link } from 'react-router'
import { count } from '../util/words.ts'
import styles from './stacked-area.module.css'

/** `path` is the list behind the last value; `mark` is how the console marks the layer elsewhere. */
type Layer = { name: string; tone: string; values: readonly number[]; path?: string; mark: ReactNode }

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
  return (
    <figure className={styles.figure}>
      <Drawing label={label} moments={moments} layers={layers} at={at} onAt={setAt} />
      <Caption moments={moments} layers={layers} at={at} />
      <details className={styles.table}>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <section className={styles.rows} tabIndex={0} aria-label={`${label}, as a table`}>
          <Figures moments={moments} layers={layers} />
        </section>
      </details>
    </figure>
  )
}

/** `at` is the index of the moment whose values are read; null while none is pointed at. */
type Read = { at: number | null; onAt: Dispatch<SetStateAction<number | null>> }

function Drawing({ label, moments, layers, at, onAt }: Props & Read) {
  const { width, measured } = useWidth()
  const times = moments.map((moment) => new Date(moment))
  const { x, y, shapes } = scaled(times, layers, width)
  const last = times.at(-1) ?? new Date(0)
  const walk = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onAt((before) => Math.min(moments.length - 1, Math.max(0, (before ?? moments.length - 1) + by)))
  }
  return (
    <svg
      ref={measured}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move through its values
      tabIndex={0}
      onKeyDown={walk}
      onPointerLeave={() => onAt(null)}
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        onAt(nearest(times, x.invert(((event.clientX - box.left) / box.width) * width)))
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
  )
}

/** The width of a drawing, in pixels. */
function useWidth() {
  const [width, setWidth] = useState(WIDEST)
  const measured = useCallback((drawing: SVGSVGElement) => {
    const seen = new ResizeObserver(([entry]) => setWidth(Math.max(NARROWEST, entry?.contentRect.width ?? 0)))
    seen.observe(drawing)
    return () => seen.disconnect()
  }, [])
  return { width, measured }
}

/** The scales of a drawing of this width, and the shape of each layer. */
function scaled(times: readonly Date[], layers: readonly Layer[], width: number) {
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
  const shapes = stacked([...times.keys()]).map((layer) => ({ ...layer.key, path: shapeOf(layer) ?? '' }))
  return { x, y, shapes }
}

type Told = Omit<Props, 'label'>

/** The values at the moment that is pointed at, or else the last ones, which link to their lists. */
function Caption({ moments, layers, at }: Told & Pick<Read, 'at'>) {
  const shown = at ?? moments.length - 1
  const moment = moments[shown]
  return (
    <figcaption className={styles.caption} aria-live="polite">
      <span>{moment && day.format(new Date(moment))}</span>
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
  )
}

const Figures = ({ moments, layers }: Told) => (
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
)
