// Derives from an operation's selection which fields of issues must be read.

import type { Selection } from '../selection.ts'
import { type IssueRecord, issueFields } from './store.ts'
import type { AssetPart, Shown } from './store-list-statements.ts'

/** Fields of the API that come from record fields of another name; fields that are loaded beside the row need no entry. */
const behind: Record<string, keyof IssueRecord> = {
  permittedStatus: 'status',
  decidedBy: 'decidedById',
  asset: 'assetId',
  project: 'projectId',
  author: 'authorId',
}

const named = new Set(['__typename', 'id', 'name', 'company'])
const tagged = new Set([...named, 'assetsTagList', 'tags'])

/** The metadata fields that need a count. */
const counts = ['totalCount', 'totalCountIsExact', 'totalPages']

const remembered = new WeakMap<Selection, Shown>()

/** From the selection of an IssueCollection. */
export function shownOf(collection: Selection): Shown {
  const known = remembered.get(collection)
  if (known) return known
  const issue = collection.get('collection') ?? new Map()
  const metadata = collection.get('metadata') ?? new Map()
  const shown = {
    fields: fieldsOf(issue),
    asset: assetPart(issue.get('asset')),
    hasRows: collection.has('collection') || metadata.has('endCursor'),
    hasCount: counts.some((name) => metadata.has(name)),
  }
  remembered.set(collection, shown)
  return shown
}

const fieldsOf = (issue: Selection): (keyof IssueRecord)[] =>
  issueFields.filter((field) => [...issue.keys()].some((name) => name === field || behind[name] === field))

const rememberedPayloads = new WeakMap<Selection, readonly (keyof IssueRecord)[]>()

/** From the selection of a payload with one issue: the fields to read, including those that identify it. */
export function shownInPayload(payload: Selection): readonly (keyof IssueRecord)[] {
  const known = rememberedPayloads.get(payload)
  if (known) return known
  const fields = new Set<keyof IssueRecord>(['id', 'companyId', 'assetId', 'type'])
  for (const field of fieldsOf(payload.get('issue') ?? new Map())) fields.add(field)
  const shown = [...fields]
  rememberedPayloads.set(payload, shown)
  return shown
}

/** If more of the asset is selected, it is loaded separately, once for all issues of that asset. */
function assetPart(asset: Selection | undefined): AssetPart {
  if (!asset || !isWithin(asset, tagged)) return 'NONE'
  return isWithin(asset, named) ? 'NAME' : 'NAME_AND_TAGS'
}

const isWithin = (selection: Selection, names: ReadonlySet<string>): boolean =>
  [...selection.keys()].every((name) => names.has(name))
