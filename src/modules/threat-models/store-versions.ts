// The SQL of the versions of threat-model artifacts.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { Artifact } from './store.ts'

/** A version without its large fields. */
export type Version = {
  companyId: Id
  id: Id
  artifactId: Id
  version: number
  diagramType: string | null
  scopeText: string | null
  notes: string | null
  sourceProjectId: Id | null
  authorId: Id | null
  createdAt: string
}

const columns = sql`v.company_id as "companyId", v.id, v.artifact_id as "artifactId", v.version,
  v.diagram_type as "diagramType", v.scope_text as "scopeText", v.notes, v.source_project_id as "sourceProjectId",
  v.created_by as "authorId", v.created_at as "createdAt"`

/** The newest versions of each artifact, newest first, at most `most` per artifact. */
export async function findNewest(db: Db, viewer: Viewer, artifactIds: readonly Id[], most: number): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select ${columns} from unnest(${artifactIds}::bigint[]) as asked(id)
    cross join lateral (
      select * from threat_model_version v where v.artifact_id = asked.id and ${seenBy(viewer, 'v.company_id')}
      order by v.version desc limit ${most}) v
    order by v.artifact_id, v.version desc`.execute(db)
  return rows
}

/** The versions of these artifacts with these numbers; the two lists correspond by position. */
export async function findNumbered(
  db: Db,
  viewer: Viewer,
  artifactIds: readonly Id[],
  numbers: readonly number[],
): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select ${columns} from threat_model_version v
    join unnest(${artifactIds}::bigint[], ${numbers}::int[]) as asked(id, number)
      on v.artifact_id = asked.id and v.version = asked.number
    where ${seenBy(viewer, 'v.company_id')}`.execute(db)
  return rows
}

export type Content = { id: Id; architectureItems: unknown; diagramContent: string | null }

/** The total size of these versions' content in bytes. */
export async function weighContents(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(coalesce(octet_length(diagram_content), 0) + octet_length(architecture_items::text)), 0) as bytes
    from threat_model_version v where v.id = any(${ids}::bigint[]) and ${seenBy(viewer, 'v.company_id')}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

export async function findContents(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Content[]> {
  const { rows } = await sql<Content>`
    select v.id, v.architecture_items as "architectureItems", v.diagram_content as "diagramContent"
    from threat_model_version v where v.id = any(${ids}::bigint[]) and ${seenBy(viewer, 'v.company_id')}`.execute(db)
  return rows
}

export async function findRequirementIds(
  db: Db,
  viewer: Viewer,
  versionIds: readonly Id[],
): Promise<{ versionId: Id; requirementIds: Id[] }[]> {
  const { rows } = await sql<{ versionId: Id; requirementIds: Id[] }>`
    select version_id as "versionId", array_agg(requirement_id::text order by requirement_id) as "requirementIds"
    from threat_model_version_requirement r
    where version_id = any(${versionIds}::bigint[]) and ${seenBy(viewer, 'r.company_id')} group by version_id`.execute(
    db,
  )
  return rows
}

export type NewVersion = {
  architectureItems: unknown
  requirementIds: readonly Id[]
  diagramType: string | null
  diagramContent: string | null
  sourceProjectId: Id | null
  notes: string | null
}

/** The latest version of a locked artifact, and whether its diagram equals `diagramContent`. */
export async function findLatest(
  trx: Trx,
  { companyId, id }: Artifact,
  diagramContent: string | null,
): Promise<(Version & { isSame: boolean }) | null> {
  const { rows } = await sql<Version & { isSame: boolean }>`
    select ${columns}, v.diagram_content is not distinct from ${diagramContent}::text as "isSame"
    from threat_model_version v where v.company_id = ${companyId} and v.artifact_id = ${id}
    order by v.version desc limit 1`.execute(trx)
  return rows[0] ?? null
}

/** Adds a version with this number to an artifact that is locked. */
export async function insertVersion(
  trx: Trx,
  artifact: Artifact,
  number: number,
  version: NewVersion,
  authorId: Id,
): Promise<Version> {
  const { rows } = await sql<Version>`
    insert into threat_model_version as v (company_id, artifact_id, version, architecture_items, diagram_type,
      diagram_content, scope_text, source_project_id, notes, created_by)
    values (${artifact.companyId}, ${artifact.id}, ${number}, ${JSON.stringify(version.architectureItems)}::jsonb,
      ${version.diagramType}, ${version.diagramContent}, ${artifact.scopeText}, ${version.sourceProjectId},
      ${version.notes}, ${authorId})
    returning ${columns}`.execute(trx)
  const [inserted] = rows
  if (!inserted) throw new Error('A version was not inserted')
  await sql`
    insert into threat_model_version_requirement (company_id, version_id, requirement_id)
    select ${artifact.companyId}::bigint, ${inserted.id}::bigint, unnest(${version.requirementIds}::bigint[])`.execute(
    trx,
  )
  return inserted
}
