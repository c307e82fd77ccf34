// Finds environment variables that look like settings but are not, each with the setting that was probably meant.

import { guess } from './nearest.ts'
import { settingNames } from './settings.ts'

/** What the command line reads beside the settings. */
const OF_COMMANDS = ['MERLON_URL', 'MERLON_API_KEY', 'MERLON_GATE_WAIT']

/** One sentence for each variable MERLON_… that nothing reads. */
export function findUnknownSettings(environment: Record<string, string | undefined>): string[] {
  const known = [...settingNames, ...OF_COMMANDS]
  return Object.keys(environment)
    .filter((name) => name.startsWith('MERLON_') && !known.includes(name))
    .map((name) => `${name} is not a setting and has no effect${guess(name, known)}`)
}
