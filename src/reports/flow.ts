// The way that data takes from where it comes in to where it does harm, as tools tell it step by step.

import type { FlowStep } from './types.ts'

const MOST_STEPS = 100
const LONGEST_TEXT = 500
const LONGEST_PATH = 2000

/** The steps that say something, of a longer way its two ends; nothing where fewer than two are left. */
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

/** A step as one text: `path:line`, or what it has of both, or its words. */
export const placeOfStep = ({ path, line, text }: FlowStep): string | undefined =>
  path === undefined ? text : line === undefined ? path : `${path}:${line}`
