// What a scan leaves out: checks that its profile excludes, and operations that it may not send.

import type { Check } from './check.ts'
import type { ScanOptions } from './options.ts'
import { requestOf } from './points.ts'
import { isInScope, isNamedInScope } from './scope.ts'
import type { Operation, Profile, Scope } from './types.ts'

const ranks = { BASIC: 0, BALANCED: 1, DEEP: 2 } as const satisfies Record<Profile, number>

export function isChosen(check: Check, { profile, checks }: ScanOptions): boolean {
  if (checks) return checks.includes(check.id)
  return !check.isOnRequest && ranks[check.profile] <= ranks[profile]
}

/** Why an operation may not be sent; null if it may. */
export function reasonToSkip(
  operation: Operation,
  { profile, allowDestructive }: ScanOptions,
  scope: Scope,
): string | null {
  if (!isInScope(requestOf(operation).url, scope) || !isNamedInScope(operation.key, scope)) return 'it is out of scope'
  if (operation.isDestructive && !allowDestructive) return 'it is destructive, which this scan does not allow'
  if (profile === 'BASIC' && operation.kind !== 'read') return 'this profile only reads'
  return null
}
