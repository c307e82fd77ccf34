// Findings in trackers for tests: an integration, a configuration, findings, and a run of the synchronisation.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { tasks } from '../../src/modules/sync/jobs.ts'
import { syncIntegration } from '../../src/modules/sync/run.ts'
import { BOARD, PROJECT, TEAM } from './boards-fake.ts'
import { run } from './client.ts'
import { inside } from './inside.ts'
import { BOARDS, saved, TASKS } from './integrations.ts'
import { LIST_ID } from './tasks-list.ts'
import { newAsset, newIssue, newWorld, type World } from './world.ts'

export const WORK_ITEMS = `query ($companyId: ID!, $issueId: ID) { workItems(companyId: $companyId, issueId: $issueId) {
  collection { id state externalId url externalStatus externalAuthor agreedStatus failure nextAttemptAt lastSyncedAt
    issue { id status } integration { id } } metadata { totalCount } } }`
const DELIVERIES = `query ($companyId: ID!, $outcomes: [SyncOutcome!]) {
  syncDeliveries(companyId: $companyId, outcomes: $outcomes, pagination: { perPage: 100 }) {
    collection { action outcome request answer reason duration workItemId issueId integration { id } } } }`
export const CREATE_ITEM = `mutation ($input: CreateWorkItemInput!) { createWorkItem(input: $input) {
  workItem { id state issue { id } } } }`
export const PREVIEW = `query ($id: ID!) { previewSync(configurationId: $id) {
  isCut steps { action from to reason issue { id } workItem { id } } } }`

export type Tracked = World & { integrationId: string; configurationId: string; assetId: string }

export const boardMapping = [
  { internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'New' },
  { internalIssueStatus: 'IN_PROGRESS', externalIssueStatus: 'Active' },
  { internalIssueStatus: 'AWAITING_VALIDATION', externalIssueStatus: 'Resolved' },
  { internalIssueStatus: 'FIX_ACCEPTED', externalIssueStatus: 'Closed' },
] as const
export const listMapping = [
  { internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'to do' },
  { internalIssueStatus: 'IN_PROGRESS', externalIssueStatus: 'in progress' },
  { internalIssueStatus: 'FIX_ACCEPTED', externalIssueStatus: 'complete' },
] as const

/** New for each call, because rate limits are counted by credential and shared by all its users. */
const newToken = () => randomBytes(16).toString('hex')

/** A company whose findings go to the board of serveBoards. */
export async function newBoardsWorld(configuration: Record<string, unknown> = {}): Promise<Tracked> {
  const world = await newWorld()
  const { companyId, owner } = world
  const made = await newBoard(companyId, owner.key, configuration)
  const asset = await newAsset(owner.key, companyId)
  return { ...world, ...made, assetId: asset.id }
}

/** Connects the company to the tracker of serveBoards, and maps its board. */
export async function newBoard(companyId: string, key: string, configuration: Record<string, unknown> = {}) {
  const { id } = await saved(key, BOARDS, { companyId, personalToken: newToken(), organizationName: 'acme' })
  const { createBoardsTrackerConfiguration: made } = await run(
    key,
    'mutation ($input: CreateBoardsTrackerConfigurationInput!) { createBoardsTrackerConfiguration(input: $input) { defectTrackerConfiguration { id } } }',
    {
      input: {
        scopeIntegrationId: id,
        statusMappings: boardMapping,
        project: PROJECT,
        board: BOARD,
        team: TEAM,
        ...configuration,
      },
    },
  )
  return { integrationId: id as string, configurationId: made.defectTrackerConfiguration.id as string }
}

/** A company whose findings go to the list of serveTasks. */
export async function newTasksWorld(): Promise<Tracked> {
  const world = await newWorld()
  const { companyId, owner } = world
  const { id } = await saved(owner.key, TASKS, { companyId, personalToken: newToken() })
  const { createTaskTrackerConfiguration: made } = await run(
    owner.key,
    'mutation ($input: CreateTaskTrackerConfigurationInput!) { createTaskTrackerConfiguration(input: $input) { taskTrackerConfiguration { id } } }',
    { input: { integrationId: id, statusMappings: listMapping, list: { id: LIST_ID, name: 'Findings' } } },
  )
  const asset = await newAsset(owner.key, companyId)
  return { ...world, integrationId: id, configurationId: made.taskTrackerConfiguration.id, assetId: asset.id }
}

/** A finding of the asset with the status IDENTIFIED. */
export const newFinding = ({ owner, assetId }: Tracked, extra: Record<string, unknown> = {}) =>
  newIssue(owner.key, assetId, { status: 'IDENTIFIED', ...extra })

export const createItem = async ({ owner }: Tracked, issueId: string) =>
  (await run(owner.key, CREATE_ITEM, { input: { issueId } })).createWorkItem.workItem

export const changeStatus = ({ owner }: Tracked, id: string, status: string) =>
  run(
    owner.key,
    'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { status } } }',
    {
      input: { id, status, reason: 'Decided' },
    },
  )

export const statusOf = async ({ owner }: Tracked, id: string): Promise<string> =>
  (await run(owner.key, 'query ($id: ID!) { issue(id: $id) { status } }', { id })).issue.status

/** Runs what the worker would for the integration; with `isNow`, items that wait for a retry are due at once. */
export async function sync(
  { companyId, integrationId }: Pick<Tracked, 'companyId' | 'integrationId'>,
  { isNow = true } = {},
): Promise<void> {
  const { db, ...parts } = await inside()
  if (isNow) await sql`update work_item set due_at = now() where company_id = ${companyId}`.execute(db)
  await syncIntegration({ ...parts, db }, companyId, integrationId)
}

export const itemOf = async ({ owner, companyId }: Tracked, issueId: string) =>
  (await run(owner.key, WORK_ITEMS, { companyId, issueId })).workItems.collection[0]

export const deliveriesOf = async ({ owner, companyId }: Tracked, outcomes?: readonly string[]) =>
  (await run(owner.key, DELIVERIES, { companyId, outcomes })).syncDeliveries.collection

/**
 * Runs the integration's waiting job as a worker does, and resolves to whether there was one. No worker is started for
 * it, because that would also take jobs of other tests, whose trackers it cannot reach.
 */
export async function runWaitingJob({ companyId, integrationId }: Tracked): Promise<boolean> {
  const { db, ...parts } = await inside()
  const key = `tracker ${companyId}/${integrationId}`
  const { rows } = await sql`select from graphile_worker.jobs where key = ${key}`.execute(db)
  if (rows.length === 0) return false
  await sql`select graphile_worker.remove_job(${key})`.execute(db)
  const task = tasks.find(({ name }) => name === 'sync-tracker')
  await task?.run({ ...parts, db }, { companyId, integrationId })
  return true
}
