// Saved views: filters of the list of findings that a person has saved under a name, in one company, for themselves only.

import { transaction } from '../../core/db/open.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'

/** The most views of one person in one company. */
const MOST_VIEWS = 100
const LONGEST_NAME = 100
const LONGEST_FILTERS = 4_000

export async function listViews(context: Context, companyId: Id): Promise<store.View[]> {
  await authorize(context, 'views:read', companyId)
  return store.listViews(context.db, companyId, context.viewer.userId)
}

/** Saves the filters under the name, replacing the viewer's view of that name. BAD_USER_INPUT above a hundred views. */
export async function saveView(
  context: Context,
  companyId: Id,
  given: { name: string; filters: string },
): Promise<store.View> {
  await authorize(context, 'views:write', companyId)
  const { userId } = context.viewer
  const name = readName(given.name, 'input.name', LONGEST_NAME)
  const filters = readText(given.filters, 'input.filters', LONGEST_FILTERS)
  return transaction(context.db, async (trx) => {
    const view = await store.upsertView(trx, companyId, userId, { name, filters })
    if ((await store.countViews(trx, companyId, userId)) > MOST_VIEWS) {
      throw badUserInput(`A person keeps at most ${MOST_VIEWS} views in a company`, 'input.name')
    }
    await audit(trx, context, { companyId, object: `SavedView ${view.id}`, after: { name, filters } })
    return view
  })
}

/** NOT_FOUND also for another person's view. */
export async function deleteView(context: Context, id: Id): Promise<Id> {
  const find = () => store.findView(context.db, context.viewer, id)
  const { companyId, name, filters } = await authorizeRecord(context, 'views:write', 'SavedView', id, find)
  await transaction(context.db, async (trx) => {
    await store.deleteView(trx, companyId, id)
    await audit(trx, context, { companyId, object: `SavedView ${id}`, before: { name, filters } })
  })
  return id
}
