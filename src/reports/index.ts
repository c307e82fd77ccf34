// Reads a report of any format that the registry has, told by its content unless it is named.

import { headOf } from './detect.ts'
import * as registry from './registry.ts'
import { ReportFault, type ReportHead, type ReportReader, type ReportSource, type Row } from './types.ts'
import { unpacked } from './unpack.ts'

const readers: readonly ReportReader[] = Object.values(registry)

export const formats = readers.map(({ format, label }) => ({ format, label }))

/** The rows of a report. Throws ReportFault when the format is not known, or could be more than one. */
export async function readReport(
  packed: ReportSource,
  format: string | null,
): Promise<{ format: string; rows: AsyncIterable<Row> }> {
  const source = await unpacked(packed)
  const head = await headOf(source)
  const reader = format === null ? onlyOne(head) : named(format)
  const isDoubtful = format !== null && !isEmpty(head) && !reader.recognises(head)
  return { format: reader.format, rows: isDoubtful ? atLeastOne(reader, source) : reader.read(source) }
}

/** Of a report that does not look like the format that was named: no rows at all mean that it is another, not that it is clean. */
async function* atLeastOne(reader: ReportReader, source: ReportSource): AsyncGenerator<Row> {
  let count = 0
  for await (const row of reader.read(source)) {
    count += 1
    yield row
  }
  if (count === 0) throw new ReportFault(`The report is no ${reader.label}`)
}

const isEmpty = ({ text }: ReportHead): boolean => /^(?:null|\[\s*\])?$/.test(text.trim())

/** The formats that a report could be, by its beginning: one for every report that is one. */
export const recognised = (head: ReportHead): readonly string[] =>
  readers.filter((reader) => reader.recognises(head)).map((reader) => reader.format)

function onlyOne(head: ReportHead): ReportReader {
  const [format, ...others] = recognised(head)
  if (format === undefined) throw new ReportFault(`The report's format was not recognised; name it: ${known()}`)
  if (others.length > 0) {
    throw new ReportFault(`The report could be ${[format, ...others].join(' or ')}; name its format`)
  }
  return named(format)
}

function named(format: string): ReportReader {
  const reader = readers.find((each) => each.format === format.toLowerCase())
  if (reader) return reader
  throw new ReportFault(`There is no report format ${JSON.stringify(format.slice(0, 40))}; there are: ${known()}`)
}

const known = (): string => formats.map(({ format }) => format).join(', ')
