// Reads the filters and the order of a list of issues from a caller's input.

import { badUserInput } from '../../core/errors.ts'
import { parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import { readRange } from '../../core/moments.ts'
import type { IssueSortOptionInput, IssuesFiltersInput } from '../api.generated.ts'
import type { SortOption } from './list-order.ts'
import type { IssueFilters } from './store-filters.ts'

const idLists = ['ids', 'assetIds', 'projectIds', 'controlSyncStatusIds', 'deployIds'] as const
const textLists = ['branchNames', 'assigneeEmails', 'toolNames', 'categories', 'assetTags', 'vulnerabilityIds'] as const
const wordLists = ['statuses', 'types', 'failureTypes', 'severities', 'cweIds', 'slaStates'] as const
const texts = ['search', 'fileName'] as const
const ranges = ['createdAtRange', 'updatedAtRange', 'slaDueAtRange'] as const

/** Checks ids, lists (at most 1,000 entries; an empty list is no filter), texts (at most 4,000 characters), numbers and ranges. */
export function readFilters(given: IssuesFiltersInput | null | undefined): IssueFilters {
  if (!given) return {}
  const filters: IssueFilters = { ...given }
  for (const name of idLists) filters[name] = unlessEmpty(parseIds(given[name] ?? [], `filters.${name}`))
  for (const name of textLists) requireShort(given[name] ?? [], `filters.${name}`)
  for (const name of texts) requireShort([given[name] ?? ''], `filters.${name}`)
  for (const name of ranges) readRange(given[name], `filters.${name}`)
  readRange(given.statusChange?.range, 'filters.statusChange.range')
  requireWithin(given.minimumEpss ?? 0, 1, 'filters.minimumEpss')
  requireWithin(given.minimumPriority ?? 0, 100, 'filters.minimumPriority')
  if ((given.cweIds?.length ?? 0) > 1000) throw badUserInput('cweIds takes at most 1000 numbers', 'filters.cweIds')
  filters.similarTo = parseOptionalId(given.similarTo, 'filters.similarTo')
  if (given.vulnerabilityIds) filters.vulnerabilityIds = given.vulnerabilityIds.map(nameOf)
  for (const name of [...textLists, ...wordLists]) if (filters[name]?.length === 0) filters[name] = null
  if (given.statusChange) {
    const { to, from, range } = given.statusChange
    filters.statusChange = { to: unlessEmpty(to), from: unlessEmpty(from), range }
  }
  return filters
}

/** In the spelling of findings: a GHSA's letters in lower case, all others in upper case. */
const nameOf = (id: string): string =>
  id
    .trim()
    .replace(/^ghsa(.*)$|^.*$/i, (all, rest?: string) =>
      rest === undefined ? all.toUpperCase() : `GHSA${rest.toLowerCase()}`,
    )

function requireShort(texts: readonly string[], argument: string): void {
  if (texts.length > 1000) throw badUserInput(`${argument} takes at most 1000 entries`, argument)
  if (texts.some(({ length }) => length > 4000)) throw badUserInput(`${argument} has at most 4000 characters`, argument)
}

function requireWithin(number: number, most: number, argument: string): void {
  if (number < 0 || number > most) throw badUserInput(`${argument} is 0 to ${most}`, argument)
}

export const readOrder = (given: readonly IssueSortOptionInput[] | null | undefined): SortOption[] =>
  (given ?? []).map(({ field, order }) => ({ field, isDescending: order === 'DESC' }))
