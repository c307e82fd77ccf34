// Reads the pieces of a changed file for risky code, and keeps what an added line has a part in.

import { openEnvironment } from './engine/environment.ts'
import { readStatements } from './engine/read.ts'
import { type Flow, HERE, isOutside, type Step } from './engine/value.ts'
import { isReadable, parsed, rulesFor } from './parser.ts'
import { isSentence } from './prose.ts'
import { type Rule, rulebook } from './rules.ts'
import { joinedText, textOf } from './text.ts'
import { hotOf } from './words.ts'

/**
 * Lines of a file after a change that follow each other, `first` counting from 1. `heading` is the line before them that
 * the diff shows beside their place: the last one that begins with a letter, for most.
 */
export type Piece = { first: number; lines: readonly string[]; heading?: string }

const IMPORTS = /\b(?:import|require|use)\b/

/** Lines count from 1. `steps` go from the source to the place; one where the code is at fault by itself. */
export type Risk = {
  rule: Rule
  line: number
  column: number
  steps: readonly { line: number; column: number }[]
  hasFlow: boolean
  /** the data is what a caller gives who is not seen */
  isGiven: boolean
}

/**
 * What rules say of the pieces, each read by itself with the imports of those before it. Null where the language is not
 * read on this machine.
 */
export function readPieces(
  language: string,
  pieces: readonly Piece[],
  isAdded: (line: number) => boolean,
): Risk[] | null {
  const rules = rulesFor(language)
  if (rules === null || !isReadable(language)) return null
  const book = rulebook(rules)
  const risks: Risk[] = []
  const environment = openEnvironment(null)
  const texts = pieces.map(({ lines }) => textOf(lines.join('\n'), book.trigger.isCaseless))
  const whole = joinedText(texts)
  const hot = texts.map((text) => hotOf(book.trigger, text, whole))
  if (!hot.some((each) => each !== null)) return risks
  for (const [at, { first, heading }] of pieces.entries()) {
    const text = texts[at]?.code ?? ''
    const own = hot[at] ?? null
    if (!own && !IMPORTS.test(text)) continue
    const code = parsed(language, text, first === 1)
    if (code === null) return null
    const offset = first - code.shift
    const names = openEnvironment(environment)
    const hits = readStatements(book, own, code.statements, names)
    if (hits.length > 0 && (isBelowProse(language, heading, text) || code.isProse())) continue
    for (const { rule, line, column, flow } of hits) {
      const steps = flow ? stepsOf(flow, { line, column }) : [{ line, column }]
      const placed = steps.map((step) => ({ line: step.line + offset, column: step.column + 1 }))
      if (!placed.some((step) => isAdded(step.line))) continue
      risks.push({
        rule,
        line: line + offset,
        column: column + 1,
        steps: placed,
        hasFlow: flow !== null,
        isGiven: flow !== null && !isOutside(flow),
      })
    }
    for (const [name, known] of names.names) {
      const paths = known.closure ? [HERE] : known.paths
      if (paths.length > 0 && known.flows.length === 0)
        environment.names.set(name, { ...known, paths, closure: null, items: null, rest: null, constant: undefined })
    }
  }
  return risks
}

/** In Go all declarations begin with a letter at the margin: a sentence that is the last line to do so is still going on. */
const isBelowProse = (language: string, heading = '', text: string): boolean =>
  language === 'Go' && !text.includes('*/') && isSentence(heading)

function stepsOf({ last }: Flow, end: { line: number; column: number }): { line: number; column: number }[] {
  const steps = [end]
  for (let at: Step | null = last; at; at = at.before) {
    const { line, column } = at
    if (steps[0]?.line !== line) steps.unshift({ line, column })
  }
  return steps
}
