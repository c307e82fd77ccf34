// Reads the output of `detect-secrets scan` and `audit`: a baseline of secrets by file, which contains only hashes.

import { createHash } from 'node:crypto'
import { type Given, jsonRows } from '../json-rows.ts'
import { secretTitle } from '../secrets.ts'
import type { CodeObservation, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { isObject, text, whole } from '../values.ts'

export const detectSecrets: ReportReader = {
  format: 'detect-secrets',
  label: 'detect-secrets baseline',
  recognises: ({ text: head }) =>
    /^\s*\{/.test(head) && /"plugins_used"\s*:\s*\[/.test(head) && /"(?:results|filters_used|exclude)"\s*:/.test(head),
  read,
}

/** Before version 1 a secret did not repeat its file name. */
function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['results.*[]'], rowsOf)
}

function* rowsOf({ value, keys, at }: Given): Iterable<Row> {
  const type = isObject(value) ? text(value.type) : undefined
  if (!isObject(value) || type === undefined) {
    yield { kind: 'LEFT_OUT', at, reason: 'It does not say what kind of secret it is' }
    return
  }
  const fileName = text(value.filename) ?? text(keys[1])
  const hash = text(value.hashed_secret, 200)
  const observation: CodeObservation = {
    kind: 'CODE',
    type: 'SECRET_FINDING',
    toolName: 'detect-secrets',
    ruleId: type,
    title: secretTitle(type),
    description: 'Anyone who can read the repository can read the secret: revoke it, then remove it.',
    severity: severityOf(type, value.is_verified === true),
    cweIds: [798],
    tags: value.is_secret === true ? ['audited'] : undefined,
    fingerprint: hash && digestOf(hash),
    partialFingerprint: hash && digestOf(hash, fileName),
    fileName,
    line: whole(value.line_number),
    decision:
      value.is_secret === false
        ? { status: 'FALSE_POSITIVE', reason: 'The audit of the baseline marks it as not a secret.' }
        : undefined,
  }
  yield { kind: 'OBSERVATION', at, observation }
}

/** Random-looking text is less often a secret than text in a service's own form. */
const severityOf = (type: string, isVerified: boolean): Severity =>
  isVerified ? 'CRITICAL' : /entropy/i.test(type) ? 'LOW' : 'MEDIUM'

/** A secret is identified by a part of its hash, too short to look it up in a table of hashes. */
const digestOf = (...parts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 6)
