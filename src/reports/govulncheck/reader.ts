// Reads govulncheck's JSON: a stream of messages, the same in an array, and the single object of its first versions.

import { placeOf } from '../json-items.ts'
import { readJson } from '../json-walk.ts'
import { osvFields } from '../osv.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { at, type Fields, isObject, list, object, objects, paragraphs, text, textAt, whole } from '../values.ts'

export const govulncheck: ReportReader = {
  format: 'govulncheck',
  label: 'govulncheck JSON',
  recognises: ({ text: head }) =>
    (/"scanner_name"\s*:\s*"govulncheck"/.test(head) && !/"runs"\s*:\s*\[/.test(head)) ||
    (/"config"\s*:\s*\{/.test(head) && /"protocol_version"\s*:/.test(head)) ||
    /^\s*\{\s*"(Calls|Imports|Requires|Vulns)"\s*:/.test(head),
  read,
}

/** How near the program comes to the vulnerable code. */
type Reach = 'CALLED' | 'IMPORTED' | 'REQUIRED'

/** What the scanner found of one vulnerability in one module: the nearest of all its traces. */
type Found = {
  module: string
  version?: string
  fixed?: string
  reach: Reach
  place?: { fileName: string; line?: number }
  trace?: string
}

const reaches: readonly Reach[] = ['REQUIRED', 'IMPORTED', 'CALLED']

/** Vulnerabilities times modules of one report. */
const MOST_FOUND = 100_000

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const found = new Map<string, Map<string, Found>>()
  let count = 0
  for await (const item of readJson(source.open(), ['finding', '[].finding', 'Vulns[]'])) {
    if (item.kind === 'TRUNCATED') break
    if (item.kind === 'VALUE' && count < MOST_FOUND)
      count += note(found, item.path === 'Vulns[]' ? ofFirst(item.value) : ofNow(item.value))
    if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: placeOf(item.keys), reason: item.reason }
  }
  let cut: Row | null = null
  for await (const item of readJson(source.open(), ['osv', '[].osv', 'Vulns[].OSV'])) {
    if (item.kind === 'TRUNCATED') cut = item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: placeOf(item.keys), reason: item.reason }
    else yield* rowsOf(object(item.value), found)
  }
  for (const [id] of found) {
    yield { kind: 'LEFT_OUT', at: id, reason: 'The report does not contain the vulnerability that it refers to' }
  }
  if (cut !== null) yield cut
}

/** How many are remembered more than before. */
function note(found: Map<string, Map<string, Found>>, given: { id: string; found: Found } | null): number {
  if (given === null) return 0
  const modules = found.get(given.id) ?? new Map<string, Found>()
  found.set(given.id, modules)
  const known = modules.get(given.found.module)
  if (!known || reaches.indexOf(given.found.reach) > reaches.indexOf(known.reach))
    modules.set(given.found.module, given.found)
  return known ? 0 : 1
}

/** A vulnerability is told once, with what was found of it; one of which nothing was found is no finding. */
function* rowsOf(record: Fields, found: Map<string, Map<string, Found>>): Iterable<Row> {
  const id = text(record.id) ?? ''
  for (const [module, { version, fixed, reach, place, trace }] of found.get(id) ?? []) {
    const fields = osvFields(record, module)
    const observation = {
      kind: 'COMPONENT' as const,
      type: 'SCA_FINDING' as const,
      toolName: 'govulncheck',
      ...fields,
      description: paragraphs(sentences[reach], trace, fields.description),
      tags: [reach.toLowerCase()],
      package: module,
      affectedVersion: version,
      patchedVersion: fixed ?? fields.patchedVersion,
      packageManager: 'Go',
      fileName: place?.fileName ?? 'go.mod',
    }
    yield { kind: 'OBSERVATION', at: `finding ${id} ${module}`, observation }
  }
  found.delete(id)
}

const sentences: Record<Reach, string> = {
  CALLED: 'The program calls the vulnerable code.',
  IMPORTED: 'The program imports a vulnerable package, and does not call the vulnerable code.',
  REQUIRED: 'The program requires a vulnerable module, and does not import its vulnerable packages.',
}

/** The trace starts at the vulnerable code and ends in the program itself. */
function ofNow(value: unknown): { id: string; found: Found } | null {
  const [id, module] = [textAt(value, 'osv'), textAt(value, 'trace', 0, 'module')]
  if (!isObject(value) || id === undefined || module === undefined) return null
  const trace = objects(value.trace)
  const first = trace[0]
  const reach = text(first?.function) ? 'CALLED' : text(first?.package) ? 'IMPORTED' : 'REQUIRED'
  const inProgram = trace.findLast((frame) => text(frame.module) !== module && isObject(frame.position))
  const fileName = textAt(inProgram?.position, 'filename')
  const found = {
    module,
    version: text(first?.version),
    fixed: text(value.fixed_version),
    reach,
    place: fileName === undefined ? undefined : { fileName, line: whole(at(inProgram?.position, 'line')) },
    trace: trace.length < 2 ? undefined : `Called through ${trace.toReversed().slice(0, 30).map(nameOf).join(' → ')}`,
  } satisfies Found
  return { id, found }
}

function ofFirst(value: unknown): { id: string; found: Found } | null {
  const [id, module] = [textAt(value, 'OSV', 'id'), textAt(value, 'ModPath')]
  if (!isObject(value) || id === undefined || module === undefined) return null
  const reach = whole(value.CallSink) ? 'CALLED' : whole(value.ImportSink) ? 'IMPORTED' : 'REQUIRED'
  const trace =
    reach === 'CALLED'
      ? `Calls ${list([value.PkgPath, value.Symbol])
          .map((part) => text(part))
          .join('.')}`
      : undefined
  return { id, found: { module, reach, trace } }
}

const nameOf = (frame: Fields): string =>
  [text(frame.package) ?? text(frame.module), text(frame.function)].filter(Boolean).join('.')
