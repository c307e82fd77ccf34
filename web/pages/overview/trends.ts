// The trend of each figure on the overview over thirty days, with words for it.

import { count } from '../../util/words.ts'
import type { TrendsAnswer } from './documents.ts'

/** The days that a sparkline shows, and the length of the previous period that its words compare it with. */
export const DAYS = 30

/** `values` has one entry for each of `days`. */
export type FigureTrend = { values: number[]; days: string[]; words: string }

type Day = { start: string }

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/**
 * The trend of events, compared by their sums over two periods. `what` is a verb, needed where the figure's name alone
 * does not say what happened.
 */
function happening<T extends Day>(found: readonly T[], countOf: (day: T) => number, what = ''): FigureTrend {
  const lately = found.slice(-DAYS)
  const values = lately.map(countOf)
  const [now, before] = [sum(values), sum(found.slice(-2 * DAYS, -DAYS).map(countOf))]
  const verb = what === '' ? '' : ` ${what}`
  const words =
    now === 0 && before === 0
      ? `None${verb} in ${2 * DAYS} days`
      : `${now === 0 ? 'None' : count(now)}${verb} in ${DAYS} days, ${before === 0 ? 'none' : count(before)}\u00a0in\u00a0the ${DAYS} before`
  return { values, days: lately.map(({ start }) => start), words }
}

/** The trend of a stock: its count at the end of each day. */
function standing<T extends Day>(found: readonly T[], countOf: (day: T) => number): FigureTrend {
  const lately = found.slice(-DAYS)
  const values = lately.map(countOf)
  const before = found.at(-1 - DAYS)
  const past = before ? countOf(before) : 0
  return { values, days: lately.map(({ start }) => start), words: differenceOf(values.at(-1) ?? 0, past) }
}

function differenceOf(now: number, past: number): string {
  if (now === past) return now === 0 ? `None, same as ${DAYS} days ago` : `Same as ${DAYS} days ago`
  return `${count(Math.abs(now - past))} ${now > past ? 'more' : 'fewer'} than ${DAYS} days ago`
}

export const trendsOf = ({ issuesTrend, troubleTrend }: TrendsAnswer) => ({
  opened: happening(issuesTrend, ({ opened }) => opened.all, 'opened'),
  breached: standing(troubleTrend, ({ breachedIssues }) => breachedIssues),
  blocked: happening(troubleTrend, ({ blockedDeploys }) => blockedDeploys),
  failed: happening(troubleTrend, ({ failedScans }) => failedScans),
})
