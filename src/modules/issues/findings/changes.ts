// The audit records for findings that a report created or changed.

import type { Change } from '../../../core/audit.ts'
import type { Id } from '../../../core/ids.ts'
import type { Decision } from './decide.ts'
import type { KnownFinding } from './store-known.ts'

/** The record of an applied decision; `id` is the issue's. */
export function changeOfIssue(companyId: Id, id: Id, { known, write }: Decision): Change {
  const place = { branch: write.branch, path: write.place.path, line: write.place.line }
  const after = { ...write.fields, ...place, ...(write.reopens ? { status: 'IDENTIFIED' } : {}) }
  const before = known === null ? undefined : beforeOf(known, write.fields)
  return { companyId, object: `Issue ${id}`, before, after }
}

function beforeOf(known: KnownFinding, fields: object) {
  const values = Object.entries(known).filter(([name]) => name in fields)
  return {
    ...Object.fromEntries(values),
    branch: known.branch,
    path: known.path,
    line: known.line,
    status: known.status,
  }
}
