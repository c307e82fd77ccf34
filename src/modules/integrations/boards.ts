// Configurations of boards and lists, to which findings are written: who may see, create and delete them.

import type { Named } from '../../connectors/session.ts'
import type { TrackerPlace } from '../../connectors/tracker.ts'
import { transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { authorizeIntegration, authorizeOfType, openConnection } from './connections.ts'
import {
  type FieldMapping,
  type GivenMapping,
  readFieldMappings,
  readStatusMappings,
  settleStates,
} from './mappings.ts'
import * as store from './store-boards.ts'
import { vendor } from './vendor.ts'
import { type Opened, openSession } from './vendor-sessions.ts'
import { nowhere } from './vendor-trackers.ts'

export type { TrackerConfiguration } from './store-boards.ts'

export async function listConfigurations(
  context: Context,
  companyId: Id,
  of: 'BOARDS' | 'LISTS',
  page: PageRequest,
): Promise<Page<store.TrackerConfiguration>> {
  await authorize(context, 'integrations:read', companyId)
  return store.listConfigurations(context.db, companyId, of, page)
}

/** A session with the tracker of a configuration that the viewer may see, for a person who waits. */
export async function openForAnswer(context: Context, { integrationId }: store.TrackerConfiguration): Promise<Opened> {
  const integration = await authorizeIntegration(context, 'integrations:read', integrationId)
  return openSession(context, await openConnection(context, integration), 'CALLER')
}

/** What of a configuration says where cards are, and what their states mean. */
export type Configured = Spot & Pick<store.TrackerConfiguration, 'id' | 'statusMappings' | 'fieldMappings'>
type Spot = Pick<store.TrackerConfiguration, 'project' | 'team' | 'board' | 'list' | 'workItemType' | 'lane'>

/** Where the cards of a configuration are. */
export const placeOfConfiguration = (configuration: Spot): TrackerPlace => ({
  ...nowhere,
  project: configuration.project,
  board: configuration.board,
  team: configuration.team,
  listId: configuration.list?.id ?? null,
  workItemType: configuration.workItemType,
  lane: configuration.lane,
})

type Asked = {
  assetId: Id | null
  statusMappings: readonly GivenMapping[]
  createFrom: SeverityCategory | null
}
type NewBoard = Asked & {
  fieldMappings: readonly FieldMapping[]
  project: Named
  board: Named
  team: Named
  workItemType: string | null
  lane: string | null
}
type NewList = Asked & { list: Named }

/** Ties a board to an asset, or to the company; its names and states are read from the vendor before anything is kept. */
export const createConfiguration = (context: Context, integrationId: Id, input: NewBoard) =>
  create(context, 'BOARDS_TRACKER', integrationId, input.assetId, {
    project: readNamed(input.project, 'input.project'),
    board: readNamed(input.board, 'input.board'),
    team: readNamed(input.team, 'input.team'),
    list: null,
    workItemType: input.workItemType === null ? null : readName(input.workItemType, 'input.workItemType', 200),
    lane: input.lane === null ? null : readName(input.lane, 'input.lane', 200),
    statusMappings: readStatusMappings(input.statusMappings),
    fieldMappings: readFieldMappings(input.fieldMappings),
    createFrom: input.createFrom,
  })

/** As createConfiguration, for a list of a task tracker. */
export const createListConfiguration = (context: Context, integrationId: Id, input: NewList) =>
  create(context, 'TASK_TRACKER', integrationId, input.assetId, {
    project: null,
    board: null,
    team: null,
    list: readNamed(input.list, 'input.list'),
    workItemType: null,
    lane: null,
    statusMappings: readStatusMappings(input.statusMappings),
    fieldMappings: [],
    createFrom: input.createFrom,
  })

type Detail = Omit<store.NewRow, 'companyId' | 'integrationId' | 'assetId' | 'createdById'>

async function create(
  context: Context,
  type: 'BOARDS_TRACKER' | 'TASK_TRACKER',
  integrationId: Id,
  assetId: Id | null,
  detail: Detail,
): Promise<store.TrackerConfiguration> {
  const integration = await authorizeOfType(context, 'integrations:write', type, integrationId)
  const { companyId } = integration
  if (assetId !== null) await requireAssets(context, companyId, [assetId])
  const asked = placeOfConfiguration(detail)
  const { place, states } = await vendor(context).readPlace(await openConnection(context, integration), asked)
  const statusMappings = settleStates(detail.statusMappings, states)
  return transaction(context.db, async (trx) => {
    const createdById = context.viewer.userId
    const { project, board, team, workItemType } = place
    const row = {
      ...detail,
      project,
      board,
      team,
      workItemType,
      statusMappings,
      companyId,
      integrationId,
      assetId,
      createdById,
    }
    const configuration = await store.insertConfiguration(trx, row).catch(refuseSecond)
    const object = `DefectTrackerConfiguration ${configuration.id}`
    await audit(trx, context, { companyId, object, after: configuration })
    return configuration
  })
}

const readNamed = ({ id, name }: Named, argument: string): Named => ({
  id: readName(id, `${argument}.id`, 200),
  name: readName(name, `${argument}.name`),
})

function refuseSecond(error: unknown): never {
  if (!violates(error, 'defect_tracker_configuration_once')) throw error
  throw conflict('There already is such a configuration; delete it first')
}

/** The configuration with this id, for who may see integrations. */
export const getConfiguration = (context: Context, id: Id): Promise<store.TrackerConfiguration> =>
  authorizeRecord(context, 'integrations:read', 'DefectTrackerConfiguration', id, () =>
    store.findConfiguration(context.db, context.viewer, id),
  )

/** Gives it another mapping, of states that the tracker has. */
export async function updateConfiguration(context: Context, id: Id, given: readonly GivenMapping[]): Promise<Id> {
  const find = () => store.findConfiguration(context.db, context.viewer, id)
  const seen = await authorizeRecord(context, 'integrations:write', 'DefectTrackerConfiguration', id, find)
  const asked = readStatusMappings(given)
  const integration = await authorizeIntegration(context, 'integrations:write', seen.integrationId)
  const connection = await openConnection(context, integration)
  const { states } = await vendor(context).readPlace(connection, placeOfConfiguration(seen))
  const statusMappings = settleStates(asked, states)
  return transaction(context.db, async (trx) => {
    const before = await store.updateMappings(trx, seen, statusMappings)
    if (!before) throw notFound('DefectTrackerConfiguration', id)
    const object = `DefectTrackerConfiguration ${id}`
    await audit(trx, context, { companyId: seen.companyId, object, before, after: { ...before, statusMappings } })
    return id
  })
}

export async function deleteConfiguration(context: Context, id: Id): Promise<Id> {
  const find = () => store.findConfiguration(context.db, context.viewer, id)
  const seen = await authorizeRecord(context, 'integrations:write', 'DefectTrackerConfiguration', id, find)
  return transaction(context.db, async (trx) => {
    const before = await store.deleteConfiguration(trx, seen)
    if (!before) throw notFound('DefectTrackerConfiguration', id)
    const object = `DefectTrackerConfiguration ${id}`
    await audit(trx, context, { companyId: before.companyId, object, before })
    return id
  })
}
