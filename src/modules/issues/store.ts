// The SQL of issues: one at a time, by id, and what stands beside the row.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { Level } from './severity.ts'

/** An issue as it is answered; what is long or rarely asked for comes with loadFacets. */
export type IssueRecord = {
  id: Id
  companyId: Id
  assetId: Id
  type: IssueType
  title: string
  description: string
  status: IssueStatus
  severity: SeverityCategory
  impactLevel: Level | null
  category: string | null
  reference: string | null
  solution: string | null
  projectId: Id | null
  authorId: Id | null
  createdAt: string
  updatedAt: string
  statusReason: string | null
  decidedById: Id | null
  decidedAt: string | null
  riskAcceptedUntil: string | null
  probabilityLevel: Level | null
  cvssScore: number | null
  cvssVector: string | null
  compromisedEnvironment: boolean
  originalIssueIdFromTool: string | null
  toolName: string | null
  rule: string
  fingerprint: string | null
  controlSyncStatusId: Id | null
  deployId: Id | null
  closedAt: string | null
}

/** Each field of an IssueRecord as SQL over a table or alias `issue`. */
const columns = {
  id: 'issue.id',
  companyId: 'issue.company_id',
  assetId: 'issue.asset_id',
  type: 'issue.type',
  title: 'issue.title',
  description: 'issue.description',
  status: 'issue.status',
  severity: 'issue.severity',
  impactLevel: 'issue.impact_level',
  category: 'issue.category',
  reference: 'issue.reference',
  solution: 'issue.solution',
  projectId: 'issue.project_id',
  authorId: 'issue.author_id',
  createdAt: 'issue.created_at',
  updatedAt: 'issue.updated_at',
  statusReason: 'issue.status_reason',
  decidedById: 'issue.decided_by',
  decidedAt: 'issue.decided_at',
  riskAcceptedUntil: 'issue.risk_accepted_until',
  probabilityLevel: 'issue.probability_level',
  cvssScore: 'issue.cvss_score',
  cvssVector: 'issue.cvss_vector',
  compromisedEnvironment: 'issue.compromised_environment',
  originalIssueIdFromTool: 'issue.original_issue_id',
  toolName: "nullif(issue.tool_name, '')",
  rule: 'issue.rule',
  fingerprint: 'issue.fingerprint',
  controlSyncStatusId: 'issue.scan_id',
  deployId: 'issue.deploy_id',
  closedAt: 'issue.closed_at',
} satisfies Record<keyof IssueRecord, string>

export const issueFields = Object.keys(columns) as (keyof IssueRecord)[]

/** The columns of these fields, of a table or alias `issue`: text of ours alone, so that it need not be put together from parts. */
export const columnsOf = (fields: readonly (keyof IssueRecord)[]): RawBuilder<unknown> =>
  sql.raw(fields.map((field) => `${columns[field]} as "${field}"`).join(', '))

/** The columns of an IssueRecord. */
export const issueColumns = columnsOf(issueFields)

/** The issue with this id, when the viewer sees its company. */
export async function findIssue(db: Db, viewer: Viewer, id: Id): Promise<IssueRecord | null> {
  const [issue] = await findIssues(db, viewer, [id])
  return issue ?? null
}

/** The issue that the finding with this id is, or is a witness of, when the viewer sees its company. */
export async function findIssueOf(db: Db, viewer: Viewer, id: Id): Promise<IssueRecord | null> {
  const { rows } = await sql<IssueRecord>`
    select ${issueColumns} from finding as said
    join finding as issue on issue.company_id = said.company_id and issue.id = coalesce(said.merged_into_id, said.id)
    where ${seenBy(viewer, 'said.company_id')} and said.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** The issues with these ids that the viewer sees. */
export async function findIssues(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<IssueRecord[]> {
  const { rows } = await sql<IssueRecord>`
    select ${issueColumns} from issue
    where ${seenBy(viewer, 'issue.company_id')} and issue.id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/**
 * The issues of the company among these ids, locked in the order of their ids until the transaction ends. Of several, their assets are
 * locked before: a report holds its asset from the start, and comes to the issues in an order of its own.
 */
export async function lockIssues(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<IssueRecord[]> {
  const onceAssetsAreHeld = ids.length > 1 ? sql`and (${countHeldAssets(companyId, ids)}) >= 0` : sql``
  const { rows } = await sql<IssueRecord>`
    select ${issueColumns} from issue
    where issue.company_id = ${companyId} and issue.id = any(${ids}::bigint[]) ${onceAssetsAreHeld}
    order by issue.id for update`.execute(trx)
  return rows
}

const countHeldAssets = (companyId: Id, issueIds: readonly Id[]): RawBuilder<number> => sql`
  select count(*) from (
    select from asset where company_id = ${companyId} and id in (
      select asset_id from finding where company_id = ${companyId} and id = any(${issueIds}::bigint[]))
    order by id for no key update) as held`
