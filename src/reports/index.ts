// Reads a report of any registered format, recognised by its content unless the caller names it.

import { offer } from '../core/nearest.ts'
import { headOf } from './detect.ts'
import { type Checkout, inRepository } from './in-repository.ts'
import * as registry from './registry.ts'
import {
  NotRecognised,
  type ReadRow,
  ReportFault,
  type ReportHead,
  type ReportReader,
  type ReportSource,
  type Row,
  UnknownFormat,
} from './types.ts'
import { unpackedAll, unpackedAlone } from './unpack.ts'
import { uniq } from './values.ts'

const readers: readonly ReportReader[] = Object.values(registry)

export const formats = readers.map(({ format, label }) => ({ format, label }))

/** `withdrawsStatements`: as of the readers, of one of them if there are several. */
export type ReadReport = { format: string; withdrawsStatements: boolean; rows: AsyncIterable<Row> }

/**
 * The rows of a report, or of the reports in a zip. Throws ReportFault if the format is unknown or ambiguous. With `acceptsEmpty`, a file that
 * holds nothing, which does not show its format, is a report in the plain form.
 */
export async function readReport(
  packed: ReportSource,
  format: string | null,
  checkout: Checkout = {},
  acceptsEmpty = false,
): Promise<ReadReport> {
  const [source, ...others] = await unpackedAll(packed)
  if (others.length > 0) return readAll([source, ...others], format, checkout)
  const { reader, read } = await readerOf(source, await formatNamed(source, format, acceptsEmpty))
  return { ...told([reader]), rows: inRepository(read(), checkout) }
}

/**
 * Throws as readReport if the beginning of the report shows that none can be read from it. A zip is not looked into, because each of its
 * files would have to be.
 */
export async function requireRecognised(
  packed: ReportSource,
  format: string | null,
  acceptsEmpty = false,
): Promise<void> {
  const source = await unpackedAlone(packed)
  if (source !== null) await readerOf(source, await formatNamed(source, format, acceptsEmpty))
}

/** The named format; without one, that of an empty report if `acceptsEmpty`, else null. */
async function formatNamed(source: ReportSource, format: string | null, acceptsEmpty: boolean): Promise<string | null> {
  if (format !== null || !acceptsEmpty) return format
  const head = await headOf(source)
  return isEmpty(head) && recognised(head).length === 0 ? registry.generic.format : null
}

const told = (used: readonly ReportReader[]): Omit<ReadReport, 'rows'> => ({
  format: uniq(used.map(({ format }) => format))
    .sort()
    .join(' + '),
  withdrawsStatements: used.some((reader) => reader.withdrawsStatements ?? false),
})

type Read = { reader: ReportReader; read: () => AsyncIterable<ReadRow> }

/** The report's reader and its rows. If the report does not look like the named format, at least one row is required. */
async function readerOf(source: ReportSource, format: string | null): Promise<Read> {
  const head = await headOf(source)
  const reader = format === null ? onlyOne(head) : named(format)
  const isDoubtful = format !== null && !isEmpty(head) && !reader.recognises(head)
  return { reader, read: () => (isDoubtful ? atLeastOne(reader, source) : reader.read(source)) }
}

/** One of several files; `fault` says why it is not a report, if it is none. */
type Part = { name: string } & ({ found: Read; fault: null } | { found: null; fault: ReportFault })

/** Combines several reports into one, whose format names all of theirs. Files that are not reports are left out. */
async function readAll(
  sources: readonly ReportSource[],
  format: string | null,
  checkout: Checkout,
): Promise<ReadReport> {
  const parts: Part[] = []
  for (const source of sources) parts.push(await partOf(source, format))
  const used = parts.flatMap(({ found }) => found?.reader ?? [])
  if (used.length === 0) throw faultOf(parts)
  return { ...told(used), rows: rowsOfAll(parts, checkout) }
}

/** Why none of the files is a report. */
function faultOf(parts: readonly Part[]): ReportFault {
  if (parts.every(({ fault }) => fault instanceof NotRecognised)) {
    return new NotRecognised(
      `The format of none of the ${parts.length} files in the zip was recognised; send one by itself, and name its format`,
    )
  }
  return new ReportFault(parts.map(({ name, fault }) => `${name}: ${fault?.message}`).join('; '))
}

async function partOf(source: ReportSource, format: string | null): Promise<Part> {
  const { name } = source
  try {
    return { name, found: await readerOf(source, format), fault: null }
  } catch (error) {
    if (!(error instanceof ReportFault) || format !== null) throw error
    return { name, found: null, fault: error }
  }
}

/** Each report has its file name as its scope, unless it names a scope itself. */
async function* rowsOfAll(parts: readonly Part[], checkout: Checkout): AsyncGenerator<Row> {
  for (const { name, found, fault } of parts) {
    yield { kind: 'SCOPE', scope: name }
    if (found === null) {
      yield { kind: MAY_BE_REPORT.test(name) ? 'LEFT_OUT' : 'PASSED_OVER', at: name, reason: fault.message }
      continue
    }
    for await (const row of inRepository(found.read(), checkout)) {
      if (row.kind === 'TRUNCATED') yield { ...row, reason: `${name}: ${row.reason}` }
      else if (row.kind === 'SCOPE') yield { ...row, scope: row.scope ?? name }
      else yield 'at' in row ? { ...row, at: `${name}: ${row.at}` } : row
    }
  }
}

/** Names of files of unknown format, which may contain findings that seem to be absent. */
const MAY_BE_REPORT = /\.(?:json|jsonl|ndjson|sarif|xml|csv|nessus|html)$/i

/** For a report that does not look like the named format: no rows mean that it is something else, not that it is clean. */
async function* atLeastOne(reader: ReportReader, source: ReportSource): AsyncGenerator<ReadRow> {
  let count = 0
  for await (const row of reader.read(source)) {
    count += 1
    yield row
  }
  if (count === 0) throw new ReportFault(`The report is not ${reader.label}`)
}

const isEmpty = ({ text }: ReportHead): boolean => /^(?:null|\[\s*\]|\{\s*\})?$/.test(text.trim())

/** The formats that a report could have, by its beginning; exactly one for a valid report. */
export const recognised = (head: ReportHead): readonly string[] =>
  readers.filter((reader) => reader.recognises(head)).map((reader) => reader.format)

function onlyOne(head: ReportHead): ReportReader {
  const [format, ...others] = recognised(head)
  if (format === undefined)
    throw new NotRecognised(`The report's format was not recognised; name it: ${known().join(', ')}`)
  if (others.length > 0) {
    throw new ReportFault(`The report could be ${[format, ...others].join(' or ')}; name its format`)
  }
  return named(format)
}

function named(format: string): ReportReader {
  const reader = readers.find((each) => each.format === format.toLowerCase())
  if (reader) return reader
  const given = format.slice(0, 40)
  throw new UnknownFormat(`There is no report format ${JSON.stringify(given)}${offer(given, known())}`)
}

const known = (): string[] => formats.map(({ format }) => format)
