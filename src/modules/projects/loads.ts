// Loads what belongs to projects, batched for the fields of a page.

import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import * as parts from './store-parts.ts'

type Keys = readonly string[]

export const loadProjectTypes = async ({ db }: Context, ids: Keys): Promise<Map<string, parts.ProjectType>> =>
  new Map((await parts.findProjectTypes(db, ids)).map((type) => [type.id, type]))

/** project → ids of its assets; projects without assets are left out. */
export const loadAssetIds = async ({ db, viewer }: Context, ids: Keys): Promise<Map<string, readonly Id[]>> =>
  new Map((await parts.findAssetIds(db, viewer, ids)).map((found) => [found.projectId, found.assetIds]))

/** project → its people; projects without people are left out. */
export const loadUserIds = async ({ db, viewer }: Context, ids: Keys): Promise<Map<string, parts.ProjectUsers>> =>
  new Map((await parts.findUserIds(db, viewer, ids)).map((found) => [found.projectId, found]))

/** project → its status changes, oldest first. */
export const loadStatusHistory = async ({ db, viewer }: Context, ids: Keys) =>
  Map.groupBy(await parts.findStatusChanges(db, viewer, ids), ({ projectId }) => projectId)

/** project → true if an open finding says that the environment is compromised; other projects are left out. */
export const loadCompromised = async ({ db, viewer }: Context, ids: Keys): Promise<Map<string, boolean>> =>
  new Map((await parts.findCompromised(db, viewer, ids)).map((id) => [id, true]))
