// Reads `tfsec -f json`: misconfigurations in Terraform.

import { type Given, jsonRows } from '../json-rows.ts'
import type { CodeObservation, ReportHead, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import {
  at,
  type Fields,
  headline,
  isObject,
  links,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  whole,
} from '../values.ts'

export const tfsec: ReportReader = { format: 'tfsec', label: 'tfsec JSON', recognises, read }

/** Where it finds nothing it writes `{"results": null}`, as others might. */
function recognises({ name, text: head }: ReportHead): boolean {
  if (/^\s*\{\s*"results"\s*:\s*(?:null|\[\s*\])\s*\}\s*$/.test(head)) return /tfsec/i.test(name)
  return (
    /^\s*\{\s*"results"\s*:\s*\[\s*\{/.test(head) && /"rule_provider"\s*:/.test(head) && /"location"\s*:/.test(head)
  )
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['results[]'], rowsOf)
}

/** Versions before 1 wrote words; since then 0 failed, 1 passed, 2 ignored. */
const isPassed = ({ passed, status }: Fields): boolean => passed === true || status === 1 || status === 'passed'
const isIgnored = ({ status }: Fields): boolean => status === 2 || status === 'ignored'

function* rowsOf({ value, at: place }: Given): Iterable<Row> {
  const rule = textAt(value, 'long_id') ?? textAt(value, 'rule_id')
  if (!isObject(value) || rule === undefined) yield { kind: 'LEFT_OUT', at: place, reason: 'It names no rule' }
  else if (!isPassed(value)) yield { kind: 'OBSERVATION', at: place, observation: observedOf(value, rule) }
}

function observedOf(result: Fields, rule: string): CodeObservation {
  const [about, said, resource] = [text(result.rule_description), text(result.description), text(result.resource, 500)]
  const line = whole(at(result.location, 'start_line'))
  return {
    kind: 'CODE',
    type: 'IAC_FINDING',
    toolName: 'tfsec',
    ruleId: rule,
    title: headline(about ?? said, rule),
    description: paragraphs(said, text(result.impact), resource && `Resource ${resource}`),
    severity: before1.get(text(result.severity, 20) ?? '') ?? severityOf(result.severity),
    reference: links(...texts(result.links), /https?:\S+/.exec(text(result.link, 500) ?? '')?.[0]),
    solution: text(result.resolution),
    fileName: textAt(result.location, 'filename'),
    line,
    decision: isIgnored(result) ? { status: 'SUPPRESSED', reason: 'It is ignored in the code.' } : undefined,
  }
}

const before1: ReadonlyMap<string, Severity> = new Map([
  ['ERROR', 'HIGH'],
  ['WARNING', 'MEDIUM'],
  ['INFO', 'LOW'],
])
