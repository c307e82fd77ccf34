// Reads a caller's search parameters for the list of projects.

import { badUserInput } from '../../core/errors.ts'
import { type Id, parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import type { ProjectSearch as GivenSearch } from '../api.generated.ts'
import type { ProjectSearch } from './service.ts'

export function searchOf(given: GivenSearch | null | undefined): ProjectSearch {
  if (!given) return {}
  const oneId = parseOptionalId(given.idEq, 'params.idEq')
  const manyIds = unlessEmpty(parseIds(given.idIn ?? [], 'params.idIn'))
  return {
    ...given,
    companyId: companyOf(given),
    ids: both(oneId === null ? null : [oneId], manyIds),
    statuses: both(given.projectStatusLabelEq && [given.projectStatusLabelEq], unlessEmpty(given.projectStatusLabelIn)),
    typeLabels: both(given.projectTypeLabelEq && [given.projectTypeLabelEq], unlessEmpty(given.projectTypeLabelIn)),
    tags: given.tagNameEq ? [...(given.tags ?? []), given.tagNameEq] : given.tags,
    assetIds: unlessEmpty(parseIds(given.assetIdIn ?? [], 'params.assetIdIn')),
    analystsEmailIn: unlessEmpty(given.analystsEmailIn),
  }
}

/** The company, which either argument may name; BAD_USER_INPUT if they differ. */
function companyOf({ scopeIdEq, companyId }: GivenSearch): Id | null {
  const scope = parseOptionalId(scopeIdEq, 'params.scopeIdEq')
  const company = parseOptionalId(companyId, 'params.companyId')
  if (scope !== null && company !== null && scope !== company) {
    throw badUserInput('scopeIdEq and companyId name different companies', 'params.companyId')
  }
  return scope ?? company
}

/** The values in both lists; null stands for no restriction. */
function both<T>(left: readonly T[] | '' | null | undefined, right: readonly T[] | null): readonly T[] | null {
  if (!left) return right
  if (right === null) return left
  return left.filter((value) => right.includes(value))
}
