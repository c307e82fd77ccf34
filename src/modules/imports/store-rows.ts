// The SQL of an import's rows: the outcome of each, written by COPY and listed in the order of the report.

import { sql } from 'kysely'
import { copyIn } from '../../core/db/copy.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { decodeCursor, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { ImportDisposition } from '../../core/db/tables.generated.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { MatchedBy } from '../issues/findings/service.ts'
import { type ImportKey, LEFT_OUT } from './store-stage.ts'

export type ImportRow = {
  number: number
  at: string | null
  disposition: ImportDisposition
  matchedBy: MatchedBy | null
  issueId: Id | null
  reason: string | null
}

export const insertRows = (trx: Trx, { companyId, id }: ImportKey, rows: readonly ImportRow[]): Promise<void> =>
  copyIn(
    trx,
    'import_row (company_id, import_id, number, at, disposition, matched_by, issue_id, reason)',
    rows.map(({ number, at, disposition, matchedBy, issueId, reason }) => [
      companyId,
      id,
      number,
      at,
      disposition,
      matchedBy,
      issueId,
      reason,
    ]),
  )

/** Writes the rows that were skipped when the report was read. */
export async function insertLeftOut(trx: Trx, { companyId, id }: ImportKey): Promise<void> {
  await sql`
    insert into import_row (company_id, import_id, number, at, disposition, reason)
    select company_id, import_id, number, at, 'LEFT_OUT', payload from import_staged
    where company_id = ${companyId} and import_id = ${id} and kind = ${LEFT_OUT}`.execute(trx)
}

/** A page of the rows, and their total number. One statement. */
export async function listRows(
  db: Db,
  { companyId, id }: ImportKey,
  disposition: ImportDisposition | null,
  total: number,
  page: PageRequest,
): Promise<Page<ImportRow>> {
  let query = db
    .selectFrom('import_row')
    .select([
      'number',
      'at',
      'disposition',
      sql<MatchedBy | null>`matched_by`.as('matchedBy'),
      'issue_id as issueId',
      'reason',
    ])
    .where('company_id', '=', companyId)
    .where('import_id', '=', id)
  if (disposition !== null) query = query.where('disposition', '=', disposition)
  if (page.after !== null) query = query.where('number', '>', numberIn(page.after))
  const rows = await query.orderBy('number').limit(page.limit).offset(offsetOf(page)).execute()
  return pageOf(page, rows, total, ({ number }) => [number])
}

function numberIn(after: string): number {
  const [number] = decodeCursor(after, 1)
  if (typeof number === 'number' && Number.isInteger(number) && Math.abs(number) < 2 ** 31) return number
  throw badUserInput('after is not a cursor of this list', 'after')
}
