// The outcome of reading a report, stored with its import, so that identical bytes need not be read again.

import { sha256 } from '../../core/crypto.ts'
import { VERSION } from '../../core/version.ts'
import type { Scan } from '../issues/findings/service.ts'
import type { Staged } from './staged.ts'
import type { Asked, Counts } from './store.ts'

/** The longest outcome that is stored, in characters: one that lists very many unseen files is not. */
const LONGEST_READING = 20_000

/** The outcome as JSON, keyed by a hash of everything that it depends on. */
export type KeptReading = { key: Buffer; read: string }

/** What is kept of it in the database. */
export type Read = Omit<Staged, 'scopes' | 'unsafeScopes' | 'unseenFiles' | 'statements'> &
  Record<'scopes' | 'unsafeScopes' | 'unseenFiles', readonly string[]>

/**
 * The outcome to store for an imported report. Null if the same bytes must be read again: because some of its rows decided, repeated or
 * changed others, because it names components or several tools, has VEX statements, or because identity rules apply.
 */
export function readingOf(asked: Asked, staged: Staged, scan: Scan, counts: Counts): KeptReading | null {
  const key = readingKeyOf(asked, scan)
  const isPlain = counts.created + counts.unchanged === staged.findings && staged.components + staged.statements === 0
  if (key === null || !isPlain || staged.sections.length !== 1) return null
  const { scopes, unsafeScopes, unseenFiles } = staged
  const sets = { scopes: [...scopes], unsafeScopes: [...unsafeScopes], unseenFiles: [...unseenFiles] }
  const read = JSON.stringify({ ...staged, ...sets } satisfies Read)
  return read.length > LONGEST_READING ? null : { key, read }
}

export const stagedOf = (read: Read): Staged => ({
  ...read,
  statements: 0,
  scopes: new Set(read.scopes),
  unsafeScopes: new Set(read.unsafeScopes),
  unseenFiles: new Set(read.unseenFiles),
})

/** A hash of the bytes, the options, this program's version and the asset's deploys. Null if the outcome depends on more, or includes components. */
export function readingKeyOf(
  { digest, ask, format, scope, wanted, checkoutPath, directory, replacesComponents }: Asked,
  { isOlder, rules, newestDeployId }: Scan,
): Buffer | null {
  if (digest === undefined || replacesComponents || isOlder || (rules !== null && rules.length > 0)) return null
  const { branchName, projectId } = ask
  const given = { digest, branchName, projectId, format, scope, wanted, checkoutPath, directory }
  return sha256(JSON.stringify({ version: VERSION, newestDeployId, ...given }))
}
