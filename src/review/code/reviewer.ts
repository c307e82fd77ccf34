// The reviewer of a deploy's changed code: finds outside data that reaches a sink, and code that is flawed in itself.

import { severities } from '../../core/issue-words.ts'
import { masked, withoutSecrets } from '../../reports/secrets.ts'
import type { CodeObservation, Severity } from '../../reports/types.ts'
import { isExampleCode, isTestPath } from '../paths.ts'
import { type FoundSecret, scanSecrets } from '../secrets/scan.ts'
import { type ChangedFile, type ChangedHunk, type Found, REVIEW_TOOL, type Reviewer } from '../types.ts'
import { isReadable, readLanguages } from './parser.ts'
import { type Piece, type Risk, readPieces } from './pieces.ts'
import { once } from './tree.ts'

/** A file with longer lines, in characters, is bundled or generated and not written by people. */
const LONGEST_LINE = 5000

/** Lines of code that are shown before and after a finding. */
const AROUND = 2

export const code: Reviewer = {
  name: 'code',
  accepts: (file) => {
    const { kind, newPath } = file
    if (kind === 'DELETED' || newPath === null || isGenerated(newPath)) return false
    const language = spokenIn(file)
    return language !== null && readLanguages.includes(language)
  },
  read: readFile,
}

const isGenerated = (path: string) => /\.min\.[cm]?js$|(?:^|\/)(?:node_modules|vendor|bower_components)\//.test(path)

