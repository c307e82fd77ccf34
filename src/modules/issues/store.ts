// The SQL of issues: one at a time, by id, and what stands beside the row.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { Level } from './severity.ts'

/** An issue as lists usually show it. */
export type BriefIssue = {
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
}

/** An issue as it is answered; what is long or rarely asked for comes with loadFacets. */
export type IssueRecord = BriefIssue & {
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

/** The columns of what lists usually show, of a table or alias `issue`. */
export const briefColumns = sql`
  issue.id, issue.company_id as "companyId", issue.asset_id as "assetId", issue.type, issue.title, issue.description,
  issue.status, issue.severity, issue.impact_level as "impactLevel", issue.category, issue.reference, issue.solution,
  issue.project_id as "projectId", issue.author_id as "authorId", issue.created_at as "createdAt",
  issue.updated_at as "updatedAt"`

/** The columns of an IssueRecord, of a table or alias `issue`. */
export const issueColumns = sql`${briefColumns},
  issue.status_reason as "statusReason", issue.decided_by as "decidedById", issue.decided_at as "decidedAt",
  issue.risk_accepted_until as "riskAcceptedUntil", issue.probability_level as "probabilityLevel",
  issue.cvss_score as "cvssScore", issue.cvss_vector as "cvssVector",
  issue.compromised_environment as "compromisedEnvironment", issue.original_issue_id as "originalIssueIdFromTool",
  nullif(issue.tool_name, '') as "toolName", issue.rule, issue.fingerprint, issue.scan_id as "controlSyncStatusId",
  issue.deploy_id as "deployId", issue.closed_at as "closedAt"`

/** The issue with this id, when the viewer sees its company. */
export async function findIssue(db: Db, viewer: Viewer, id: Id): Promise<IssueRecord | null> {
  const [issue] = await findIssues(db, viewer, [id])
  return issue ?? null
}

/** The issues with these ids that the viewer sees. */
export async function findIssues(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<IssueRecord[]> {
  const { rows } = await sql<IssueRecord>`
    select ${issueColumns} from issue
    where ${seenBy(viewer, 'issue.company_id')} and issue.id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** The issues of the company among these ids, locked in the order of their ids until the transaction ends. */
export async function lockIssues(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<IssueRecord[]> {
  const { rows } = await sql<IssueRecord>`
    select ${issueColumns} from issue
    where issue.company_id = ${companyId} and issue.id = any(${ids}::bigint[])
    order by issue.id for update`.execute(trx)
  return rows
}
