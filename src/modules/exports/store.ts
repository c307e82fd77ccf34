// The SQL of exports: what was requested, and until when the address is valid.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { IssueFilters } from '../issues/service.ts'

/** Which findings are exported. */
export type Wanted = { assetIds: readonly Id[] | null; filters: IssueFilters; branchName: string | null }

export type Export = {
  companyId: Id
  id: Id
  /** the name of a format in `src/exports/registry.ts` */
  format: string
  asked: Wanted
  findingsCount: number | null
  serial: string
  createdById: Id | null
  createdAt: string
  expiresAt: string
  isExpired: boolean
  companyLabel: string
}

const columns = sql`export.company_id as "companyId", export.id, format, asked, findings_count as "findingsCount", serial,
  created_by as "createdById", export.created_at as "createdAt", expires_at as "expiresAt", expires_at <= now() as "isExpired",
  (select label from company where company.id = export.company_id) as "companyLabel"`

export async function insertExport(
  trx: Trx,
  {
    companyId,
    format,
    asked,
    findingsCount,
    createdById,
  }: Pick<Export, 'companyId' | 'format' | 'asked' | 'findingsCount' | 'createdById'>,
): Promise<Export> {
  const { rows } = await sql<Export>`
    insert into export (company_id, format, asked, findings_count, created_by)
    values (${companyId}, ${format}, ${JSON.stringify(asked)}, ${findingsCount}, ${createdById})
    returning ${columns}`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('An export was not written')
  return row
}

/** The export with this id, if the viewer sees its company. */
export async function findExport(db: Db, viewer: Viewer, id: Id): Promise<Export | null> {
  const { rows } = await sql<Export>`
    select ${columns} from export where ${seenBy(viewer, 'export.company_id')} and export.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Deletes exports whose address expired a week ago or earlier; returns how many. */
export async function sweepExports(db: Db, most: number): Promise<number> {
  const { rows } = await sql`
    delete from export where (company_id, id) in (
      select company_id, id from export where expires_at < now() - interval '7 days' limit ${most})
    returning 1`.execute(db)
  return rows.length
}