/** The programs that a script names in its first line, by the language that they run. */
const SCRIPTS: readonly [RegExp, string][] = [
  [/^#!.*\b(?:node|nodejs)\b/, 'JavaScript'],
  [/^#!.*\b(?:ts-node|tsx|deno|bun)\b/, 'TypeScript'],
  [/^#!.*\bpython[\d.]*\b/, 'Python'],
  [/^#!.*\bphp\b/, 'PHP'],
]

/** The language by the name of the file; where that has no extension, by its first line, if the diff shows it. */
function spokenIn({ language, path, hunks }: ChangedFile): string | null {
  if (language !== null || /\.[^/]*$/.test(path)) return language
  const [first] = hunks()
  const head = first?.newStart === 1 ? first.lines.find(({ mark }) => mark !== '-')?.text : undefined
  return SCRIPTS.find(([form]) => head !== undefined && form.test(head))?.[1] ?? null
}

function* readFile(file: ChangedFile): Iterable<Found> {
  const { path } = file
  const language = spokenIn(file)
  if (language === null) return
  if (!isReadable(language)) {
    const reason = `There is no parser of ${language} for this machine's platform: risky code was not looked for`
    yield { kind: 'NOTE', note: { kind: 'UNREAD', path, area: 'code', reason } }
    return
  }
  const pieces = file.hunks().map(pieceOf)
  if (pieces.some(({ lines }) => lines.some((line) => line.length > LONGEST_LINE))) {
    const reason = `It has lines of more than ${LONGEST_LINE} characters: risky code was not looked for`
    yield { kind: 'NOTE', note: { kind: 'UNREAD', path, area: 'code', reason } }
    return
  }
  const added = once(() => addedLines(file))
  const all = readPieces(language, pieces, (line) => added().has(line)) ?? []
  if (all.length === 0) return
  const texts = new Map(pieces.flatMap(({ first, lines }) => lines.map((text, at) => [first + at, text] as const)))
  const risks = all.filter(({ line }) => !isAllowed(texts, line))
  if (risks.length === 0) return
  const found = scanSecrets(path, file.bytes)
  const secrets = found.map(({ secret }) => secret)
  const isKnown = knownSecrets(language, pieces, risks, found)
  for (const risk of risks) {
    const observation = observationOf(path, risk, shownOf(texts, risk, secrets))
    yield { kind: 'OBSERVATION', observation, ...(isKnown(risk) ? { secretLine: risk.line } : {}) }
  }
}

/** Computed only on demand, because most files have no findings. */
const addedLines = (file: ChangedFile): ReadonlySet<number> =>
  new Set(file.hunks().flatMap(({ lines }) => lines.filter(({ mark }) => mark === '+').map(({ number }) => number)))

/**
 * Whether a finding is only about a secret on its line: without the secret, the rule no longer matches. A whole string
 * is replaced by a name, because an empty string may be a flaw of its own.
 */
function knownSecrets(
  language: string,
  pieces: readonly Piece[],
  risks: readonly Risk[],
  found: readonly FoundSecret[],
): (risk: Risk) => boolean {
  const byLine = new Map<number, string[]>()
  for (const { isRemoved, number, secret } of found)
    if (!isRemoved) byLine.set(number, [...(byLine.get(number) ?? []), secret])
  const doubtful = risks.filter(({ rule, line }) => rule.kind === 'secret' && byLine.has(line))
  if (doubtful.length === 0) return () => false
  const bare = pieces.map((piece) => ({
    ...piece,
    lines: piece.lines.map((text, at) => (byLine.get(piece.first + at) ?? []).reduce(withoutSecret, text)),
  }))
  const lines = new Set(doubtful.map(({ line }) => line))
  const others = readPieces(language, bare, (line) => lines.has(line)) ?? []
  return ({ rule, line }) =>
    rule.kind === 'secret' && byLine.has(line) && !others.some((other) => other.rule === rule && other.line === line)
}

const withoutSecret = (text: string, secret: string): string =>
  ['"', "'", '`'].reduce((left, quote) => left.replaceAll(quote + secret + quote, '__'), text).replaceAll(secret, '')

/** Allows a finding, in a comment on its line or alone on the line before. */
const ALLOWED = 'merlon:allow'
const COMMENT = /\/\/|#|\/\*|<!--/

function isAllowed(texts: ReadonlyMap<number, string>, line: number): boolean {
  const own = texts.get(line) ?? ''
  const before = (texts.get(line - 1) ?? '').trim()
  const at = own.indexOf(ALLOWED)
  return (at >= 0 && COMMENT.test(own.slice(0, at))) || (before.includes(ALLOWED) && before.search(COMMENT) === 0)
}

/** The lines with their secrets masked; if the finding is about a secret, with all quoted strings masked. */
function shownOf(
  texts: ReadonlyMap<number, string>,
  { rule }: Risk,
  secrets: readonly string[],
): ReadonlyMap<number, string> {
  const isSecret = rule.kind === 'secret'
  if (!isSecret && secrets.length === 0) return texts
  return new Map(
    [...texts].map(([line, text]) => {
      const hidden = withoutSecrets(text, secrets) ?? ''
      return [line, isSecret ? hidden.replace(QUOTED, (_, quote, held) => `${quote}${masked(held)}${quote}`) : hidden]
    }),
  )
}

const QUOTED = /(["'`])([^"'`\n]{4,2000})\1/g

function pieceOf({ lines, heading }: ChangedHunk): Piece {
  const after = lines.filter(({ mark }) => mark !== '-')
  return { first: after[0]?.number ?? 1, lines: after.map(({ text }) => text), heading }
}

/** Added to the message if the data is a function's argument. */
const FROM_CALLER = 'Here the data is a parameter: whether it comes from outside is not visible.'

function observationOf(
  path: string,
  { rule, line, column, steps, hasFlow, isGiven }: Risk,
  texts: ReadonlyMap<number, string>,
): CodeObservation {
  const place = (at: number) => `${path}:${at} ${(texts.get(at) ?? '').trim().slice(0, 200)}`
  const [first] = steps
  const around = [...texts]
    .filter(([at]) => at >= line - AROUND && at <= line + AROUND)
    .sort(([one], [other]) => one - other)
  const way = steps.map((step) => `- ${place(step.line)}`).join('\n')
  const known = isGiven ? lowered(rule.severity) : rule.severity
  const severity = isTestPath(path) || isExampleCode(path) ? inTest(known, rule) : known
  const message = isGiven ? `${rule.message} ${FROM_CALLER}` : rule.message
  return {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: REVIEW_TOOL,
    ruleId: rule.id,
    title: rule.title,
    description: hasFlow ? `${message}\n\nData flow:\n${way}` : rule.message,
    severity,
    cweIds: rule.cwe,
    solution: rule.fix,
    fileName: path,
    line,
    column,
    codeSnippet: around.map(([, text]) => text).join('\n'),
    firstLine: around[0]?.[0],
    ...(hasFlow && first
      ? {
          source: place(first.line),
          sink: place(line),
          flow: steps.map((step) => ({
            path,
            line: step.line,
            text: (texts.get(step.line) ?? '').trim().slice(0, 200),
          })),
          otherPlaces: steps.slice(0, -1).map((step) => ({ fileName: path, line: step.line })),
        }
      : {}),
  }
}

const lowered = (severity: Severity): Severity => severities[Math.max(severities.indexOf(severity) - 1, 0)] ?? severity

/** A secret in a test is two levels lower, as for the reviewer of secrets, because it seldom opens anything. */
const inTest = (severity: Severity, { kind }: Risk['rule']): Severity =>
  kind === 'secret' ? lowered(lowered(severity)) : lowered(severity)
