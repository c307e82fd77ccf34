// Turns the elements that a walk over XML yields into rows, so that a reader only interprets single elements.

import type { ReportSource, Row } from './types.ts'
import { type Ancestor, type Element, readXml } from './xml-walk.ts'

/** One element, as its reader receives it; `at` is its index among the elements of its path. */
export type GivenElement = { path: string; ancestors: readonly Ancestor[]; element: Element; at: string }

/** The rows of the elements at `paths`, in order; elements that cannot be read become LEFT_OUT rows with the reason. */
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
