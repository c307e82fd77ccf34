// Reads Gitleaks' JSON, version 8 and earlier ones, with secrets or redacted. No secret is stored.

import { type Given, jsonRows } from '../json-rows.ts'
import { hiddenIn, secretTitle, withoutSecrets } from '../secrets.ts'
import type { CodeObservation, ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { code, type Fields, isObject, links, some, text, texts, whole } from '../values.ts'

export const gitleaks: ReportReader = { format: 'gitleaks', label: 'Gitleaks JSON', recognises, read }

function recognises({ name, text: head }: ReportHead): boolean {
  // What Gitleaks writes when it finds nothing says nothing of itself.
  if (/^\s*(?:null|\[\s*\])\s*$/.test(head)) return /gitleaks/i.test(name)
  if (!/^\s*\[/.test(head)) return false
  return (
    (/"RuleID"\s*:/.test(head) && /"(?:Secret|Match)"\s*:/.test(head)) ||
    (/"offender"\s*:/.test(head) && /"rule"\s*:/.test(head) && /"commit"\s*:/.test(head))
  )
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['[]'], rowsOf)
}

function* rowsOf({ value, at: place }: Given): Iterable<Row> {
  const isKnown = isObject(value) && (text(value.RuleID) ?? text(value.rule)) !== undefined
  if (!isKnown) yield { kind: 'LEFT_OUT', at: place, reason: 'It names no rule' }
  else yield { kind: 'OBSERVATION', at: place, observation: text(value.RuleID) ? ofEight(value) : ofSeven(value) }
}

const common = { kind: 'CODE', type: 'SECRET_FINDING', toolName: 'Gitleaks', severity: 'HIGH', cweIds: [798] } as const

function ofEight(leak: Fields): CodeObservation {
  const secrets = [code(leak.Secret)]
  const description = withoutSecrets(text(leak.Description), secrets)
  const commitRef = text(leak.Commit)
  const line = whole(leak.StartLine)
  return {
    ...common,
    ruleId: text(leak.RuleID),
    title: secretTitle(description ?? text(leak.RuleID)),
    description: describe(description, commitRef, leak.Author, leak.Date),
    reference: links(text(leak.Link)),
    tags: some(texts(leak.Tags)),
    // The line is that of the commit, which does not change; without a commit it is today's, and moves.
    fingerprint: commitRef === undefined ? undefined : text(leak.Fingerprint, 1000),
    fileName: text(leak.File),
    line,
    column: whole(leak.StartColumn),
    codeSnippet: hiddenIn(code(leak.Match, 20_000), secrets[0]),
    firstLine: line,
    commitRef,
  }
}

function ofSeven(leak: Fields): CodeObservation {
  const offender = code(leak.offender)
  const rule = text(leak.rule)
  const commitRef = text(leak.commit)
  const line = whole(leak.lineNumber)
  return {
    ...common,
    ruleId: rule,
    title: secretTitle(rule),
    description: describe(undefined, commitRef, leak.author, leak.date),
    reference: links(text(leak.leakURL)),
    tags: some((text(leak.tags) ?? '').split(',').flatMap((tag) => text(tag) ?? [])),
    fileName: text(leak.file),
    line,
    codeSnippet: hiddenIn(code(leak.line, 20_000) ?? offender, offender),
    firstLine: line,
    commitRef,
  }
}

function describe(said: string | undefined, commit: string | undefined, author: unknown, date: unknown): string {
  const who = [text(author, 200) && `by ${text(author, 200)}`, text(date, 100) && `on ${text(date, 100)}`]
    .filter(Boolean)
    .join(' ')
  const where = commit === undefined ? '' : `Introduced in commit ${commit.slice(0, 100)}${who && ` ${who}`}.`
  const what = 'Anyone who can read the repository can read the secret: revoke it, then remove it.'
  return [said, where, what].filter(Boolean).join('\n\n')
}
