// Boards that findings are written to: who may see, make and delete their configurations.

import { transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { authorizeOfType, openConnection } from './connections.ts'
import {
  type FieldMapping,
  readFieldMappings,
  readStatusMappings,
  requireStates,
  type StatusMapping,
} from './mappings.ts'
import * as store from './store-boards.ts'
import { type Named, vendor } from './vendor.ts'

export type { BoardsConfiguration } from './store-boards.ts'

export async function listConfigurations(
  context: Context,
  companyId: Id,
  page: PageRequest,
): Promise<Page<store.BoardsConfiguration>> {
  await authorize(context, 'integrations:read', companyId)
  return store.listConfigurations(context.db, companyId, page)
}

export type NewConfiguration = {
  assetId: Id | null
  statusMappings: readonly StatusMapping[]
  fieldMappings: readonly FieldMapping[]
  project: Named
  board: Named
  team: Named
  workItemType: string | null
  lane: string | null
}

/** Ties a board to an asset, or to the company; its states are read from the vendor before anything is kept. */
export async function createConfiguration(
  context: Context,
  integrationId: Id,
  input: NewConfiguration,
): Promise<store.BoardsConfiguration> {
  const integration = await authorizeOfType(context, 'integrations:write', 'BOARDS_TRACKER', integrationId)
  const { companyId } = integration
  const detail = readDetail(input)
  if (input.assetId !== null) await requireAssets(context, companyId, [input.assetId])
  const asked = { ...detail, listId: null }
  const { place, states } = await vendor(context).readPlace(await openConnection(context, integration), asked)
  requireStates(detail.statusMappings, states)
  return transaction(context.db, async (trx) => {
    const row = {
      ...detail,
      workItemType: place.workItemType,
      companyId,
      integrationId,
      assetId: input.assetId,
      createdById: context.viewer.userId,
    }
    const configuration = await store.insertConfiguration(trx, row).catch(refuseSecond)
    const object = `DefectTrackerConfiguration ${configuration.id}`
    await audit(trx, context, { companyId, object, after: configuration })
    return configuration
  })
}

const readDetail = (input: NewConfiguration): store.BoardsDetail => ({
  statusMappings: readStatusMappings(input.statusMappings),
  fieldMappings: readFieldMappings(input.fieldMappings),
  project: readNamed(input.project, 'input.project'),
  board: readNamed(input.board, 'input.board'),
  team: readNamed(input.team, 'input.team'),
  workItemType: input.workItemType === null ? null : readName(input.workItemType, 'input.workItemType', 200),
  lane: input.lane === null ? null : readName(input.lane, 'input.lane', 200),
})

const readNamed = ({ id, name }: Named, argument: string): Named => ({
  id: readName(id, `${argument}.id`, 200),
  name: readName(name, `${argument}.name`),
})

function refuseSecond(error: unknown): never {
  if (!violates(error, 'defect_tracker_configuration_once')) throw error
  throw conflict('There is such a configuration already; delete it first')
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
