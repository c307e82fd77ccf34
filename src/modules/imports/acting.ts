// In whose name a job acts: that of who asked for it, in one company alone.

import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Author } from '../access/service.ts'
import type { Context, Viewer, WorkParts } from '../context.ts'
import type { AskedBy } from './store.ts'

/** Whether they might was decided when they asked. */
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

/** Who asks, to be kept for a job. */
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

/** As askedByOf, for what the program does by itself; FAILED_PRECONDITION without an author. */
export function askedByProgram(author: Author | null, requestId: string, operation: string): AskedBy {
  if (author === null) throw failedPrecondition('There is nobody in whose name the findings could be written')
  return { ...author, keyId: '', keyPublicId: '', address: '', requestId, operation }
}
