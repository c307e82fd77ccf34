// Variables that look like settings and are none, each with the setting that was probably meant.

import { settingNames } from './config.ts'

/** What the command line reads beside the settings. */
const OF_COMMANDS = ['MERLON_URL', 'MERLON_API_KEY', 'MERLON_GATE_WAIT']

/** One sentence for each variable MERLON_… that nothing reads. */
export function findUnknownSettings(environment: Record<string, string | undefined>): string[] {
  const known = [...settingNames, ...OF_COMMANDS]
  return Object.keys(environment)
    .filter((name) => name.startsWith('MERLON_') && !known.includes(name))
    .map((name) => `${name} is no setting, and is not read; the nearest is ${nearest(name, known)}`)
}

const nearest = (name: string, known: readonly string[]): string | undefined =>
  known.toSorted((left, right) => distance(name, left) - distance(name, right))[0]

/** Characters to insert, remove or replace to make one of the other (Levenshtein). */
function distance(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, character] of [...from].entries()) {
    const line = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const [above = 0, beside = 0, left = 0] = [before[column + 1], before[column], line[column]]
      line.push(Math.min(above + 1, left + 1, beside + (character === other ? 0 : 1)))
    }
    before = line
  }
  return before[to.length] ?? 0
}
