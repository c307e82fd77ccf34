// The reviewer of a deploy's changed code: finds outside data that reaches a sink, and code that is flawed in itself.

import { masked, withoutSecrets } from '../../reports/secrets.ts'
import type { CodeObservation } from '../../reports/types.ts'
import { scanSecrets } from '../secrets/scan.ts'
import { type ChangedFile, type ChangedHunk, type Found, REVIEW_TOOL, type Reviewer } from '../types.ts'
import { isReadable, readLanguages } from './parser.ts'
import { type Piece, type Risk, readPieces } from './pieces.ts'

/** Characters of one line past which a file is not source that people write: bundled or generated. */
const LONGEST_LINE = 5000

/** Lines of code around a finding that are shown. */
const AROUND = 2

export const code: Reviewer = {
  name: 'code',
  accepts: ({ language, kind, newPath }) =>
    kind !== 'DELETED' &&
    newPath !== null &&
    language !== null &&
    readLanguages.includes(language) &&
    !isGenerated(newPath),
  read: readFile,
}

const isGenerated = (path: string) => /\.min\.[cm]?js$|(?:^|\/)(?:node_modules|vendor|bower_components)\//.test(path)

const isTest = (path: string) =>
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures|examples?)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+\.py$|Tests?\.(?:java|php)$|_test\.go$/.test(
    path,
  )

function* readFile(file: ChangedFile): Iterable<Found> {
  const { path, language } = file
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
  const added = new Set(
    file.hunks().flatMap(({ lines }) => lines.filter(({ mark }) => mark === '+').map(({ number }) => number)),
  )
  const texts = new Map(pieces.flatMap(({ first, lines }) => lines.map((text, at) => [first + at, text] as const)))
  const risks = (readPieces(language, pieces, (line) => added.has(line)) ?? []).filter(
    ({ line }) => !isAllowed(texts, line),
  )
  if (risks.length === 0) return
  const secrets = scanSecrets(path, file.bytes).map(({ secret }) => secret)
  for (const risk of risks)
    yield { kind: 'OBSERVATION', observation: observationOf(path, risk, shownOf(texts, risk, secrets)) }
}

/** What allows a finding to stand, in a comment on its line or alone on the line before. */
const ALLOWED = 'merlon:allow'
const COMMENT = /\/\/|#|\/\*|<!--/

function isAllowed(texts: ReadonlyMap<number, string>, line: number): boolean {
  const own = texts.get(line) ?? ''
  const before = (texts.get(line - 1) ?? '').trim()
  const at = own.indexOf(ALLOWED)
  return (at >= 0 && COMMENT.test(own.slice(0, at))) || (before.includes(ALLOWED) && before.search(COMMENT) === 0)
}

/** The lines without the secrets in them; where the finding is a secret, without any text in quotes. */
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

/** Said where a function harms by what it is given. */
const FROM_CALLER = 'Here it is what a caller gives: that it comes from outside is not seen.'

const severities = ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const

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
  const severity = isTest(path) ? inTest(known, rule) : known
  const message = isGiven ? `${rule.message} ${FROM_CALLER}` : rule.message
  return {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: REVIEW_TOOL,
    ruleId: rule.id,
    title: rule.title,
    description: hasFlow ? `${message}\n\nFrom the source to the place:\n${way}` : rule.message,
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

type Severity = (typeof severities)[number]

const lowered = (severity: Severity): Severity => severities[Math.max(severities.indexOf(severity) - 1, 0)] ?? severity

/** A secret in a test weighs as little as where the detectors of secrets find it: it seldom opens anything. */
const inTest = (severity: Severity, { kind }: Risk['rule']): Severity =>
  kind === 'secret' ? lowered(lowered(severity)) : lowered(severity)
