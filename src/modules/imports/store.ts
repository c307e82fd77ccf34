// The SQL of imports: their options, progress and outcome.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { ImportDisposition } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { ScanAsk } from '../issues/findings/service.ts'
import type { ImportKey } from './store-stage.ts'
import type { Wanted } from './wanted.ts'

type ImportState = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED'

/** The options of an import, apart from its file. */
export type Asked = {
  ask: ScanAsk
  format: string | null
  scope: string | null
  closeAbsent: boolean
  confirmClose: boolean
  wanted: Wanted | null
  /** whether a file that only says that nothing was found is accepted without its format; missing in older imports */
  acceptsEmpty?: boolean
  /** the checkout directory on the scanner's machine, and the directory in it where the tool ran; missing in older imports */
  checkoutPath?: string | null
  directory?: string | null
  /** the components are complete for their scope, so that others are deleted */
  replacesComponents: boolean
  /** whether the caller may decide about findings, so that decisions in another installation's export count as the caller's */
  mayDecide?: boolean
  /** the SHA-256 and the name of a file that a job imports */
  digest?: string
}

/** The caller, in whose name a job acts. */
export type AskedBy = {
  userId: Id
  email: string
  name: string
  keyId: Id
  keyPublicId: string | null
  address: string
  requestId: string
  operation: string
}

export type Counts = {
  read: number
  created: number
  updated: number
  unchanged: number
  reopened: number
  merged: number
  closed: number
  leftOut: number
  components: number
}

/** The count of the rows with a disposition. */
export const countOf = {
  CREATED: 'created',
  UPDATED: 'updated',
  UNCHANGED: 'unchanged',
  REOPENED: 'reopened',
  MERGED: 'merged',
  CLOSED: 'closed',
  LEFT_OUT: 'leftOut',
} as const satisfies Record<ImportDisposition, keyof Counts>

export type Import = Counts & {
  companyId: Id
  id: Id
  assetId: Id
  status: ImportState
  format: string | null
  fileName: string
  fileSize: number
  branch: string
  commitRef: string | null
  deployId: Id | null
  controlSyncStatusId: Id | null
  asked: Asked
  attempts: number
  bytesRead: number
  rowsStaged: number
  rowsRecorded: number
  unclosedReason: string | null
  incompleteReason: string | null
  failureCode: string | null
  failureReason: string | null
  createdById: Id | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

export const columns = [
  'company_id as companyId',
  'id',
  'asset_id as assetId',
  sql<ImportState>`status`.as('status'),
  'format',
  'filename as fileName',
  sql<number>`size::float8`.as('fileSize'),
  'branch',
  'commit_ref as commitRef',
  'deploy_id as deployId',
  'scan_id as controlSyncStatusId',
  sql<Asked>`asked`.as('asked'),
  'attempts',
  sql<number>`bytes_read::float8`.as('bytesRead'),
  'rows_staged as rowsStaged',
  'rows_recorded as rowsRecorded',
  'rows_read as read',
  'created',
  'updated',
  'unchanged',
  'reopened',
  'merged',
  'closed',
  'left_out as leftOut',
  'components',
  'unclosed_reason as unclosedReason',
  'incomplete_reason as incompleteReason',
  'failure_code as failureCode',
  'failure_reason as failureReason',
  'created_by as createdById',
  'created_at as createdAt',
  'started_at as startedAt',
  'finished_at as finishedAt',
] as const

export async function findImport(db: Db, viewer: Viewer, id: Id): Promise<Import | null> {
  const seen = db.selectFrom('import').select(columns).where(seenBy(viewer, 'import.company_id'))
  return (await seen.where('id', '=', id).executeTakeFirst()) ?? null
}

export async function listImports(
  db: Db,
  companyId: Id,
  assetIds: readonly Id[] | null,
  page: PageRequest,
): Promise<Page<Import>> {
  let query = db.selectFrom('import').select(columns).where('company_id', '=', companyId)
  if (assetIds) query = query.where(sql<boolean>`asset_id = any(${assetIds}::bigint[])`)
  return newestFirst(db, query, page, 'import.id')
}

/** How many findings the imports of a run created. */
export async function countCreated(db: Db, companyId: Id, assetId: Id, scanId: Id): Promise<number> {
  const { created } = await db
    .selectFrom('import')
    .select(({ fn }) => fn.sum<string | null>('created').as('created'))
    .where('company_id', '=', companyId)
    .where('asset_id', '=', assetId)
    .where('scan_id', '=', scanId)
    .executeTakeFirstOrThrow()
  return Number(created ?? 0)
}

/** `branch` is null for all branches of the asset. */
export type Unended = { companyId: Id; assetId: Id; branch: string | null }

/** The imports that wait or run, the oldest first. */
export async function findUnended(db: Db, { companyId, assetId, branch }: Unended): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from import where company_id = ${companyId} and asset_id = ${assetId} and branch = coalesce(${branch}::text, branch)
      and status in ('PENDING', 'RUNNING') order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The unended imports of each branch in turn, the oldest first. */
export async function findUnendedOf(
  db: Db,
  branches: readonly { companyId: Id; assetId: Id; branch: string }[],
): Promise<Id[][]> {
  const { rows } = await sql<{ n: number; id: Id }>`
    select asked.n, import.id from jsonb_to_recordset(${JSON.stringify(branches.map((one, n) => ({ ...one, n })))}::jsonb)
      as asked(n int, "companyId" bigint, "assetId" bigint, branch text)
    join import on import.company_id = asked."companyId" and import.asset_id = asked."assetId" and import.branch = asked.branch
      and import.status in ('PENDING', 'RUNNING') order by import.id`.execute(db)
  const found = Map.groupBy(rows, ({ n }) => n)
  return branches.map((_, n) => (found.get(n) ?? []).map(({ id }) => id))
}

export type NewImport = {
  companyId: Id
  assetId: Id
  status: 'PENDING' | 'RUNNING'
  fileName: string
  fileSize: number
  branch: string
  commit: string | null
  asked: Asked
  askedBy: AskedBy
  objectId: Id | null
}

export async function insertImport(trx: Trx, given: NewImport): Promise<ImportKey> {
  const { companyId, asked } = given
  const { id } = await trx
    .insertInto('import')
    .values({
      company_id: companyId,
      asset_id: given.assetId,
      status: given.status,
      filename: given.fileName,
      size: String(given.fileSize),
      branch: given.branch,
      commit_ref: given.commit,
      deploy_id: asked.ask.deployId,
      scan_id: asked.ask.scanId,
      asked: JSON.stringify(asked),
      actor: JSON.stringify(given.askedBy),
      object_id: given.objectId,
      created_by: given.askedBy.userId,
      started_at: given.status === 'RUNNING' ? sql`now()` : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { companyId, id }
}

/** The unfinished imports of a run. */
export async function findUnfinished(db: Db, companyId: Id, assetId: Id, scanId: Id): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from import where company_id = ${companyId} and asset_id = ${assetId} and scan_id = ${scanId}
      and status in ('PENDING', 'RUNNING')`.execute(db)
  return rows.map(({ id }) => id)
}
