// The SQL of the fast path: the origins of single reports and what is known of their findings, in one statement.

import { sql } from 'kysely'
import { anyList } from '../../../core/db/any-list.ts'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import type { Viewer } from '../../context.ts'
import { type KnownFinding, knownIn } from './store-known.ts'
import { type ScanAsk, type ScanRow, scansOf } from './store-scan.ts'
import { matchingAsked, type Sought } from './store-sought.ts'

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
  'isLate',
  'isPassed',
  'headId',
  'headCommit',
  'breakId',
  'breakAt',
  'newestDeployId',
  'hasStatements',
  'rules',
] as const satisfies readonly (keyof ScanRow)[]

const prefixed = (column: string) => `report ${column}`

const shown = sql.join(columns.map((column) => sql`report.${sql.ref(column)} as ${sql.ref(prefixed(column))}`))

export type ReportAsk = { ask: ScanAsk; sought: Sought }

/** The origin of a report, and what is known of its finding; if nothing is, an id for a new issue. */
export type Reported = { scan: ScanRow | undefined; known: KnownFinding[]; newId: Id | null }

/** Combines findScans for each request with findKnown for what is wanted there. */
export async function findReported(db: Db | Trx, viewer: Viewer, reports: readonly ReportAsk[]): Promise<Reported[]> {
  const asked = (type: 'bigint' | 'text', name: keyof ScanAsk) =>
    anyList(
      type,
      reports.map(({ ask }) => ask[name]),
    )
  const sought = (type: Parameters<typeof anyList>[0], name: keyof Sought) =>
    anyList(
      type,
      reports.map((one) => one.sought[name]),
    )
  const scope = sql`(select asked."assetId", report.branch, report."breakId", report."breakAt") as scope`
  const { rows } = await sql<KnownFinding & Record<string, unknown> & { newId: Id | null }>`
    with asked as materialized (
      select * from unnest(${asked('bigint', 'assetId')}, ${asked('bigint', 'deployId')}, ${asked('text', 'commitRef')},
        ${asked('text', 'branchName')}, ${asked('bigint', 'scanId')}, ${asked('bigint', 'projectId')},
        ${sought('issue_type', 'type')}, ${sought('text', 'rule')}, ${sought('text', 'toolId')}, ${sought('text', 'fingerprint')},
        ${sought('text', 'partialFingerprint')}, ${sought('text', 'path')}, ${sought('bigint', 'snippetHash')})
        with ordinality as asked ("assetId", "deployId", "commitRef", "branchName", "scanId", "projectId", type, rule, "toolId",
          fingerprint, "partialFingerprint", path, "snippetHash", n))
    select ${shown}, case when known.id is null then nextval('issue_id_seq') end as "newId", known.*
    from (${scansOf(viewer, sql`asked as ask`)}) as report
    join asked on asked.n = report.n
    left join lateral (${knownIn(matchingAsked(sql`report."companyId"`), scope)}) as known on true`.execute(db)
  const found: Reported[] = reports.map(() => ({ scan: undefined, known: [], newId: null }))
  for (const row of rows) {
    const one = found[Number(row[prefixed('n')]) - 1]
    if (!one) continue
    one.scan ??= Object.fromEntries(columns.map((column) => [column, row[prefixed(column)]])) as ScanRow
    one.newId ??= row.newId
    if (row.id !== null) one.known.push(row)
  }
  return found
}
