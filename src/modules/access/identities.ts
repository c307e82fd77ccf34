// Maps a person who signed in at the OpenID provider to a user: bound once by a verified address, then recognised by the subject.

import { type Actor, appendAudit } from '../../core/audit.ts'
import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { Claims } from './oidc.ts'
import { beginSession } from './sessions.ts'
import { SignInRefused } from './sign-in-refusals.ts'
import { findUserByEmail, lockUser, type User } from './store.ts'
import { findBoundUser, insertIdentity } from './store-identities.ts'

/**
 * Opens a session for the user named in the claims, and returns its token. SignInRefused if there is no such user, if the user is disabled,
 * or if another subject of the issuer is bound to the user.
 */
export function signInAs(
  { db, keyring }: { db: Db; keyring: Keyring },
  claims: Claims,
  request: { id: string; address: string },
): Promise<string> {
  return transaction(db, async (trx) => {
    const bound = await findBoundUser(trx, claims.issuer, claims.subject)
    const user = await lockUser(trx, bound ?? (await findByAddress(trx, claims)))
    if (user === null) throw new SignInRefused('UNKNOWN')
    if (user.disabledAt !== null) throw new SignInRefused('DISABLED', `User ${user.id} is shut out`)
    const actor: Actor = {
      userId: user.id,
      keyPublicId: null,
      address: request.address,
      requestId: request.id,
      operation: 'GET /session/oidc/callback',
    }
    if (bound === null) await bind(trx, keyring, user, claims, actor)
    return beginSession(trx, keyring, { userId: user.id }, actor)
  })
}

async function findByAddress(trx: Trx, { email, isEmailVerified }: Claims): Promise<Id> {
  if (email === null || !isEmailVerified) throw new SignInRefused('UNVERIFIED')
  const user = await findUserByEmail(trx, email)
  if (user === null) throw new SignInRefused('UNKNOWN')
  return user.id
}

async function bind(trx: Trx, keyring: Keyring, user: User, { issuer, subject }: Claims, actor: Actor): Promise<void> {
  if (!(await insertIdentity(trx, issuer, subject, user.id))) {
    throw new SignInRefused('OTHER_SUBJECT', `User ${user.id} is bound to another subject`)
  }
  const change = { companyId: null, object: `PortalUser ${user.id}`, after: { issuer, subject } }
  await appendAudit(trx, keyring.auditKey, actor, change)
}
