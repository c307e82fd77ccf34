// Locks one requirement of a company until the transaction ends.

import type { Trx } from '../../core/db/open.ts'
import { notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import * as store from './store.ts'

export async function lockRequirement(trx: Trx, companyId: Id, id: Id): Promise<store.Requirement> {
  const [requirement] = await store.lockRequirements(trx, companyId, [id])
  if (!requirement) throw notFound('Requirement', id)
  return requirement
}
