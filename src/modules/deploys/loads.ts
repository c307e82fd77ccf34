// Loads what a page of deploys shows beside each of them, in one batch for the whole page.

import { decodeCursor, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { type Context, load } from '../context.ts'
import type { Disposition } from './carry.ts'
import { type Excerpt, readExcerpt } from './excerpt.ts'
import type { Commit } from './history.ts'
import * as beside from './store-beside.ts'

export type { DeployFile } from './store-beside.ts'

// A key is the JSON of everything that a load depends on, so that equal requests are made once.
const keyOf = (...parts: (string | number)[]): string => JSON.stringify(parts)

function partsOf(key: string): string[] {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) ? parts.map(String) : []
}

const deployOf = (key: string): beside.DeployKey => {
  const [companyId = '', id = ''] = partsOf(key)
  return { companyId, id }
}

type Named = { companyId: Id; id: Id }

export const countsKey = ({ companyId, id }: Named) => keyOf(companyId, id)

const noFindings: beside.FindingCounts = { moved: 0, renamed: 0, touched: 0, removed: 0 }

/** Keyed by `countsKey`. */
export async function loadFindingCounts(
  context: Context,
  keys: readonly string[],
): Promise<Map<string, beside.FindingCounts>> {
  const deploys = keys.map(deployOf)
  const rows = new Map((await beside.countFindings(context.db, deploys)).map((row) => [row.id, row]))
  return new Map(keys.map((key, index) => [key, rows.get(deploys[index]?.id ?? '') ?? noFindings]))
}

/** Object keys of stored diffs, keyed by `countsKey`. */
async function loadDiffKeys(context: Context, keys: readonly string[]): Promise<Map<string, string>> {
  const deploys = keys.map(deployOf)
  const found = new Map((await beside.findDiffKeys(context.db, deploys)).map((row) => [row.id, row.objectKey]))
  return new Map(
    keys.flatMap((key, index) => {
      const objectKey = found.get(deploys[index]?.id ?? '')
      return objectKey === undefined ? [] : [[key, objectKey]]
    }),
  )
}

export const fileCountsKey = ({ companyId, id, number }: Named & { number: number }) => keyOf(companyId, id, number)

/** The files named by keys of `fileCountsKey`. */
export const keyedFiles = (keys: readonly string[]): (beside.DeployKey & { number: number })[] =>
  keys.map((key) => ({ ...deployOf(key), number: Number(partsOf(key)[2]) }))

/** Keyed by `fileCountsKey`. */
export async function loadFileFindingCounts(
  context: Context,
  keys: readonly string[],
): Promise<Map<string, beside.FindingCounts>> {
  const files = keyedFiles(keys)
  const rows = await beside.countFileFindings(context.db, files)
  const found = new Map(rows.map((row) => [`${row.id} ${row.number}`, row]))
  return new Map(
    keys.map((key, index) => [key, found.get(`${files[index]?.id} ${files[index]?.number}`) ?? noFindings]),
  )
}

export const dispositionKey = ({ companyId, id }: Named, issueId: Id) => keyOf(companyId, id, issueId)

/** What a deploy did to a finding, keyed by `dispositionKey`. */
export async function loadDispositions(
  context: Context,
  keys: readonly string[],
): Promise<Map<string, Disposition | 'UNCHANGED'>> {
  const asks = keys.map((key) => ({ ...deployOf(key), issueId: partsOf(key)[2] ?? '' }))
  const rows = await beside.findDispositions(context.db, asks)
  const found = new Map(rows.map((row) => [`${row.id} ${row.issueId}`, row.disposition]))
  return new Map(
    keys.flatMap((key, index) => {
      const disposition = found.get(`${asks[index]?.id} ${asks[index]?.issueId}`)
      return disposition === undefined ? [] : [[key, disposition]]
    }),
  )
}

export const commitsKey = ({ companyId, id }: Named, limit: number) => keyOf(companyId, id, limit)

/** The first commits of a deploy, keyed by `commitsKey`. */
export async function loadCommits(context: Context, keys: readonly string[]): Promise<Map<string, Commit[]>> {
  const asks = keys.map((key) => ({ key, ...deployOf(key), limit: Number(partsOf(key)[2]) }))
  const most = Math.max(...asks.map(({ limit }) => limit))
  const found = new Map((await beside.findCommits(context.db, asks, most)).map((row) => [row.id, row.commits]))
  return new Map(asks.map(({ key, id, limit }) => [key, (found.get(id) ?? []).slice(0, limit)]))
}

const filesKey = ({ companyId, id }: Named, after: number, limit: number) => keyOf(companyId, id, after, limit)

/** Bytes read of a file's packed regions; a region takes at most 15. */
export const HUNK_BYTES = 15_000

/** Files of a deploy, keyed by `filesKey`. */
async function loadFiles(context: Context, keys: readonly string[]): Promise<Map<string, beside.DeployFile[]>> {
  const asks = keys.map((key) => {
    const [companyId = '', id = '', after = '0', limit = '0'] = partsOf(key)
    return { key, companyId, id, after: Number(after), limit: Number(limit) }
  })
  const rows = await beside.findFiles(context.db, asks, HUNK_BYTES)
  return new Map(asks.map(({ key }, index) => [key, rows.filter(({ ask }) => ask === index)]))
}

/** The changed files of a deploy, in the order of its diff. */
export async function listFiles(
  context: Context,
  deploy: Named & { files: number },
  page: PageRequest,
): Promise<Page<beside.DeployFile>> {
  const files = await load(context, loadFiles, filesKey(deploy, filesBefore(page), page.limit))
  return pageOf(page, files ?? [], deploy.files, ({ number }) => [number])
}

/** The number of the last file before the page; files count from 1 without gaps. */
function filesBefore(page: PageRequest): number {
  if (page.after === null) return offsetOf(page)
  const [number] = decodeCursor(page.after, 1)
  if (!/^\d{1,9}$/.test(String(number))) throw badUserInput('after is not a cursor of this list', 'after')
  return Number(number)
}

/** Parts of diffs that one request may read. */
const MOST_DIFFS = 20

const diffsRead = new WeakMap<Context, number>()

/** A file's part of the stored diff; null if its ranges are unknown. BAD_USER_INPUT for more than 20 per request. */
export async function readFileDiff(context: Context, file: beside.DeployFile): Promise<Excerpt | null> {
  const read = (diffsRead.get(context) ?? 0) + 1
  if (read > MOST_DIFFS)
    throw badUserInput(`A request may read the diffs of ${MOST_DIFFS} files; ask for fewer at once`)
  diffsRead.set(context, read)
  const offsets = file.ranges.map(Number)
  const ranges = offsets.flatMap((start, index) =>
    index % 2 === 0 ? [{ start, end: offsets[index + 1] ?? start }] : [],
  )
  const objectKey = ranges.length === 0 ? null : await load(context, loadDiffKeys, countsKey(file))
  return objectKey === null ? null : readExcerpt(context.objects, objectKey, ranges)
}
