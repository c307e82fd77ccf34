// The SQL of issues: one at a time, by id.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { seenAmong, seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { Level } from './severity.ts'

/** An issue without its long or rarely requested fields, which loadFacets reads. */
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

/** The columns of these fields, over a table or alias `issue`. Raw text, which contains nothing from callers, is cheaper than assembled parts. */
export const columnsOf = (fields: readonly (keyof IssueRecord)[]): RawBuilder<unknown> =>
  sql.raw(fields.map((field) => `${columns[field]} as "${field}"`).join(', '))

/** The columns of an IssueRecord. */
export const issueColumns = columnsOf(issueFields)

/** The issue with this id, if the viewer sees its company. */
export async function findIssue(db: Db, viewer: Viewer, id: Id): Promise<IssueRecord | null> {
  const [issue] = await findIssues(db, viewer, [id])
  return issue ?? null
}

/** The issue of the finding with this id, which may be a witness, if the viewer sees its company. */
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
    where ${seenAmong(viewer, sql`issue.company_id`, sql`issue.id`, ids)}`.execute(db)
  return rows
}

/** The issues of the company among these ids, locked until the transaction ends; waits for each that somebody else holds. */
export async function lockWaiting(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<IssueRecord[]> {
  const { rows } = await sql<IssueRecord>`${lockable(companyId, ids)} for update`.execute(trx)
  return rows
}

/** The same without waiting: if somebody else has locked one, it throws an error that isHeld recognises. */
export async function lockAtOnce(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<IssueRecord[]> {
  const { rows } = await sql<IssueRecord>`${lockable(companyId, ids)} for update nowait`.execute(trx)
  return rows
}

const lockable = (companyId: Id, ids: readonly Id[]): RawBuilder<unknown> => sql`
  select ${issueColumns} from issue
  where issue.company_id = ${companyId} and issue.id = any(${ids}::bigint[]) order by issue.id`
