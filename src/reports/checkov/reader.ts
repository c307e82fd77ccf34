// Reads `checkov -o json`: one report, or a list of one for each framework that was checked.

import { NO_ROOTS, repositoryPath } from '../file-path.ts'
import type { Keys } from '../json-items.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { readJson } from '../json-walk.ts'
import { maskedCode } from '../secrets.ts'
import type { Observation, ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import {
  at,
  between,
  code,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  list,
  object,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'

export const checkov: ReportReader = { format: 'checkov', label: 'Checkov JSON', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  if (!/^\s*[[{]/.test(head)) return false
  if (/"check_type"\s*:/.test(head) && /"(?:results|passed_checks|failed_checks)"\s*:/.test(head)) return true
  return /"checkov_version"\s*:/.test(head) || (/"check_class"\s*:/.test(head) && /"bc_check_id"\s*:/.test(head))
}

const lists = ['results.failed_checks[]', 'results.skipped_checks[]', 'results.parsing_errors[]']

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const types = await typesOf(source)
  const paths = [...lists, ...lists.map((path) => `[].${path}`)]
  yield* jsonRows(source, paths, (given) => rowsOf(given, types.get(partOf(given.keys)) ?? ''))
}

const partOf = (keys: Keys): number => (typeof keys[0] === 'number' ? keys[0] : -1)

async function typesOf(source: ReportSource): Promise<ReadonlyMap<number, string>> {
  const types = new Map<number, string>()
  for await (const item of readJson(source.open(), ['check_type', '[].check_type'])) {
    if (item.kind === 'VALUE' && types.size < 10_000) types.set(partOf(item.keys), text(item.value, 100) ?? '')
  }
  return types
}

function* rowsOf({ path, value, at: place }: Given, checkType: string): Iterable<Row> {
  if (path.endsWith('parsing_errors[]')) {
    yield unseenRow('Checkov', place, value)
    return
  }
  const id = textAt(value, 'check_id')
  if (!isObject(value) || id === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no check (check_id)' }
  } else if (path.endsWith('skipped_checks[]')) {
    const comment = textAt(value, 'check_result', 'suppress_comment')?.slice(0, 300)
    yield { kind: 'PASSED_OVER', at: place, reason: `The check was skipped${comment ? `: ${comment}` : ''}` }
  } else yield { kind: 'OBSERVATION', at: place, observation: observationOf(value, id, checkType) }
}

function observationOf(check: Fields, ruleId: string, checkType: string): Observation {
  const name = text(check.check_name) ?? text(check.short_description)
  const resource = text(check.resource, 500)
  const common = {
    toolName: 'Checkov',
    ruleId,
    title: headline(name, ruleId),
    description: paragraphs(text(check.description), name, resource && `Resource: ${resource}`, connected(check)),
    severity: severityOf(check.severity),
    cweIds: cwesIn(check.cwe, at(check, 'check_result', 'cwe')),
    reference: links(text(check.guideline)),
    solution: typeof check.fixed_definition === 'string' ? text(check.fixed_definition) : undefined,
    tags: checkType === '' ? undefined : [checkType],
  }
  const fileName = text(check.repo_file_path ?? check.file_path)
  const details = object(check.vulnerability_details)
  const component = text(details.package_name, 300)
  if (component !== undefined) return { ...common, ...ofComponent(details, component, checkType), fileName }
  const [first] = list(check.file_line_range)
  const snippet = snippetOf(check.code_block)
  const isSecret = checkType === 'secrets' || /^CKV_SECRET/.test(ruleId)
  return {
    ...common,
    kind: 'CODE',
    type: isSecret ? 'SECRET_FINDING' : checkType.startsWith('sast') ? 'SAST_FINDING' : 'IAC_FINDING',
    fileName,
    line: whole(first) ?? snippet?.firstLine,
    codeSnippet: snippet && (isSecret ? maskedCode(snippet.code) : snippet.code),
    firstLine: snippet?.firstLine,
  }
}

function ofComponent(details: Fields, name: string, checkType: string) {
  const id = text(details.id, 100)
  return {
    kind: 'COMPONENT',
    type: checkType === 'sca_image' ? 'CONTAINER_FINDING' : 'SCA_FINDING',
    // The check's `id` is an index into a list that Checkov rebuilds each time.
    ruleId: id,
    title: `${id ?? 'Vulnerability'} in ${name}`,
    description: text(details.description),
    severity: severityOf(details.severity),
    cvssScore: between(details.cvss, 0, 10),
    cvssVector: cvssVectorOf(details.vector),
    vulnerabilityIds: vulnerabilityIdsIn(id),
    reference: links(text(details.link)),
    solution: text(details.status),
    package: name,
    affectedVersion: text(details.package_version, 200),
    patchedVersion:
      text(details.lowest_fixed_version, 200) ?? (texts(details.fix_version).join(', ').slice(0, 300) || undefined),
    packageManager: text(details.package_type, 100),
    image: text(details.image_name, 500),
  } as const
}

const connected = (check: Fields): string | undefined => {
  const caller = repositoryPath(check.caller_file_path, NO_ROOTS)
  const line = whole(at(check, 'caller_file_line_range', 0))
  return caller === undefined ? undefined : `Used by ${caller}${line === undefined ? '' : `:${line}`}`
}

/** Lines with their numbers: `[[1, "resource …\n"], …]`. */
function snippetOf(value: unknown): { code: string; firstLine?: number } | undefined {
  const lines = list(value).filter(Array.isArray).slice(0, 300)
  const words = code(lines.map((line) => (typeof line[1] === 'string' ? line[1] : '')).join(''), 20_000)
  return words === undefined ? undefined : { code: words, firstLine: whole(lines[0]?.[0]) }
}
