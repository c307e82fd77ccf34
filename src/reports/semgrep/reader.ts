// Reads `semgrep --json` (and Opengrep's, which is the same): code, supply chain and secrets. Source: Semgrep's documentation.

import { type Given, jsonRows } from '../json-rows.ts'
import { rememberer } from '../once.ts'
import { isSecretWeakness, maskedCode } from '../secrets.ts'
import type { FindingType, Observation, ReportHead, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import {
  at,
  code,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  object,
  paragraphs,
  severityOf,
  some,
  text,
  textAt,
  texts,
  uniq,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'
import { flowOfTrace } from './flow.ts'

export const semgrep: ReportReader = { format: 'semgrep', label: 'Semgrep JSON', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  if (!/^\s*\{/.test(head) || /"check_result"\s*:|"check_type"\s*:|"\$schema"\s*:/.test(head)) return false
  if (/"check_id"\s*:/.test(head) && /"extra"\s*:\s*\{/.test(head)) return true
  return /"results"\s*:\s*\[/.test(head) && /"paths"\s*:\s*\{\s*["}]|"skipped_rules"\s*:\s*\[/.test(head)
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const tellsBefore = rememberer()
  yield* jsonRows(source, ['results[]', 'errors[]'], (given) =>
    given.path === 'errors[]' ? errorRows(given) : rowsOf(given, tellsBefore),
  )
}

/** A file that Semgrep read only in part, or not at all; an error without a file is one of its rules or of the whole run. */
function* errorRows({ value, at: place }: Given): Iterable<Row> {
  const said = textAt(value, 'long_msg') ?? textAt(value, 'message') ?? textAt(value, 'type')
  const path = at(value, 'path')
  if (text(path) !== undefined) yield unseenRow('Semgrep', place, path, said)
  else if (text(at(value, 'level')) === 'error')
    yield { kind: 'TRUNCATED', reason: headline(said, 'Semgrep failed', 300) }
}

/** Semgrep tells a finding twice when two patterns of its rule match it. */
function* rowsOf({ value, at: place }: Given, tellsBefore: ReturnType<typeof rememberer>): Iterable<Row> {
  const ruleId = textAt(value, 'check_id')
  if (!isObject(value) || ruleId === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no rule (check_id)' }
    return
  }
  const { extra, path, start, end } = value
  const first = tellsBefore([ruleId, path, start, end, at(extra, 'message'), at(extra, 'sca_info')], place)
  if (first !== undefined) {
    yield { kind: 'PASSED_OVER', at: place, reason: `It is the same finding as ${first}` }
    return
  }
  yield { kind: 'OBSERVATION', at: place, observation: observationOf(value, ruleId) }
}

const severities: ReadonlyMap<string, Severity> = new Map([
  ['ERROR', 'HIGH'],
  ['WARNING', 'MEDIUM'],
  ['INFO', 'LOW'],
  ['INVENTORY', 'NOTIFICATION'],
  ['EXPERIMENT', 'NOTIFICATION'],
])

function observationOf(result: Fields, ruleId: string): Observation {
  const extra = object(result.extra)
  const metadata = object(extra.metadata)
  const message = text(extra.message)
  const severity = text(extra.severity)?.toUpperCase() ?? ''
  const fix = code(extra.fix, 5000)
  const sca = object(extra.sca_info)
  const cweIds = cwesIn(metadata.cwe, metadata['cwe-id'])
  const common = {
    toolName: 'Semgrep',
    ruleId,
    title: headline(message, ruleId),
    description: message,
    severity: severities.get(severity) ?? severityOf(severity),
    cweIds,
    reference: links(...texts(metadata.references), text(metadata.source), text(metadata['source-rule-url'])),
    solution: paragraphs(text(metadata.fix), fix === undefined ? undefined : `Semgrep proposes this code:\n${fix}`),
    tags: some(
      uniq([...texts(metadata.owasp), ...texts(metadata.technology), ...texts(metadata.category)]).slice(0, 30),
    ),
    ...fingerprintOf(known(extra.fingerprint)),
    decision: decisionOf(extra),
  }
  const found = at(sca, 'dependency_match', 'found_dependency')
  const name = textAt(found, 'package')
  if (name !== undefined) {
    return {
      ...common,
      type: 'SCA_FINDING',
      kind: 'COMPONENT',
      vulnerabilityIds: vulnerabilityIdsIn(metadata['sca-vuln-database-identifier'], metadata.cve, message, ruleId),
      package: name,
      affectedVersion: textAt(found, 'version'),
      patchedVersion: textAt(metadata, 'sca-fix-versions', 0, name),
      packageManager: textAt(found, 'ecosystem'),
      fileName: text(at(sca, 'dependency_match', 'lockfile') ?? at(found, 'lockfile_path') ?? result.path),
    }
  }
  const type = typeOf(ruleId, extra, metadata)
  const lines = known(extra.lines, code)
  const isSecret = type === 'SECRET_FINDING' || isSecretWeakness(cweIds)
  const line = whole(at(result, 'start', 'line'))
  return {
    ...common,
    type,
    kind: 'CODE',
    vulnerabilityIds: vulnerabilityIdsIn(metadata.cve),
    fileName: text(result.path),
    line,
    column: whole(at(result, 'start', 'col')),
    codeSnippet: lines !== undefined && isSecret ? maskedCode(lines) : lines,
    firstLine: lines === undefined ? undefined : line,
    ...flowOfTrace(extra.dataflow_trace, isSecret),
  }
}

function typeOf(ruleId: string, extra: Fields, metadata: Fields): FindingType {
  const isSecret = /(?:^|\.)secrets\./.test(ruleId) || texts(metadata.technology).includes('secrets')
  if (isSecret || text(extra.validation_state) !== undefined) return 'SECRET_FINDING'
  return /^(?:terraform|dockerfile|yaml\.kubernetes|yaml\.docker-compose|json\.aws)\./.test(ruleId)
    ? 'IAC_FINDING'
    : 'SAST_FINDING'
}

/** Without a login Semgrep writes `requires login` in place of fingerprints and lines. */
const known = (value: unknown, take: typeof code = text): string | undefined =>
  value === 'requires login' ? undefined : take(value, 20_000)

/**
 * The hash of rule, path and matched code. A number behind it counts the equal matches of a file from its top, so that it is another's
 * once one above comes or goes: without it the hash speaks for all of them.
 */
function fingerprintOf(given: string | undefined): Pick<Observation, 'fingerprint' | 'partialFingerprint'> {
  const numbered = /^(.+)_\d+$/.exec(given ?? '')
  return numbered ? { partialFingerprint: numbered[1] } : { fingerprint: given }
}

function decisionOf(extra: Fields): Observation['decision'] {
  if (extra.is_ignored === true) return { status: 'SUPPRESSED', reason: 'Ignored in the source code (nosemgrep)' }
  const state = text(extra.validation_state)
  if (state === 'NO_VALIDATOR' || state === undefined) return undefined
  return /INVALID/.test(state) ? { status: 'SUPPRESSED', reason: 'The secret is not valid any more' } : undefined
}
