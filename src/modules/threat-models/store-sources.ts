// The SQL of imported models: which requirement came from which threat.

import { sql } from 'kysely'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { ThreatModel } from '../../threat-models/types.ts'

/** Records that the model was imported into the company or project, and locks the record; returns its id. */
export async function lockSource(trx: Trx, companyId: Id, projectId: Id | null, model: ThreatModel): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`
    insert into threat_model_source (company_id, project_id, format, model_key, title)
    values (${companyId}, ${projectId}, ${model.format}, ${model.key}, ${model.title})
    on conflict on constraint threat_model_source_model do update set title = excluded.title, imported_at = now()
    returning id`.execute(trx)
  const [source] = rows
  if (!source) throw new Error('A model was neither found nor inserted')
  return source.id
}

/** An imported threat, with the SHA-256 of the text last written for it. */
export type KnownThreat = { key: string; requirementId: Id; labelHash: Buffer; descriptionHash: Buffer }

export async function findThreats(trx: Trx, companyId: Id, sourceId: Id): Promise<KnownThreat[]> {
  const { rows } = await sql<KnownThreat>`
    select threat_key as key, requirement_id as "requirementId", label_sha256 as "labelHash",
           description_sha256 as "descriptionHash"
    from threat_model_threat where company_id = ${companyId} and source_id = ${sourceId}
    order by requirement_id`.execute(trx)
  return rows
}

/** Records the threats in one statement. */
export async function keepThreats(
  trx: Trx,
  companyId: Id,
  sourceId: Id,
  threats: readonly KnownThreat[],
): Promise<void> {
  const rows = threats.map(({ key, requirementId, labelHash, descriptionHash }) => ({
    key,
    requirementId,
    label: labelHash.toString('hex'),
    description: descriptionHash.toString('hex'),
  }))
  await sql`
    insert into threat_model_threat (company_id, source_id, threat_key, requirement_id, label_sha256, description_sha256)
    select ${companyId}::bigint, ${sourceId}::bigint, key, "requirementId", decode(label, 'hex'), decode(description, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given(key text, "requirementId" bigint, label text, description text)
    on conflict (company_id, source_id, threat_key) do update set requirement_id = excluded.requirement_id,
      label_sha256 = excluded.label_sha256, description_sha256 = excluded.description_sha256`.execute(trx)
}
