// What this tab remembers while a person is at a vendor to consent: which consent was started, and what was filled in besides.

import { isKind, type Kind } from './kinds.ts'
import type { Scans } from './save.ts'

export type Begun = {
  state: string
  companyId: string
  kind: Kind
  /** the integration being edited */
  integrationId?: string
  addAnother: boolean
  given: Record<string, string>
  scans: Scans
}

const KEY = 'merlon.consent'

export const keepBegun = (begun: Begun): void => sessionStorage.setItem(KEY, JSON.stringify(begun))

/** The consent that this tab started with this state; null if there is none, or it was another one. */
export function findBegun(state: string | null): Begun | null {
  try {
    const kept: Begun = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return state !== null && kept?.state === state && isKind(kept.kind) ? kept : null
  } catch {
    return null
  }
}

export const forgetBegun = (): void => sessionStorage.removeItem(KEY)
