// Gives a job a context that acts for the person who asked for the work, limited to one company.

import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Author } from '../access/service.ts'
import type { Context, Viewer, WorkParts } from '../context.ts'
import type { AskedBy } from './store.ts'

/** Does not check permissions again: they were checked when the person asked. */
export function actingFor(parts: WorkParts, companyId: Id, askedBy: AskedBy): Context {
  const { userId, email, name, keyId, keyPublicId, address, requestId, operation } = askedBy
  const viewer: Viewer = {
    userId,
    email,
    name,
    keyId,
    keyPublicId,
    isAdministrator: false,
    scopes: ['read', 'write'],
    memberships: new Map([[companyId, 'DEVELOPER']]),
    heldTo: [companyId],
  }
  return { ...parts, viewer, request: { id: requestId, address, operation }, loaders: new Map() }
}

/** The caller, in the form that is stored with a job. */
export const askedByOf = ({ viewer, request }: Context): AskedBy => ({
  userId: viewer.userId,
  email: viewer.email,
  name: viewer.name,
  keyId: viewer.keyId,
  keyPublicId: viewer.keyPublicId,
  address: request.address,
  requestId: request.id,
  operation: request.operation,
})

/** As askedByOf, for work that nobody asked for; FAILED_PRECONDITION if there is no user to attribute it to. */
export function askedByProgram(author: Author | null, requestId: string, operation: string): AskedBy {
  if (author === null) throw failedPrecondition('The company has no user in whose name the findings could be recorded')
  return { ...author, keyId: '', keyPublicId: '', address: '', requestId, operation }
}
