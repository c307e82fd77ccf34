// The SQL of threat-model artifacts and their versions.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type ArtifactFields = {
  label: string
  description: string | null
  scopeText: string | null
  assigneeId: Id | null
}

export type Artifact = ArtifactFields & { companyId: Id; id: Id; createdAt: string; updatedAt: string }

export type ArtifactFilter = { search: string | null; assigneeEmail: string | null; hasVersion: boolean | null }

const columns = [
  'company_id as companyId',
  'id',
  'label',
  'description',
  'scope_text as scopeText',
  'assignee_id as assigneeId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export async function listArtifacts(
  db: Db,
  companyId: Id,
  page: PageRequest,
  { search, assigneeEmail, hasVersion }: ArtifactFilter,
): Promise<Page<Artifact>> {
  let found = db.selectFrom('threat_model_artifact').select(columns).where('company_id', '=', companyId)
  if (search !== null) {
    const part = search.toLowerCase()
    found = found.where(
      sql<boolean>`(strpos(lower(label), ${part}) > 0 or strpos(lower(description), ${part}) > 0
        or strpos(lower(scope_text), ${part}) > 0)`,
    )
  }
  if (assigneeEmail !== null) {
    found = found.where(
      sql<boolean>`assignee_id in (select id from portal_user where lower(email) = lower(${assigneeEmail}))`,
    )
  }
  if (hasVersion !== null) {
    found = found.where(
      sql<boolean>`exists (select from threat_model_version v where v.company_id = threat_model_artifact.company_id
        and v.artifact_id = threat_model_artifact.id) = ${hasVersion}`,
    )
  }
  return newestFirst(db, found, page, 'threat_model_artifact.id')
}

export async function findArtifact(db: Db, viewer: Viewer, id: Id): Promise<Artifact | null> {
  const found = db
    .selectFrom('threat_model_artifact')
    .select(columns)
    .where('id', '=', id)
    .where(seenBy(viewer, 'threat_model_artifact.company_id'))
  return (await found.executeTakeFirst()) ?? null
}

export async function lockArtifact(trx: Trx, companyId: Id, id: Id): Promise<Artifact | null> {
  const found = trx
    .selectFrom('threat_model_artifact')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
  return (await found.executeTakeFirst()) ?? null
}

export async function insertArtifact(
  trx: Trx,
  companyId: Id,
  { label, description, scopeText, assigneeId }: ArtifactFields,
  authorId: Id,
): Promise<Artifact> {
  return trx
    .insertInto('threat_model_artifact')
    .values({
      company_id: companyId,
      label,
      description,
      scope_text: scopeText,
      assignee_id: assigneeId,
      created_by: authorId,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Updates the fields and the artifact's time of change. */
export async function updateArtifact(
  trx: Trx,
  { companyId, id }: Artifact,
  { label, description, scopeText, assigneeId }: ArtifactFields,
): Promise<Artifact> {
  return trx
    .updateTable('threat_model_artifact')
    .set({ label, description, scope_text: scopeText, assignee_id: assigneeId, updated_at: sql`now()` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Deletes the artifact with its versions. */
export async function deleteArtifact(trx: Trx, { companyId, id }: Artifact): Promise<void> {
  await trx.deleteFrom('threat_model_artifact').where('company_id', '=', companyId).where('id', '=', id).execute()
}
