// Reads what a caller asks of the list of projects.

import { badUserInput } from '../../core/errors.ts'
import { type Id, parseIds, parseOptionalId } from '../../core/ids.ts'
import type { ProjectSearch as GivenSearch } from '../api.generated.ts'
import type { ProjectSearch } from './service.ts'

export function searchOf(given: GivenSearch | null | undefined): ProjectSearch {
  if (!given) return {}
  const oneId = parseOptionalId(given.idEq, 'params.idEq')
  const manyIds = given.idIn && parseIds(given.idIn, 'params.idIn')
  return {
    ...given,
    companyId: companyOf(given),
    ids: both(oneId === null ? null : [oneId], manyIds),
    statuses: both(given.projectStatusLabelEq && [given.projectStatusLabelEq], given.projectStatusLabelIn),
    typeLabels: both(given.projectTypeLabelEq && [given.projectTypeLabelEq], given.projectTypeLabelIn),
    tags: given.tagNameEq ? [...(given.tags ?? []), given.tagNameEq] : given.tags,
    assetIds: given.assetIdIn && parseIds(given.assetIdIn, 'params.assetIdIn'),
  }
}

/** The company, by either of its names. */
function companyOf({ scopeIdEq, companyId }: GivenSearch): Id | null {
  const scope = parseOptionalId(scopeIdEq, 'params.scopeIdEq')
  const company = parseOptionalId(companyId, 'params.companyId')
  if (scope !== null && company !== null && scope !== company) {
    throw badUserInput('scopeIdEq and companyId name different companies', 'params.companyId')
  }
  return scope ?? company
}

/** What is in both lists; a list that is not given holds everything, and null everything. */
function both<T>(
  left: readonly T[] | '' | null | undefined,
  right: readonly T[] | null | undefined,
): readonly T[] | null {
  if (!left) return right ?? null
  if (!right) return left
  return left.filter((value) => right.includes(value))
}
