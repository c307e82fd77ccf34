// Takes the findings of a report up again in parts of a bounded size, in which a bucket is whole unless it is larger than one.

import type { Db, Trx } from '../../core/db/open.ts'
import type { Finding } from '../issues/findings/service.ts'
import { type Decision, FINDING, findStaged, type ImportKey, START, type StagedFinding } from './store-stage.ts'

/** WHOLE: all that the report has of these buckets. PARTIAL: a part of one bucket; `isFirst` when it is its first. */
export type Group =
  | { rows: StagedFinding[]; extent: 'WHOLE' }
  | { rows: StagedFinding[]; extent: 'PARTIAL'; isFirst: boolean }

/** Findings of a bucket, and characters of them, beyond which it is compared in parts, file by file. */
export const MOST_IN_BUCKET = 5000
const LARGEST_BUCKET = 8 * 1024 * 1024

/** Everything of the report, in the order of buckets and, within one, of files; the next part is read while one is worked on. */
export const groupsOf = (db: Db | Trx, key: ImportKey): AsyncGenerator<Group> => ahead(partsOf(db, key))

async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next()
  for (;;) {
    const { done, value } = await next
    if (done) return
    next = source.next()
    // it is told by the await above, if anybody still asks
    next.catch(() => {})
    yield value
  }
}

async function* partsOf(db: Db | Trx, key: ImportKey): AsyncGenerator<Group> {
  let held: StagedFinding[] = []
  let inParts: string | null = null
  for await (const page of pagesOf(db, key)) {
    held.push(...page)
    const bucket = held.at(-1)?.bucket
    const before = held.filter((row) => row.bucket !== bucket)
    held = held.filter((row) => row.bucket === bucket)
    if (before.length > 0) yield* wholeAfter(before, inParts)
    if (inParts !== bucket && isSmall(held)) continue
    const file = held.at(-1)?.file
    const complete = held.filter((row) => row.file !== file)
    const part = complete.length > 0 ? complete : isSmall(held) ? [] : held
    held = part === held ? [] : held.slice(part.length)
    if (part.length === 0) continue
    yield { rows: part, extent: 'PARTIAL', isFirst: inParts !== bucket }
    inParts = bucket ?? null
  }
  if (held.length > 0) yield* wholeAfter(held, inParts)
}

/** The rest of a bucket that was begun in parts goes on so; the others are whole. */
function* wholeAfter(rows: StagedFinding[], inParts: string | null): Generator<Group> {
  const rest = rows.filter((row) => row.bucket === inParts)
  if (rest.length > 0) yield { rows: rest, extent: 'PARTIAL', isFirst: false }
  const others = rest.length > 0 ? rows.filter((row) => row.bucket !== inParts) : rows
  if (others.length > 0) yield { rows: others, extent: 'WHOLE' }
}

const isSmall = (rows: readonly StagedFinding[]): boolean => {
  let size = 0
  for (const row of rows) size += row.size
  return rows.length < MOST_IN_BUCKET && size < LARGEST_BUCKET
}

async function* pagesOf(db: Db | Trx, key: ImportKey): AsyncGenerator<StagedFinding[]> {
  let after = START
  for (;;) {
    const page = await findStaged(db, key, FINDING, after)
    const last = page.at(-1)
    if (!last) return
    after = last
    yield page.map(({ payload, ...row }) => ({ ...row, size: payload.length, ...readPayload(payload) }))
  }
}

/** What the staging of this very import wrote. */
const readPayload = (payload: string) => JSON.parse(payload) as { finding: Finding; decision: Decision | null }
