// Activities of a project's requirements: their changes, history and evidence, and the progress of a project.

import { type Trx, transaction } from '../../core/db/open.ts'
import { cursorId, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import { type Id, parseOptionalId } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { keepUpload, requireSize, storeUpload, type UploadedFile } from '../../core/uploads.ts'
import { audit, authorizeRecord } from '../access/service.ts'
import type { ActivityAttributeInput, ActivityStatus, UpdateActivityInput } from '../api.generated.ts'
import { type Context, load } from '../context.ts'
import { readSort, requireFew } from './input.ts'
import * as store from './store-activities.ts'
import * as evidences from './store-evidences.ts'

export type { Activity, ActivityEvent } from './store-activities.ts'
export type { Evidence } from './store-evidences.ts'

const ACTIVITIES_AT_ONCE = 500
const MOST_EVIDENCES = 1000

/** requirement → its activities in the order in which they are listed. */
export const loadActivities = async (context: Context, requirementIds: readonly string[]) =>
  Map.groupBy(
    await store.findActivities(context.db, context.viewer, requirementIds),
    ({ requirementId }) => requirementId,
  )

/** activity → its evidence files, oldest first. */
export const loadEvidences = async (context: Context, activityIds: readonly string[]) =>
  Map.groupBy(await evidences.findEvidences(context.db, context.viewer, activityIds), ({ activityId }) => activityId)

/** event of a history → the evidence files that it added. */
export const loadEventEvidences = async (context: Context, eventIds: readonly string[]) =>
  Map.groupBy(await evidences.findEventEvidences(context.db, context.viewer, eventIds), ({ eventId }) => eventId)

/** project → how many of its applicable activities there are, and how many of them are done. */
export const loadProgress = async (context: Context, projectIds: readonly string[]) =>
  new Map(
    (await store.countProgress(context.db, context.viewer, projectIds)).map(({ projectId, done, total }) => [
      projectId,
      { done, total },
    ]),
  )

type HistoryKey = { companyId: Id; activityId: Id; limit: number; offset: number; after: Id | null }

/** The history of an activity, newest first. The histories that one request asks for are read by one statement. */
export async function listHistory(
  context: Context,
  { companyId, id }: store.Activity,
  page: PageRequest,
): Promise<Page<store.ActivityEvent>> {
  const after = page.after === null ? null : cursorId(page.after)
  const key: HistoryKey = { companyId, activityId: id, limit: page.limit, offset: offsetOf(page), after }
  const answer = await load(context, loadHistories, JSON.stringify(key))
  return pageOf(page, answer?.events ?? [], answer?.total ?? 0, (event) => [event.id])
}

async function loadHistories(context: Context, keys: readonly string[]): Promise<Map<string, store.HistoryAnswer>> {
  const questions = keys.map((key, number): store.HistoryQuestion => ({ ...(JSON.parse(key) as HistoryKey), number }))
  const answers = await store.findHistories(context.db, questions)
  return new Map(answers.map((answer) => [keys[answer.number] ?? '', answer]))
}

export type GivenActivity = { [K in keyof store.ActivityText]: store.ActivityText[K] | undefined } & { id: Id | null }

/** Reads the activities given with a requirement. Undefined leaves a value of an existing activity as it is. */
export function readActivities(given: readonly ActivityAttributeInput[]): GivenActivity[] {
  requireFew(given, ACTIVITIES_AT_ONCE, 'input.activities')
  const activities = given.map((activity, index): GivenActivity => {
    const at = `input.activities.${index}`
    const id = parseOptionalId(activity.id, `${at}.id`)
    const title = activity.label ?? undefined
    if (id === null && title === undefined) throw badUserInput('A new activity has a label', `${at}.label`)
    return {
      id,
      title: title === undefined ? undefined : readName(title, `${at}.label`),
      ...readTexts(activity, at),
    }
  })
  const ids = activities.flatMap(({ id }) => (id === null ? [] : [id]))
  if (new Set(ids).size < ids.length) throw badUserInput('An activity is named twice', 'input.activities')
  return activities
}

const readTexts = (
  given: { description?: string | null; reference?: string | null; sort?: number | null },
  at: string,
) => ({
  description: readText(given.description, `${at}.description`),
  reference: readText(given.reference, `${at}.reference`),
  sort: given.sort === undefined ? undefined : readSort(given.sort, `${at}.sort`),
})

/** Writes the activities given with a requirement, and deletes those named in `removed`. */
export async function writeActivities(
  trx: Trx,
  context: Context,
  { companyId, requirementId }: { companyId: Id; requirementId: Id },
  given: readonly GivenActivity[],
  removed: readonly Id[],
): Promise<void> {
  const own = new Map(
    (await store.lockActivities(trx, companyId, requirementId)).map((activity) => [activity.id, activity]),
  )
  const named = [...removed, ...given.flatMap(({ id }) => (id === null ? [] : [id]))]
  const foreign = named.find((id) => !own.has(id))
  if (foreign !== undefined) throw notFound('Activity', foreign)
  const changed = given.flatMap(({ id, ...change }) => {
    const before = id === null ? undefined : own.get(id)
    return before ? [{ ...before, ...textOf(before, change) }] : []
  })
  const added = given.filter(({ id }) => id === null).map((activity) => textOf(blank, activity))
  const { userId } = context.viewer
  if (removed.length > 0) await store.deleteActivities(trx, companyId, requirementId, removed)
  if (changed.length > 0) await store.updateActivities(trx, companyId, changed)
  const addedIds = added.length > 0 ? await store.insertActivities(trx, companyId, requirementId, added) : []
  const events = [
    ...addedIds.map((activityId) => ({ activityId, action: 'CREATED' as const, userId })),
    ...changed
      .filter(({ id }) => !removed.includes(id))
      .map(({ id }) => ({ activityId: id, action: 'UPDATED' as const, userId })),
  ]
  if (events.length > 0) await store.insertEvents(trx, companyId, events)
}

const blank: store.ActivityText = { title: '', description: null, reference: null, sort: null }

const textOf = (
  before: store.ActivityText,
  change: { [K in keyof store.ActivityText]?: store.ActivityText[K] | undefined },
): store.ActivityText => ({
  title: change.title ?? before.title,
  description: change.description === undefined ? before.description : change.description,
  reference: change.reference === undefined ? before.reference : change.reference,
  sort: change.sort === undefined ? before.sort : change.sort,
})

/** Changes an activity. A new status sets or clears its times of start and end, and is recorded in its history. */
export async function updateActivity(context: Context, id: Id, input: UpdateActivityInput): Promise<store.Activity> {
  const { companyId } = await authorizeActivity(context, id)
  const title = input.title ?? undefined
  const change = {
    title: title === undefined ? undefined : readName(title, 'input.title'),
    ...readTexts(input, 'input'),
  }
  const comment = readText(input.comment ?? null, 'input.comment')
  return transaction(context.db, async (trx) => {
    const before = await lock(trx, companyId, id)
    const status = input.status ?? before.status
    const text = textOf(before, change)
    const isMoved = status !== before.status
    const isEdited = Object.values(change).some((value) => value !== undefined)
    if (!isMoved && !isEdited && comment === null) return before
    const times = isMoved ? timesOf(before, status, new Date().toISOString()) : {}
    await store.updateActivities(trx, companyId, [{ ...before, ...text, ...times, status }])
    await store.insertEvents(trx, companyId, [
      {
        activityId: id,
        action: isMoved ? 'STATUS_CHANGED' : 'UPDATED',
        userId: context.viewer.userId,
        previousStatus: isMoved ? before.status : undefined,
        status: isMoved ? status : undefined,
        comment,
      },
    ])
    const after = await lock(trx, companyId, id)
    await audit(trx, context, { companyId, object: `Activity ${id}`, before, after })
    return after
  })
}

/** When an activity started and finished once it has `status`, as of `now`. */
function timesOf(
  before: Pick<store.Activity, 'startedAt' | 'finishedAt'>,
  status: ActivityStatus,
  now: string,
): Pick<store.Activity, 'startedAt' | 'finishedAt'> {
  const startedAt = before.startedAt ?? now
  switch (status) {
    case 'NOT_STARTED':
      return { startedAt: null, finishedAt: null }
    case 'IN_PROGRESS':
      return { startedAt, finishedAt: null }
    case 'DONE':
      return { startedAt, finishedAt: now }
    case 'NOT_APPLICABLE':
      return { startedAt: before.startedAt, finishedAt: now }
  }
}

/** Stores a file as evidence of an activity; PAYLOAD_TOO_LARGE above the limit for attachments. */
export async function addActivityAttachment(
  context: Context,
  id: Id,
  file: UploadedFile,
  description: string | null | undefined,
): Promise<store.Activity> {
  const { companyId } = await authorizeActivity(context, id)
  const text = readText(description ?? null, 'input.description')
  requireSize(file, context.config.limits.attachmentBytes, 'input.archive')
  await storeUpload(context.objects, file)
  return transaction(context.db, async (trx) => {
    const activity = await lock(trx, companyId, id)
    if ((await evidences.countEvidences(trx, companyId, id)) >= MOST_EVIDENCES) {
      throw failedPrecondition(`An activity has at most ${MOST_EVIDENCES} evidences`)
    }
    const objectId = await keepUpload(trx, companyId, file)
    const [eventId = ''] = await store.insertEvents(trx, companyId, [
      { activityId: id, action: 'EVIDENCE_ADDED', userId: context.viewer.userId, comment: text },
    ])
    const added = { activityId: id, eventId, objectId, description: text }
    const evidenceId = await evidences.insertEvidence(trx, companyId, added)
    const after = { id: evidenceId, filename: file.filename, size: file.size, sha256: file.sha256.toString('hex') }
    await audit(trx, context, { companyId, object: `Activity ${id}`, after: { evidence: after } })
    return activity
  })
}

/** The evidence with this id, if the viewer sees its company. */
export const getEvidence = (context: Context, id: Id): Promise<evidences.Evidence> =>
  authorizeRecord(context, 'requirements:read', 'Evidence', id, () =>
    evidences.findEvidence(context.db, context.viewer, id),
  )

const authorizeActivity = (context: Context, id: Id): Promise<store.Activity> =>
  authorizeRecord(context, 'requirements:write', 'Activity', id, () =>
    store.findActivity(context.db, context.viewer, id),
  )

async function lock(trx: Trx, companyId: Id, id: Id): Promise<store.Activity> {
  const activity = await store.lockActivity(trx, companyId, id)
  if (!activity) throw notFound('Activity', id)
  return activity
}
