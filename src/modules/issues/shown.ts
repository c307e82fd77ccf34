// What an operation shows of a list of issues, so that no more is read.

import type { Selection } from '../selection.ts'
import type { AssetPart, Shown } from './store-list.ts'

/** Fields that come from a BriefIssue, or from what is loaded beside it. */
const brief = new Set([
  '__typename',
  'id',
  'type',
  'title',
  'description',
  'status',
  'permittedStatus',
  'severity',
  'impactLevel',
  'category',
  'cweIds',
  'patterns',
  'reference',
  'solution',
  'asset',
  'project',
  'author',
  'assignedUsers',
  'history',
  'occurrences',
  'places',
  'detail',
  'sla',
  'scanSource',
  'createdAt',
  'updatedAt',
])

const named = new Set(['__typename', 'id', 'name', 'company'])
const tagged = new Set([...named, 'assetsTagList', 'tags'])

/** From the selection of an IssueCollection. */
export function shownOf(collection: Selection): Shown {
  const issue = collection.get('collection') ?? new Map()
  return { isBrief: isWithin(issue, brief), asset: assetPart(issue.get('asset')) }
}

/** An asset of which more is shown is loaded apart, once for all issues that have it. */
function assetPart(asset: Selection | undefined): AssetPart {
  if (!asset || !isWithin(asset, tagged)) return 'NONE'
  return isWithin(asset, named) ? 'NAME' : 'NAME_AND_TAGS'
}

const isWithin = (selection: Selection, names: ReadonlySet<string>): boolean =>
  [...selection.keys()].every((name) => names.has(name))
