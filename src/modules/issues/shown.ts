// What an operation shows of a list of issues, so that no more is read.

import type { Selection } from '../selection.ts'
import { type IssueRecord, issueFields } from './store.ts'
import type { AssetPart, Shown } from './store-list-statements.ts'

/** Fields of the API that come from fields of the record with other names; what is loaded beside the row needs none. */
const behind: Record<string, keyof IssueRecord> = {
  permittedStatus: 'status',
  decidedBy: 'decidedById',
  asset: 'assetId',
  project: 'projectId',
  author: 'authorId',
}

const named = new Set(['__typename', 'id', 'name', 'company'])
const tagged = new Set([...named, 'assetsTagList', 'tags'])

/** What of the metadata says how many match. */
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

/** From the selection of a payload with one issue: what is to be read of it, with what names it. */
export function shownInPayload(payload: Selection): readonly (keyof IssueRecord)[] {
  const known = rememberedPayloads.get(payload)
  if (known) return known
  const fields = new Set<keyof IssueRecord>(['id', 'companyId', 'assetId', 'type'])
  for (const field of fieldsOf(payload.get('issue') ?? new Map())) fields.add(field)
  const shown = [...fields]
  rememberedPayloads.set(payload, shown)
  return shown
}

/** An asset of which more is shown is loaded apart, once for all issues that have it. */
function assetPart(asset: Selection | undefined): AssetPart {
  if (!asset || !isWithin(asset, tagged)) return 'NONE'
  return isWithin(asset, named) ? 'NAME' : 'NAME_AND_TAGS'
}

const isWithin = (selection: Selection, names: ReadonlySet<string>): boolean =>
  [...selection.keys()].every((name) => names.has(name))
