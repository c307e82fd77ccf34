// The SQL of manually entered vulnerabilities of networks, source code and web applications.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '../../core/db/open.ts'
import type { IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Level } from './severity.ts'
import { type IssueRecord, issueColumns } from './store.ts'

/** The place in the source code. */
export type CodePlace = { fileName: string; vulnerableLine: number; firstLine: number; codeSnippet: string }

/** All fields of a vulnerability, to be written. */
export type ManualWrite = {
  assetId: Id
  type: IssueType
  title: string
  description: string
  severity: SeverityCategory
  impactLevel: Level
  probabilityLevel: Level
  category: string | null
  cweIds: readonly number[]
  patterns: readonly string[]
  reference: string | null
  solution: string
  summary: string
  impactDescription: string
  stepsToReproduce: string
  compromisedEnvironment: boolean
  source: string | null
  sink: string | null
  commitRef: string | null
  projectId: Id | null
  controlSyncStatusId: Id | null
  deployId: Id | null
  detail: Readonly<Record<string, unknown>>
  place: CodePlace | null
}

export async function insertManual(
  trx: Trx,
  companyId: Id,
  authorId: Id,
  status: IssueStatus,
  write: ManualWrite,
): Promise<IssueRecord> {
  const { rows } = await sql<IssueRecord>`
    insert into issue (company_id, asset_id, type, rule, title, description, severity, impact_level, probability_level,
      status, category, cwe_ids, patterns, reference, solution, summary, impact_description, steps_to_reproduce,
      compromised_environment, source, sink, commit_ref, project_id, scan_id, deploy_id, author_id, detail, birth_key)
    values (${companyId}, ${write.assetId}, ${write.type}, ${write.title}, ${write.title}, ${write.description},
      ${write.severity}, ${write.impactLevel}, ${write.probabilityLevel}, ${status}, ${write.category}, ${write.cweIds},
      ${write.patterns}, ${write.reference}, ${write.solution}, ${write.summary}, ${write.impactDescription},
      ${write.stepsToReproduce}, ${write.compromisedEnvironment}, ${write.source}, ${write.sink}, ${write.commitRef},
      ${write.projectId}, ${write.controlSyncStatusId}, ${write.deployId}, ${authorId}, ${JSON.stringify(write.detail)},
      ${randomBytes(32)})
    returning ${issueColumns}`.execute(trx)
  const [issue] = rows
  if (!issue) throw new Error('An insert gave no row')
  return issue
}

/** Writes its own weaknesses only; settleWords adds those of its witnesses. */
export async function updateManual(trx: Trx, companyId: Id, id: Id, write: ManualWrite): Promise<void> {
  await sql`
    update issue set asset_id = ${write.assetId}, rule = ${write.title}, title = ${write.title},
      description = ${write.description}, severity = ${write.severity}, own_severity = null, impact_level = ${write.impactLevel},
      probability_level = ${write.probabilityLevel}, category = ${write.category},
      cwe_ids = ${write.cweIds}, own_cwe_ids = null, patterns = ${write.patterns},
      reference = ${write.reference}, solution = ${write.solution}, summary = ${write.summary},
      impact_description = ${write.impactDescription}, steps_to_reproduce = ${write.stepsToReproduce},
      compromised_environment = ${write.compromisedEnvironment},
      source = ${write.source}, sink = ${write.sink}, commit_ref = ${write.commitRef}, project_id = ${write.projectId},
      scan_id = ${write.controlSyncStatusId}, deploy_id = ${write.deployId}, detail = ${JSON.stringify(write.detail)},
      updated_at = now()
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}

/** Sets the issue's place on the nameless branch, and adds it to the list of places. */
export async function upsertPlace(trx: Trx, issue: IssueRecord, write: ManualWrite): Promise<void> {
  const { place, assetId, commitRef, deployId } = write
  if (!place) return
  const { companyId, id } = issue
  await sql`
    with written as (
      insert into occurrence (company_id, issue_id, asset_id, path, line, first_line, snippet, commit_ref,
        first_deploy_id, last_deploy_id)
      values (${companyId}, ${id}, ${assetId}, ${place.fileName}, ${place.vulnerableLine}, ${place.firstLine},
        ${place.codeSnippet}, ${commitRef}, ${deployId}, ${deployId})
      on conflict (company_id, issue_id, branch) do update set asset_id = excluded.asset_id, path = excluded.path,
        line = excluded.line, first_line = excluded.first_line, snippet = excluded.snippet,
        commit_ref = excluded.commit_ref, last_deploy_id = excluded.last_deploy_id, last_seen_at = now()
      returning id)
    insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id)
    select ${companyId}::bigint, written.id, ${id}::bigint, '', ${place.fileName}::text, ${place.vulnerableLine}::int,
           ${commitRef}::text, ${deployId}::bigint
    from written
    where not exists (
      select from (
        select path, line from occurrence_place
        where company_id = ${companyId} and issue_id = ${id} and occurrence_id = written.id
        order by id desc limit 1) as last
      where last.path = ${place.fileName} and last.line = ${place.vulnerableLine})`.execute(trx)
}
