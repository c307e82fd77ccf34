// The branches of an asset. They have no table but are derived from its deploys and findings, and so their ids are derived from their names.

import { sha256 } from '../../core/crypto.ts'
import { decodeCursor, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { authorize } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'

/** `name` is '' for the branch of callers that name none. */
export type Branch = { id: Id; name: string; default: boolean }

/** The default branch first, then by name. */
export async function findBranches(context: Context, companyId: Id, assetId: Id): Promise<Branch[]> {
  const found = await store.listBranchNames(context.db, companyId, assetId)
  return found
    .toSorted((left, right) => Number(right.isDefault) - Number(left.isDefault))
    .map(({ name, isDefault }) => ({ id: idOf(assetId, name), name, default: isDefault }))
}

export async function listBranches(
  context: Context,
  companyId: Id,
  assetId: Id,
  page: PageRequest,
): Promise<Page<Branch>> {
  await authorize(context, 'assets:read', companyId)
  await requireAssets(context, companyId, [assetId])
  const branches = await findBranches(context, companyId, assetId)
  const start = page.after === null ? offsetOf(page) : placeAfter(branches, page.after)
  return pageOf(page, branches.slice(start, start + page.limit), branches.length, ({ id }) => [id])
}

/** The index after the branch that a cursor names; the end of the list if that branch no longer exists. */
function placeAfter(branches: readonly Branch[], after: string): number {
  const [id] = decodeCursor(after, 1)
  const place = branches.findIndex((branch) => branch.id === id)
  return place < 0 ? branches.length : place + 1
}

/** The hexadecimal digits of 52 bits, so that the id is exact in a double. */
const ID_DIGITS = 13

/** Stable as long as the branch keeps its name, and different for each asset. */
const idOf = (assetId: Id, name: string): Id =>
  BigInt(`0x${sha256(`${assetId}/${name}`).toString('hex').slice(0, ID_DIGITS)}`).toString()
