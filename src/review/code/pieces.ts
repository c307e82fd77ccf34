// Reads the pieces of a changed file for risky code, and keeps the findings in which an added line takes part.

import { type Environment, openEnvironment } from './engine/environment.ts'
import { type Part, readParts } from './engine/read.ts'
import type { Hit } from './engine/reading.ts'
import { type Flow, HERE, isOutside, type Step } from './engine/value.ts'
import { linked } from './links.ts'
import { isReadable, type Parsed, parsed, rulesFor } from './parser.ts'
import { isSentence } from './prose.ts'
import { type Rule, rulebook } from './rules.ts'
import { joinedText, textOf } from './text.ts'
import { once } from './tree.ts'
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
  /** the data is an argument from a caller that is not visible */
  isGiven: boolean
}

/**
 * What rules say of the pieces. Those that call each other's functions are read together, the others by themselves, each
 * with the imports of those before it. Null where the language is not read on this machine.
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
  const texts = pieces.map(({ lines }) => textOf(lines.join('\n'), book.trigger.isCaseless))
  const whole = joinedText(texts)
  if (!hotOf(book.trigger, whole, whole)) return risks
  const around = openEnvironment(null)
  const groups = linked(texts.map(({ code }) => code))
  for (const group of groups) {
    const together = group.flatMap((at) => texts[at] ?? [])
    const hot = hotOf(book.trigger, joinedText(together), whole)
    // A group without anything for the rules is read only for its imports, which later pieces may use.
    if (!hot && (group === groups.at(-1) || !together.some(({ code }) => IMPORTS.test(code)))) continue
    const parts: Cut[] = []
    for (const at of group) {
      const [piece, code] = [pieces[at], texts[at]?.code ?? '']
      const found = piece && parsed(language, code, piece.first)
      if (!found) return null
      parts.push({ ...piece, ...found, isProse: once(found.isProse), code, environment: openEnvironment(around) })
    }
    for (const hit of readParts(book, hot, parts)) {
      const risk = riskOf(hit)
      if (risk.steps.some(({ line }) => isAdded(line)) && !parts.some((part) => isText(language, part, risk)))
        risks.push(risk)
    }
    for (const { environment } of parts) carry(environment, around)
  }
  return risks.sort((one, other) => one.line - other.line)
}

/** A piece with what the parser made of it. */
type Cut = Piece & Parsed & Part & { code: string }

/** The imports of a piece are known in later ones, as are the names that it defines. */
function carry({ names }: Environment, around: Environment): void {
  for (const [name, known] of names) {
    const paths = known.closure ? [HERE] : known.paths
    if (paths.length > 0 && known.flows.length === 0)
      around.names.set(name, { ...known, paths, closure: null, items: null, rest: null, constant: undefined })
  }
}

function riskOf({ rule, line, column, flow }: Hit): Risk {
  const steps = flow ? stepsOf(flow, { line, column }) : [{ line, column }]
  return {
    rule,
    line,
    column: column + 1,
    steps: steps.map((step) => ({ line: step.line, column: step.column + 1 })),
    hasFlow: flow !== null,
    isGiven: flow !== null && !isOutside(flow),
  }
}

/** Whether a step of the risk is in a piece that is the middle of a comment or a string. */
function isText(language: string, { first, lines, heading, code, isProse }: Cut, { steps }: Risk): boolean {
  if (!steps.some(({ line }) => line >= first && line < first + lines.length)) return false
  return isBelowProse(language, heading, code) || isProse()
}

/** In Go, declarations begin with a letter in the first column. If the last such line is a sentence, its comment still goes on. */
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
