// What a report was read as, kept with its import for when the very same bytes come again.

import { sha256 } from '../../core/crypto.ts'
import { VERSION } from '../../core/version.ts'
import type { Scan } from '../issues/findings/service.ts'
import type { Staged } from './staged.ts'
import type { Asked, Counts } from './store.ts'

/** Characters of a reading that are kept: what a tool says of very many files is not. */
const LONGEST_READING = 20_000

/** What a report was read as, in JSON, under a hash of all that its reading depends on. */
export type Reading = { key: Buffer; read: string }

/** As the database has it. */
export type Read = Omit<Staged, 'scopes' | 'unsafeScopes' | 'unseenFiles'> &
  Record<'scopes' | 'unsafeScopes' | 'unseenFiles', readonly string[]>

/**
 * The reading to keep of a report that is in; null where the same bytes have to be read again: some of its rows decided, repeated or
 * changed others, it names components or several tools, or rules say what counts.
 */
export function readingOf(asked: Asked, staged: Staged, scan: Scan, counts: Counts): Reading | null {
  const key = readingKeyOf(asked, scan)
  const isPlain = counts.created + counts.unchanged === staged.findings && staged.components === 0
  if (key === null || !isPlain || staged.sections.length !== 1) return null
  const { scopes, unsafeScopes, unseenFiles } = staged
  const sets = { scopes: [...scopes], unsafeScopes: [...unsafeScopes], unseenFiles: [...unseenFiles] }
  const read = JSON.stringify({ ...staged, ...sets } satisfies Read)
  return read.length > LONGEST_READING ? null : { key, read }
}

export const stagedOf = (read: Read): Staged => ({
  ...read,
  scopes: new Set(read.scopes),
  unsafeScopes: new Set(read.unsafeScopes),
  unseenFiles: new Set(read.unseenFiles),
})

/** Of the bytes, how they were asked to be read, this program, and the asset's deploys; null where reading depends on more, or is to find components. */
export function readingKeyOf(
  { digest, ask, format, scope, wanted, checkoutPath, directory, replacesComponents }: Asked,
  { isOlder, rules, newestDeployId }: Scan,
): Buffer | null {
  if (digest === undefined || replacesComponents || isOlder || (rules !== null && rules.length > 0)) return null
  const { branchName, projectId } = ask
  const given = { digest, branchName, projectId, format, scope, wanted, checkoutPath, directory }
  return sha256(JSON.stringify({ version: VERSION, newestDeployId, ...given }))
}
