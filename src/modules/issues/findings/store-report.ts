// The SQL of the short way: where a single report comes from and what is known of its finding, in one statement.

import { sql } from 'kysely'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import type { Viewer } from '../../context.ts'
import { type KnownFinding, knownOf, type Wanted } from './store-known.ts'
import { type ScanAsk, type ScanRow, scansOf } from './store-scan.ts'

const columns = [
  'n',
  'companyId',
  'branch',
  'hasDeploy',
  'hasScan',
  'hasProject',
  'deployId',
  'deployCommit',
  'isOnBranch',
  'isPassed',
  'headId',
  'headCommit',
  'breakId',
  'breakAt',
  'newestDeployId',
  'rules',
] as const satisfies readonly (keyof ScanRow)[]

const prefixed = (column: string) => `report ${column}`

/** What findScans says of one ask, and findKnown of what is wanted there; where nothing is known, an id for a new issue. */
export async function findReported(
  db: Db | Trx,
  viewer: Viewer,
  ask: ScanAsk,
  wanted: Wanted,
): Promise<{ scan: ScanRow | undefined; known: KnownFinding[]; newId: Id | null }> {
  const scope = sql`(select ${ask.assetId}::bigint as "assetId", report.branch, report."breakId", report."breakAt") as scope`
  const shown = columns.map((column) => sql`report.${sql.ref(column)} as ${sql.ref(prefixed(column))}`)
  const { rows } = await sql<KnownFinding & Record<string, unknown> & { newId: Id | null }>`
    select ${sql.join(shown)}, case when known.id is null then nextval('issue_id_seq') end as "newId", known.* from (${scansOf(viewer, [ask])}) as report
    left join lateral (${knownOf(sql`report."companyId"`, [ask.assetId], scope, wanted)}) as known on true`.execute(db)
  const [row] = rows
  const scan = row && (Object.fromEntries(columns.map((column) => [column, row[prefixed(column)]])) as ScanRow)
  return { scan, known: rows.filter(({ id }) => id !== null), newId: row?.newId ?? null }
}
