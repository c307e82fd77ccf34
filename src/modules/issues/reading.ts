// Reading issues: one by id, and lists of a company by filters of callers and of other modules.

import type { Page, PageRequest } from '../../core/db/page.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { authorize, authorizeRecord } from '../access/service.ts'
import { type Context, load } from '../context.ts'
import type { SortOption } from './list-order.ts'
import * as store from './store.ts'
import * as ofDeploys from './store-deploy-lists.ts'
import { type IssueFilters, plainConditionsOf } from './store-filters.ts'
import * as lists from './store-list.ts'
import type { Shown } from './store-list-statements.ts'
import { narrowingsOf, withoutNarrowings } from './store-narrowing-filters.ts'
import { isTallied } from './tallied.ts'

/** Issues by id, for fields of other records that name one; only those that the viewer sees. */
export const loadIssues = async (context: Context, ids: readonly string[]): Promise<Map<string, store.IssueRecord>> =>
  new Map((await store.findIssues(context.db, context.viewer, ids)).map((issue) => [issue.id, issue]))

/** The issue, if the viewer may do `action` in its company; NOT_FOUND for one that is missing, another company's, or merged into another. */
export const authorizeIssue = (
  context: Context,
  action: Parameters<typeof authorizeRecord>[1],
  id: Id,
): Promise<store.IssueRecord> =>
  authorizeRecord(context, action, 'Issue', id, async () => {
    const issue = await store.findIssue(context.db, context.viewer, id)
    if (issue === null) await refuseMerged(context, id)
    return issue
  })

async function refuseMerged(context: Context, id: Id): Promise<void> {
  const stays = await store.findIssueOf(context.db, context.viewer, id)
  if (stays) throw new ApplicationError('NOT_FOUND', `The issue ${id} was merged into issue ${stays.id}`)
}

/** The issue; for a witness's id, the issue that it was merged into. */
export const getIssue = (context: Context, id: Id): Promise<store.IssueRecord> =>
  authorizeRecord(context, 'issues:read', 'Issue', id, () => store.findIssueOf(context.db, context.viewer, id))

/** A list of the company's issues; `shown` says which fields the caller needs. */
export async function listIssues(
  context: Context,
  companyId: Id,
  filters: IssueFilters,
  page: PageRequest,
  order: readonly SortOption[],
  shown: Shown,
): Promise<Page<lists.ListedIssue>> {
  await authorize(context, 'issues:read', companyId)
  const assetIds = filters.assetIds ?? (await lists.assetsOfTools(context.db, companyId, filters))
  const conditions = plainConditionsOf(companyId, { ...filters, assetIds })
  return lists.listIssues<lists.ListedIssue>(context.db, companyId, conditions, page, {
    order,
    shown,
    name: nameOf(filters),
    narrowings: narrowingsOf(companyId, filters),
    isTallied: isTallied(withoutNarrowings(filters)),
  })
}

/** Names a list by its filters; null if they are too long for a name. */
function nameOf(filters: IssueFilters): string | null {
  const name = JSON.stringify(filters)
  return name.length > 1000 ? null : name
}

export type DeployFindingKind = ofDeploys.DeployFindingKind

/**
 * The findings that a deploy introduced, touched and left open, or fixed; the worst first, and the newest first among equals. The first pages
 * of all deploys of a list are read together.
 */
export async function listDeployFindings(
  context: Context,
  companyId: Id,
  deployId: Id,
  kind: DeployFindingKind,
  page: PageRequest,
): Promise<Page<store.IssueRecord>> {
  await authorize(context, 'issues:read', companyId)
  const read = () => ofDeploys.listOfDeploy(context.db, companyId, deployId, kind, page)
  if (page.page > 1 || page.after !== null) return read()
  return (await load(context, loadFirstPages[kind], JSON.stringify([companyId, page.limit, deployId]))) ?? read()
}

/** Loads first pages by the JSON of company, size of the page and deploy. */
const firstPages =
  (kind: DeployFindingKind) =>
  async (context: Context, keys: readonly string[]): Promise<Map<string, Page<store.IssueRecord>>> => {
    const loaded = new Map<string, Page<store.IssueRecord>>()
    const alike = Map.groupBy(keys, (key) => JSON.stringify(partsOf(key).slice(0, 2)))
    for (const together of alike.values()) {
      // a statement for one deploy is planned for how many findings that deploy has
      if (together.length === 1) continue
      const [[companyId, limit] = ['', 10]] = together.map(partsOf)
      const page = { page: 1, limit, after: null }
      const ids = together.map((key) => partsOf(key)[2])
      const found = await ofDeploys.listOfDeploys(context.db, companyId, ids, kind, page)
      for (const key of together) {
        const own = found.get(partsOf(key)[2])
        if (own) loaded.set(key, own)
      }
    }
    return loaded
  }

const loadFirstPages = {
  introduced: firstPages('introduced'),
  touched: firstPages('touched'),
  fixed: firstPages('fixed'),
}

const partsOf = (key: string): [companyId: Id, limit: number, deployId: Id] => JSON.parse(key)
