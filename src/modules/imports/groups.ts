// Reads a staged report back in groups of bounded size, each made of whole buckets unless a single bucket is too large.

import type { Db, Trx } from '../../core/db/open.ts'
import { FINDING, findStaged, type ImportKey, START, type StagedFinding } from './store-stage.ts'

/** WHOLE: everything that the report has in these buckets. PARTIAL: a part of one bucket; `isFirst` marks its first part. */
export type Group =
  | { rows: StagedFinding[]; extent: 'WHOLE' }
  | { rows: StagedFinding[]; extent: 'PARTIAL'; isFirst: boolean }

/** A bucket with more findings, or more characters, than this is matched in parts, file by file. */
export const MOST_IN_BUCKET = 5000
const LARGEST_BUCKET = 8 * 1024 * 1024

/** All findings of the report, ordered by bucket and then by file. The next group is read while the present one is worked on. */
export const groupsOf = (db: Db | Trx, key: ImportKey): AsyncGenerator<Group> => ahead(partsOf(db, key))

async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next()
  for (;;) {
    const { done, value } = await next
    if (done) return
    next = source.next()
    // the await above reports the failure, if anybody still asks
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

/** Continues the bucket that was begun in parts; the other buckets are whole. */
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

/** The payload was written by the staging of the same import, so it is not validated again. */
const readPayload = (payload: string) =>
  JSON.parse(payload) as Pick<StagedFinding, 'finding' | 'decision' | 'statement' | 'undecided'>
