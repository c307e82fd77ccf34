// Reads a model's YAML: strictly, but for the last line of a quoted text, which may stand to the left of it as other readers let it.

import { CORE_SCHEMA, load, YAMLException } from 'js-yaml'
import { ThreatModelFault } from './types.ts'

/** An alias repeats what its anchor has, so that few of them make a huge tree: more than these are refused. */
const MOST_ALIASES = 100
const DEEPEST = 50

/** Characters that are read again because of lines that stand too far left, each of which costs one more reading. */
const MOST_READ_AGAIN = 16 * 1024 * 1024
const MOST_LINES = 100

/** Spaces put before such a line: further right than anything it can belong to. Quoted text begins behind them. */
const FURTHER_RIGHT = ' '.repeat(200)

/** What js-yaml says of a line in quotes or brackets that is not further right than the key it belongs to. */
const TOO_FAR_LEFT = 'deficient indentation'

/** Throws ThreatModelFault, with the line, for what is no YAML. */
export function parseYaml(text: string): unknown {
  const most = Math.min(MOST_LINES, MOST_READ_AGAIN / text.length)
  let mended = text
  for (let lines = 0; ; lines++) {
    try {
      return load(mended, { schema: CORE_SCHEMA, maxAliases: MOST_ALIASES, maxDepth: DEEPEST })
    } catch (error) {
      const moved = lines < most ? withLastLineMoved(mended, error) : null
      if (moved === null) throw new ThreatModelFault(`The file is not valid YAML: ${reasonOf(error)}`)
      mended = moved
    }
  }
}

/**
 * The text with the line at fault further right, if that ends a quoted text and holds nothing behind it; else null. A text whose quote is
 * missing would otherwise go on through the keys below it.
 */
function withLastLineMoved(text: string, error: unknown): string | null {
  if (!(error instanceof YAMLException) || error.reason !== TOO_FAR_LEFT || !error.mark) return null
  const { position } = error.mark
  const [line = ''] = text.slice(position, position + LONGEST_LAST_LINE).split(/[\r\n]/)
  return isLastLine(line.trimEnd()) ? `${text.slice(0, position)}${FURTHER_RIGHT}${text.slice(position)}` : null
}

const LONGEST_LAST_LINE = 1000

/** Whether its only quote of that kind ends it. */
const isLastLine = (line: string): boolean => /^[^']*'$|^[^"]*(?<!\\)"$/.test(line)

function reasonOf(error: unknown): string {
  if (error instanceof YAMLException && error.mark && error.reason === TOO_FAR_LEFT) {
    return `line ${error.mark.line + 1} goes on with a quoted text or a bracket, and must be indented further than the key that it belongs to`
  }
  const [line = ''] = error instanceof Error ? error.message.split('\n') : []
  return line.slice(0, 200)
}
