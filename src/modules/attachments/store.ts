// The SQL of attachments; every statement is limited to those that the viewer may see.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type Attachment = {
  companyId: Id
  id: Id
  objectId: Id
  archiveFilename: string
  archiveContentType: string
  /** bytes */
  size: number
  /** hexadecimal */
  sha256: string
  description: string | null
  projectId: Id | null
  issueId: Id | null
  isRestricted: boolean
  authorId: Id | null
  createdAt: string
  updatedAt: string
}

const columns = [
  'attachment.company_id as companyId',
  'attachment.id',
  'attachment.object_id as objectId',
  'stored_object.filename as archiveFilename',
  'stored_object.content_type as archiveContentType',
  sql<number>`stored_object.size::float8`.as('size'),
  sql<string>`encode(stored_object.sha256, 'hex')`.as('sha256'),
  'attachment.description',
  'attachment.project_id as projectId',
  'attachment.issue_id as issueId',
  'attachment.is_restricted as isRestricted',
  'attachment.created_by as authorId',
  'attachment.created_at as createdAt',
  'attachment.updated_at as updatedAt',
] as const

const withFiles = (db: Db) =>
  db
    .selectFrom('attachment')
    .innerJoin('stored_object', (join) =>
      join
        .onRef('stored_object.company_id', '=', 'attachment.company_id')
        .onRef('stored_object.id', '=', 'attachment.object_id'),
    )

const ownedBy = (viewer: Viewer): Id[] =>
  [...(viewer.memberships ?? [])].filter(([, role]) => role === 'OWNER').map(([companyId]) => companyId)

/** True for attachments of companies that the viewer sees, if they are not restricted to other users. */
const openTo = (viewer: Viewer): RawBuilder<boolean> =>
  viewer.memberships === null
    ? seenBy(viewer, 'attachment.company_id')
    : sql`(${seenBy(viewer, 'attachment.company_id')} and (not attachment.is_restricted
        or attachment.created_by = ${viewer.userId} or attachment.company_id = any(${ownedBy(viewer)}::bigint[])
        or exists (select from attachment_user allowed where allowed.company_id = attachment.company_id
          and allowed.attachment_id = attachment.id and allowed.user_id = ${viewer.userId})))`

export const origins = ['company', 'project', 'issue'] as const
export type Origin = (typeof origins)[number]

export type AttachmentFilter = {
  issueId: Id | null
  projectId: Id | null
  /** part of it, ignoring case */
  filename: string | null
  origin: Origin | null
}

const isFrom = {
  company: sql<boolean>`attachment.project_id is null and attachment.issue_id is null`,
  project: sql<boolean>`attachment.project_id is not null and attachment.issue_id is null`,
  issue: sql<boolean>`attachment.issue_id is not null`,
} satisfies Record<Origin, RawBuilder<boolean>>

export async function listAttachments(
  db: Db,
  viewer: Viewer,
  companyId: Id,
  filter: AttachmentFilter,
  page: PageRequest,
): Promise<Page<Attachment>> {
  let query = withFiles(db).select(columns).where('attachment.company_id', '=', companyId).where(openTo(viewer))
  if (filter.issueId !== null) query = query.where('attachment.issue_id', '=', filter.issueId)
  if (filter.projectId !== null) query = query.where('attachment.project_id', '=', filter.projectId)
  if (filter.filename !== null)
    query = query.where(sql<boolean>`strpos(lower(stored_object.filename), lower(${filter.filename})) > 0`)
  if (filter.origin !== null) query = query.where(isFrom[filter.origin])
  return newestFirst(db, query, page, 'attachment.id')
}

export async function findAttachment(db: Db, viewer: Viewer, id: Id): Promise<Attachment | null> {
  const query = withFiles(db).select(columns).where(openTo(viewer)).where('attachment.id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** As findAttachment, and locks it until the transaction ends. */
export async function lockAttachment(trx: Trx, viewer: Viewer, companyId: Id, id: Id): Promise<Attachment | null> {
  const query = withFiles(trx).select(columns).where(openTo(viewer)).where('attachment.company_id', '=', companyId)
  return (await query.where('attachment.id', '=', id).forUpdate('attachment').executeTakeFirst()) ?? null
}

export type Place = { projectId: Id | null; issueId: Id | null }

export async function insertAttachment(
  trx: Trx,
  companyId: Id,
  fields: Place & { objectId: Id; description: string | null; authorId: Id },
): Promise<Id> {
  const inserted = await trx
    .insertInto('attachment')
    .values({
      company_id: companyId,
      object_id: fields.objectId,
      project_id: fields.projectId,
      issue_id: fields.issueId,
      description: fields.description,
      created_by: fields.authorId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return inserted.id
}

export async function updateAttachment(
  trx: Trx,
  { companyId, id }: Attachment,
  change: Place & { description: string | null },
): Promise<void> {
  await trx
    .updateTable('attachment')
    .set({
      project_id: change.projectId,
      issue_id: change.issueId,
      description: change.description,
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
}

/** Restricts the attachment to exactly these users; an empty list lets everyone in the company see it. */
export async function replaceAllowed(trx: Trx, companyId: Id, id: Id, userIds: readonly Id[]): Promise<void> {
  await sql`update attachment set is_restricted = ${userIds.length > 0}, updated_at = now()
    where company_id = ${companyId} and id = ${id}`.execute(trx)
  await sql`delete from attachment_user where company_id = ${companyId} and attachment_id = ${id}
    and not user_id = any(${userIds}::bigint[])`.execute(trx)
  await sql`insert into attachment_user (company_id, attachment_id, user_id)
    select ${companyId}, ${id}, user_id from unnest(${userIds}::bigint[]) as user_id
    on conflict do nothing`.execute(trx)
}

/** The users to whom these attachments are restricted and who are still members of the company. */
export async function findAllowed(
  db: Db,
  viewer: Viewer,
  ids: readonly Id[],
): Promise<{ attachmentId: Id; userIds: Id[] }[]> {
  const { rows } = await sql<{ attachmentId: Id; userIds: Id[] }>`
    select attachment_id as "attachmentId", array_agg(user_id order by user_id) as "userIds"
    from attachment_user join membership using (company_id, user_id)
    where ${seenBy(viewer, 'company_id')} and attachment_id = any(${ids}::bigint[]) group by attachment_id`.execute(db)
  return rows
}

/** Deletes an attachment with its file's row, and returns the file's key. */
export async function deleteAttachment(trx: Trx, { companyId, objectId }: Attachment): Promise<string | null> {
  const { rows } = await sql<{ objectKey: string }>`
    delete from stored_object where company_id = ${companyId} and id = ${objectId}
    returning object_key as "objectKey"`.execute(trx)
  return rows[0]?.objectKey ?? null
}
