// A data flow from source to sink, with the steps that tools report.

import type { FlowStep } from './types.ts'

const MOST_STEPS = 100
const LONGEST_TEXT = 500
const LONGEST_PATH = 2000

/** The steps that have a path or a text; of a longer flow only the first and last 50; undefined if fewer than two are left. */
export function flowOf(steps: readonly FlowStep[]): readonly FlowStep[] | undefined {
  const telling = steps.filter(({ path, text }) => path !== undefined || text !== undefined)
  if (telling.length < 2) return undefined
  const half = MOST_STEPS / 2
  const kept = telling.length > MOST_STEPS ? [...telling.slice(0, half), ...telling.slice(-half)] : telling
  return kept.map(({ path, line, text }) => ({
    ...(path === undefined ? {} : { path: path.slice(0, LONGEST_PATH).toWellFormed() }),
    ...(line === undefined ? {} : { line }),
    ...(text === undefined ? {} : { text: text.slice(0, LONGEST_TEXT).toWellFormed() }),
  }))
}

/** A step as text: `path:line`, or whichever of them it has, or else its text. */
export const placeOfStep = ({ path, line, text }: FlowStep): string | undefined =>
  path === undefined ? text : line === undefined ? path : `${path}:${line}`
