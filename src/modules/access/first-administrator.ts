// The key by which an installation is administered: the first one, and a new one after the last that worked is lost.

import { appendAudit, program } from '../../core/audit.ts'
import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import { issueKey } from './api-keys.ts'
import { readKey } from './keys.ts'
import { scopes } from './permissions.ts'
import * as store from './store.ts'
import { findUsable } from './viewers.ts'

/** Receives a new key before the commit, so that there is never one that nobody has. */
type Keep = (key: string) => Promise<void>

const nowhere: Keep = async () => {}

/** Creates the first administrator, with a key of every scope; null if there is an administrator already. */
export const createFirstAdministrator = (db: Db, keep = nowhere): Promise<string | null> =>
  transaction(db, async (trx) => {
    if (await store.hasAdministrator(trx)) return null
    const user = await store.insertUser(trx, { email: 'admin@localhost', name: 'Administrator', isAdministrator: true })
    return user ? (await issueEverything(trx, user.id, 'First key', keep)).key : null
  })

/**
 * Creates a key of every scope for an administrator if none has one that can issue others, because the last was revoked, or has expired. Null if
 * one has, or if all administrators are disabled. Of processes that start at the same time, one creates it.
 */
export const replaceLostKey = (
  db: Db,
  { auditKey }: Pick<Keyring, 'auditKey'>,
  keep = nowhere,
): Promise<string | null> =>
  transaction(db, async (trx) => {
    const id = await store.lockAdministratorWithoutKeys(trx)
    if (id === null) return null
    const { key, apiKey } = await issueEverything(trx, id, 'Replacement of a lost key', keep)
    const object = `ApiKey ${apiKey.id}`
    await appendAudit(trx, auditKey, program('replaceLostKey'), { companyId: null, object, after: apiKey })
    return key
  })

async function issueEverything(trx: Trx, userId: Id, name: string, keep: Keep) {
  const issued = await issueKey(trx, { userId, issuedById: null, name, scopes, companyIds: null, expiresAt: null })
  await keep(issued.key)
  return issued
}

/** Whether the text is a key that a request would be accepted with. */
export async function isUsableKey(db: Db, text: string): Promise<boolean> {
  const read = readKey(text)
  return read !== null && (await findUsable(db, read)) !== null
}
