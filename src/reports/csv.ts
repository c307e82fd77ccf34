// Reads CSV row by row, with the values keyed by the column names in the first row.

import { parse } from 'csv-parse'

/** ROW: by column name, `line` counting from 1. FAULT: a row that cannot be read. TRUNCATED: nothing follows. */
type CsvItem =
  | { kind: 'ROW'; line: number; row: Record<string, string> }
  | { kind: 'FAULT'; line: number; reason: string }
  | { kind: 'TRUNCATED'; reason: string }

/** The longest row, in characters: as much as is read of one value of JSON, which an exported finding may need. */
const LONGEST_ROW = 32 * 1024 * 1024

type Given = { record: string[]; line: number }

/** Rows of a CSV with a header; the separator is `,` `;` or tab, whichever is most frequent in the header. */
export async function* readCsv(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<CsvItem> {
  let given: Given[] = []
  const parser = parse({
    bom: true,
    delimiter: await delimiterOf(open()),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: LONGEST_ROW,
    on_record: (record: string[], { lines }) => {
      given.push({ record, line: lines })
      return null
    },
  })
  let isBroken = false
  parser.on('error', () => {
    isBroken = true
  })
  let header: readonly string[] | null = null
  let width = 0
  const itemsGiven = (): CsvItem[] => {
    const items: CsvItem[] = []
    for (const { record, line } of given) {
      if (header === null) {
        header = record.map((name) => name.trim())
        width = header.length
      } else items.push(itemOf(header, record, line))
    }
    given = []
    return items
  }
  let last = NEW_LINE
  for await (const chunk of open()) {
    last = chunk.at(-1) ?? last
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()))
    yield* itemsGiven()
    if (isBroken) break
  }
  if (!isBroken) await new Promise<void>((resolve) => parser.once('close', resolve).end().resume())
  // A last row with too few values was cut off, however valid its values look.
  const cut = !isBroken && last !== NEW_LINE ? given.at(-1) : undefined
  const isCut = cut !== undefined && cut.record.length < width
  if (isCut) given.pop()
  yield* itemsGiven()
  if (isCut) yield { kind: 'TRUNCATED', reason: `It ends in the middle of row ${cut.line}` }
  if (isBroken) yield { kind: 'TRUNCATED', reason: 'It is not valid CSV to its end, or a row is longer than 32 MiB' }
}

const NEW_LINE = 0x0a

function itemOf(header: readonly string[], record: readonly string[], line: number): CsvItem {
  const reason = `It has ${record.length} values under ${header.length} names`
  return record.length > header.length
    ? { kind: 'FAULT', line, reason }
    : { kind: 'ROW', line, row: rowOf(header, record) }
}

function rowOf(header: readonly string[], record: readonly string[]): Record<string, string> {
  const row: Record<string, string> = Object.create(null)
  for (const [at, name] of header.entries()) row[name] = record[at] ?? ''
  return row
}

async function delimiterOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const chunk of bytes) {
    const header = Buffer.from(chunk).toString().split('\n', 1)[0] ?? ''
    const counts = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length }))
    return counts.reduce((best, each) => (each.count > best.count ? each : best)).mark
  }
  return ','
}
