// What tests of report readers share: reports made of values or text, read in small pieces, and damaged reports.

import fc from 'fast-check'
import { inRepository } from '../../src/reports/in-repository.ts'
import { ReportFault, type ReportReader, type ReportSource, type Row } from '../../src/reports/types.ts'

/** A report of the text, or of the value as JSON, arriving `size` bytes at a time. */
export function reportOf(content: unknown, size = 1000, name = 'report'): ReportSource {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  return {
    name,
    open: async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    },
  }
}

const allRowsIn = (reader: ReportReader, content: unknown, size?: number): Promise<Row[]> =>
  Array.fromAsync(inRepository(reader.read(reportOf(content, size)), {}))

/** What a report says, except which tools have looked. */
export const rowsIn = async (reader: ReportReader, content: unknown, size?: number): Promise<Row[]> =>
  (await allRowsIn(reader, content, size)).filter(({ kind }) => kind !== 'TOOL')

/** The tools that the report says have looked. */
export const toolsIn = async (reader: ReportReader, content: unknown): Promise<string[]> =>
  (await allRowsIn(reader, content)).flatMap((row) => (row.kind === 'TOOL' ? [row.toolName] : []))

/** The observations alone, without fields that are undefined. */
export async function observationsIn(reader: ReportReader, content: unknown): Promise<Record<string, unknown>[]> {
  const rows = await rowsIn(reader, content)
  return rows.flatMap((row) => (row.kind === 'OBSERVATION' ? [JSON.parse(JSON.stringify(row.observation))] : []))
}

export const recognisedBy = (reader: ReportReader, content: unknown): boolean =>
  reader.recognises({ name: 'report', text: typeof content === 'string' ? content : JSON.stringify(content) })

const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  ' ',
  'x'.repeat(5000),
  '\0\ud800',
  '9'.repeat(400),
  [],
  {},
  [[]],
  [null],
  [{}],
  { text: {} },
  JSON.parse('{"__proto__":{"id":"x"},"constructor":1,"toString":null}'),
]

/** A copy of the report in which some values, wherever they stand outside of `kept`, are others of any type. */
export const damaged = (report: unknown, kept: (path: string) => boolean = () => false): fc.Arbitrary<unknown> => {
  const paths = pathsIn(report).filter((path) => !kept(path.join('.')))
  const change = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...hostile))
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const copy = structuredClone(report)
    for (const [path, value] of changes) put(copy, path, structuredClone(value))
    return copy
  })
}

type Path = readonly (string | number)[]

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [...(path.length > 0 ? [path] : []), ...entries.flatMap(([key, each]) => pathsIn(each, [...path, key]))]
}

function put(report: unknown, path: Path, value: unknown): void {
  let here = report
  for (const key of path.slice(0, -1)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return
    here = Reflect.get(here, key)
  }
  const last = path.at(-1)
  if (typeof here === 'object' && here !== null && last !== undefined) Reflect.set(here, last, value)
}

/** The rows, or none where the report is refused with a sentence; anything else that is thrown is a defect. */
export async function rowsOrFault(reader: ReportReader, content: unknown): Promise<Row[]> {
  try {
    return await rowsIn(reader, content)
  } catch (error) {
    if (error instanceof ReportFault) return []
    throw error
  }
}

/** Every text that the rows hold anywhere. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
