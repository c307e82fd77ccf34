// Attachments: who may see, create, change, download and delete them.

import { afterCommit, type Trx, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { StoredFile } from '../../core/download.ts'
import { badUserInput, forbidden, notFound } from '../../core/errors.ts'
import { type Id, parseIds, parseOptionalId } from '../../core/ids.ts'
import { findStoredFile } from '../../core/stored-files.ts'
import { readText } from '../../core/text.ts'
import { keepUpload, requireSize, storeUpload, type UploadedFile } from '../../core/uploads.ts'
import { audit, authorize, authorizeRecord, membersById } from '../access/service.ts'
import type { Context, SentAttachment } from '../context.ts'
import { loadIssues } from '../issues/service.ts'
import { loadProjects } from '../projects/service.ts'
import * as store from './store.ts'

export type { Attachment } from './store.ts'

export const originOf = ({ issueId, projectId }: store.Place): store.Origin => {
  if (issueId !== null) return 'issue'
  return projectId === null ? 'company' : 'project'
}

/** attachment → ids of the users to whom it is restricted. */
export const loadAllowed = async (context: Context, ids: readonly string[]): Promise<Map<string, Id[]>> =>
  new Map(
    (await store.findAllowed(context.db, context.viewer, ids)).map(({ attachmentId, userIds }) => [
      attachmentId,
      userIds,
    ]),
  )

type AttachmentSearch = Omit<store.AttachmentFilter, 'origin'> & { origin: string | null }

export async function listAttachments(
  context: Context,
  companyId: Id,
  search: AttachmentSearch,
  page: PageRequest,
): Promise<Page<store.Attachment>> {
  await authorize(context, 'attachments:read', companyId)
  const origin = search.origin === null ? null : readOrigin(search.origin)
  await requirePlace(context, companyId, search)
  return store.listAttachments(context.db, context.viewer, companyId, { ...search, origin }, page)
}

const authorizeAttachment = (context: Context, action: 'attachments:read' | 'attachments:write', id: Id) =>
  authorizeRecord(context, action, 'Attachment', id, () => store.findAttachment(context.db, context.viewer, id))

export const getAttachment = (context: Context, id: Id): Promise<store.Attachment> =>
  authorizeAttachment(context, 'attachments:read', id)

/** The file of an attachment, if the viewer may see it. */
export async function getAttachmentFile(context: Context, id: Id): Promise<StoredFile> {
  const { companyId, objectId } = await getAttachment(context, id)
  const file = await findStoredFile(context.db, companyId, objectId)
  if (!file) throw notFound('Attachment', id)
  return file
}

type NewAttachment = store.Place & {
  archive: UploadedFile
  description: string | null
  allowedIds: readonly Id[]
}

/** Stores a file as an attachment; PAYLOAD_TOO_LARGE above the limit for attachments. */
export async function createAttachment(
  context: Context,
  companyId: Id,
  input: NewAttachment,
): Promise<store.Attachment> {
  await authorize(context, 'attachments:write', companyId)
  requireSize(input.archive, context.config.limits.attachmentBytes, 'input.archive')
  readText(input.description, 'input.description')
  await requirePlace(context, companyId, input)
  await membersById(context, companyId, input.allowedIds, 'input.allowedPortalUserIds')
  await storeUpload(context.objects, input.archive)
  return transaction(context.db, (trx) => keep(trx, context, companyId, input))
}

async function keep(trx: Trx, context: Context, companyId: Id, input: NewAttachment): Promise<store.Attachment> {
  const { description, projectId, issueId, allowedIds } = input
  const objectId = await keepUpload(trx, companyId, input.archive)
  const fields = { objectId, description, projectId, issueId, authorId: context.viewer.userId }
  const id = await store.insertAttachment(trx, companyId, fields)
  if (allowedIds.length > 0) await store.replaceAllowed(trx, companyId, id, allowedIds)
  const after = await requireLocked(trx, context, companyId, id)
  await audit(trx, context, { companyId, object: `Attachment ${id}`, after: { ...after, allowedIds } })
  return after
}

/** Fields that are undefined stay as they are. */
type AttachmentChange = { description?: string | null; allowedIds?: readonly Id[] }

export async function updateAttachment(context: Context, id: Id, change: AttachmentChange): Promise<store.Attachment> {
  const seen = await authorizeAttachment(context, 'attachments:write', id)
  readText(change.description, 'input.description')
  if (change.allowedIds) await requireAllowing(context, seen, change.allowedIds, 'input.allowedPortalUserIds')
  return transaction(context.db, (trx) => alter(trx, context, seen, change))
}

async function alter(
  trx: Trx,
  context: Context,
  { companyId, id }: store.Attachment,
  change: AttachmentChange & Partial<store.Place>,
): Promise<store.Attachment> {
  const before = await requireLocked(trx, context, companyId, id)
  await store.updateAttachment(trx, before, {
    description: change.description === undefined ? before.description : change.description,
    projectId: change.projectId === undefined ? before.projectId : change.projectId,
    issueId: change.issueId === undefined ? before.issueId : change.issueId,
  })
  if (change.allowedIds) await store.replaceAllowed(trx, companyId, id, change.allowedIds)
  const after = await requireLocked(trx, context, companyId, id)
  const told = { ...after, allowedIds: change.allowedIds }
  await audit(trx, context, { companyId, object: `Attachment ${id}`, before, after: told })
  return after
}

/** Deletes an attachment with its file. */
export async function deleteAttachment(context: Context, id: Id): Promise<Id> {
  const seen = await authorizeAttachment(context, 'attachments:write', id)
  return transaction(context.db, async (trx) => {
    const before = await requireLocked(trx, context, seen.companyId, id)
    const objectKey = await store.deleteAttachment(trx, before)
    await audit(trx, context, { companyId: before.companyId, object: `Attachment ${id}`, before })
    await afterCommit(trx, () => removeObject(context, objectKey))
    return id
  })
}

/** A file that cannot be removed now is swept later, because no row refers to it. */
async function removeObject({ objects, log }: Context, objectKey: string | null): Promise<void> {
  if (objectKey !== null) await objects.remove(objectKey).catch((err) => log.warn({ err }, 'A file was left behind'))
}

async function requireLocked(trx: Trx, { viewer }: Context, companyId: Id, id: Id): Promise<store.Attachment> {
  const attachment = await store.lockAttachment(trx, viewer, companyId, id)
  if (!attachment) throw notFound('Attachment', id)
  return attachment
}

/** Throws unless the viewer may decide who sees the attachment, and all these users are members of its company. */
async function requireAllowing(
  context: Context,
  { companyId, authorId }: store.Attachment,
  userIds: readonly Id[],
  argument: string,
): Promise<void> {
  const { memberships, userId } = context.viewer
  if (authorId !== userId && memberships !== null && memberships.get(companyId) !== 'OWNER') {
    throw forbidden('Only its author or an owner of the company may change who sees an attachment')
  }
  await membersById(context, companyId, userIds, argument)
}

/** NOT_FOUND if the project or the issue does not belong to the company. */
async function requirePlace(context: Context, companyId: Id, { projectId, issueId }: store.Place): Promise<void> {
  if (projectId !== null) {
    const project = (await loadProjects(context, [projectId])).get(projectId)
    if (project?.companyId !== companyId) throw notFound('Project', projectId)
  }
  if (issueId !== null) {
    const issue = (await loadIssues(context, [issueId])).get(issueId)
    if (issue?.companyId !== companyId) throw notFound('Issue', issueId)
  }
}

function readOrigin(given: string): store.Origin {
  const origin = store.origins.find((known) => known === given.toLowerCase())
  if (!origin) throw badUserInput(`origin is one of ${store.origins.join(', ')}`, 'origin')
  return origin
}

const PROJECT_ARGUMENT = 'input.attachments'

/** Stores the attachments sent with a project, in the project's transaction. Each is a new file or, by its id, an existing attachment. */
export async function keepWithProject(
  trx: Trx,
  context: Context,
  project: { companyId: Id; id: Id },
  sent: readonly SentAttachment[],
): Promise<void> {
  if (sent.length === 0) return
  const within = { ...context, db: trx }
  await authorize(within, 'attachments:write', project.companyId)
  if (sent.length > 100) throw badUserInput('attachments has at most 100 entries', PROJECT_ARGUMENT)
  for (const attachment of sent) await keepOneWithProject(trx, within, project, attachment)
}

async function keepOneWithProject(
  trx: Trx,
  context: Context,
  { companyId, id: projectId }: { companyId: Id; id: Id },
  sent: SentAttachment,
): Promise<void> {
  const id = parseOptionalId(sent.id, `${PROJECT_ARGUMENT}.id`)
  const issueId = parseOptionalId(sent.issueId, `${PROJECT_ARGUMENT}.issueId`)
  const allowedIds =
    sent.allowedPortalUserIds && parseIds(sent.allowedPortalUserIds, `${PROJECT_ARGUMENT}.allowedPortalUserIds`)
  readText(sent.description, `${PROJECT_ARGUMENT}.description`)
  await requirePlace(context, companyId, { projectId: null, issueId })
  const named = parseOptionalId(sent.projectId, `${PROJECT_ARGUMENT}.projectId`)
  if (named !== null && named !== projectId) throw notFound('Project', named)
  if (id !== null) {
    if (sent.archive)
      throw badUserInput('The file of an existing attachment cannot be replaced', `${PROJECT_ARGUMENT}.archive`)
    const seen = await requireLocked(trx, context, companyId, id)
    if (allowedIds) await requireAllowing(context, seen, allowedIds, `${PROJECT_ARGUMENT}.allowedPortalUserIds`)
    const change = { description: sent.description, allowedIds: allowedIds ?? undefined, projectId }
    await alter(trx, context, seen, issueId === null ? change : { ...change, issueId })
    return
  }
  if (!sent.archive) throw badUserInput('A new attachment needs a file', `${PROJECT_ARGUMENT}.archive`)
  requireSize(sent.archive, context.config.limits.attachmentBytes, `${PROJECT_ARGUMENT}.archive`)
  await membersById(context, companyId, allowedIds ?? [], `${PROJECT_ARGUMENT}.allowedPortalUserIds`)
  await storeUpload(context.objects, sent.archive)
  const { archive, description = null } = sent
  await keep(trx, context, companyId, { archive, description, projectId, issueId, allowedIds: allowedIds ?? [] })
}
