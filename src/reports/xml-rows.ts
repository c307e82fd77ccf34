// Turns what a walk through XML finds into rows: a reader only says what one element means.

import type { ReportSource, Row } from './types.ts'
import { type Ancestor, type Element, readXml } from './xml-walk.ts'

/** What a reader sees of one element; `at` counts those of its path. */
export type GivenElement = { path: string; ancestors: readonly Ancestor[]; element: Element; at: string }

/** The rows of each element at `paths`, in their order; what cannot be read is left out with its reason. */
export async function* xmlRows(
  source: ReportSource,
  paths: readonly string[],
  read: (given: GivenElement) => Iterable<Row>,
): AsyncGenerator<Row> {
  const counts = new Map<string, number>()
  for await (const item of readXml(source.open(), paths)) {
    if (item.kind === 'TRUNCATED') {
      yield item
      continue
    }
    const name = item.path.slice(item.path.lastIndexOf('/') + 1)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const at = `${name} ${count}`
    if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at, reason: item.reason }
    else for (const row of read({ ...item, at })) yield row
  }
}
