// The SQL of evidence: files attached to an activity.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type Evidence = {
  companyId: Id
  id: Id
  activityId: Id
  eventId: Id
  filename: string
  contentType: string
  /** bytes */
  size: number
  /** hexadecimal */
  sha256: string
  objectKey: string
  description: string | null
  createdAt: string
}

const selectEvidences = (db: Db) =>
  db
    .selectFrom('activity_evidence as evidence')
    .innerJoin('stored_object as object', (join) =>
      join.onRef('object.company_id', '=', 'evidence.company_id').onRef('object.id', '=', 'evidence.object_id'),
    )
    .select([
      'evidence.company_id as companyId',
      'evidence.id',
      'evidence.activity_id as activityId',
      'evidence.event_id as eventId',
      'object.filename',
      'object.content_type as contentType',
      sql<number>`object.size::float8`.as('size'),
      sql<string>`encode(object.sha256, 'hex')`.as('sha256'),
      'object.object_key as objectKey',
      'evidence.description',
      'evidence.created_at as createdAt',
    ])

/** The evidence files of these activities, oldest first. */
export async function findEvidences(db: Db, viewer: Viewer, activityIds: readonly Id[]): Promise<Evidence[]> {
  return selectEvidences(db)
    .where(sql<boolean>`evidence.activity_id = any(${activityIds}::bigint[])`)
    .where(seenBy(viewer, 'evidence.company_id'))
    .orderBy('evidence.id')
    .execute()
}

/** The evidence files that these events of a history added, oldest first. */
export async function findEventEvidences(db: Db, viewer: Viewer, eventIds: readonly Id[]): Promise<Evidence[]> {
  return selectEvidences(db)
    .where(sql<boolean>`evidence.event_id = any(${eventIds}::bigint[])`)
    .where(seenBy(viewer, 'evidence.company_id'))
    .orderBy('evidence.id')
    .execute()
}

export async function findEvidence(db: Db, viewer: Viewer, id: Id): Promise<Evidence | null> {
  const found = selectEvidences(db).where('evidence.id', '=', id).where(seenBy(viewer, 'evidence.company_id'))
  return (await found.executeTakeFirst()) ?? null
}

export async function countEvidences(db: Db, companyId: Id, activityId: Id): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from activity_evidence
    where company_id = ${companyId} and activity_id = ${activityId}`.execute(db)
  return rows[0]?.count ?? 0
}

export type NewEvidence = { activityId: Id; eventId: Id; objectId: Id; description: string | null }

export async function insertEvidence(trx: Trx, companyId: Id, evidence: NewEvidence): Promise<Id> {
  const inserted = await trx
    .insertInto('activity_evidence')
    .values({
      company_id: companyId,
      activity_id: evidence.activityId,
      event_id: evidence.eventId,
      object_id: evidence.objectId,
      description: evidence.description,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return inserted.id
}
