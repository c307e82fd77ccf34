// Turns the values that a walk over JSON yields into rows, so that a reader only interprets single elements.

import { type JsonItem, type Keys, placeOf } from './json-items.ts'
import { readJson } from './json-walk.ts'
import type { ReportSource, Row } from './types.ts'

/** One element, as its reader receives it. */
export type Given = { path: string; keys: Keys; value: unknown; at: string }

/** The rows of the elements at `paths`, in order; elements that cannot be read become LEFT_OUT rows with the reason. */
export async function* jsonRows(
  source: ReportSource,
  paths: readonly string[],
  read: (given: Given) => Iterable<Row>,
): AsyncGenerator<Row> {
  for await (const item of readJson(source.open(), paths)) {
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: placeOf(item.keys), reason: item.reason }
    else for (const row of read({ ...item, at: placeOf(item.keys) })) yield row
  }
}

/** The first value at each path, wherever it is in the report, for what elements refer to. */
export async function firstValues(
  source: ReportSource,
  paths: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>()
  for await (const item of readJson(source.open(), paths)) {
    if (isNew(item, values)) values.set(item.path, item.value)
    if (values.size === paths.length) break
  }
  return values
}

const isNew = (item: JsonItem, values: ReadonlyMap<string, unknown>): item is JsonItem & { kind: 'VALUE' } =>
  item.kind === 'VALUE' && !values.has(item.path)
