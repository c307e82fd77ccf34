// The report formats that are read, one line each, in the order in which a report is tried against them.

import { headOf } from './detect.ts'
import { ReportFault, type ReportReader, type ReportSource, type Row } from './types.ts'
import { unpacked } from './unpack.ts'

const readers: readonly ReportReader[] = []

export const formats = readers.map(({ format, label }) => ({ format, label }))

/** The rows of a report, whose format is told by its content unless it is named. Throws ReportFault. */
export async function readReport(
  packed: ReportSource,
  format: string | null,
): Promise<{ format: string; rows: AsyncIterable<Row> }> {
  const source = await unpacked(packed)
  const reader = format === null ? await recognised(source) : readers.find((each) => each.format === format)
  if (!reader) throw new ReportFault(unknown(format))
  return { format: reader.format, rows: reader.read(source) }
}

async function recognised(source: ReportSource): Promise<ReportReader | undefined> {
  const head = await headOf(source)
  return readers.find((reader) => reader.recognises(head))
}

const unknown = (format: string | null): string => {
  const known = formats.map((each) => each.format).join(', ')
  return format === null
    ? `The report's format was not recognised; name it, one of: ${known}`
    : `There is no report format ${JSON.stringify(format.slice(0, 40))}; there are: ${known}`
}
