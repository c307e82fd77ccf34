// Webhooks in general: how one is registered with a vendor, and how a delivery proves where it comes from.

import type { Session } from './session.ts'

/** A webhook call as it arrived; the names of headers are in lower case. */
export type HookDelivery = { headers: Readonly<Record<string, string>>; body: Uint8Array; receivedAt: Date }
/** `secret` is set if the vendor makes the secret itself; it replaces ours. */
export type HookRegistration = { hookId: string; isSigned: boolean; secret?: string | null }

/** A connector's part in webhooks; each call of one delivers an `Event`. */
export type Hooks<Event> = {
  /** Registers `url` with the vendor; called twice, it leaves one webhook. Null: the credential may not, and a person must do it by hand. */
  ensureHook: (session: Session, hook: HookPlan) => Promise<HookRegistration | null>
  removeHook: (session: Session, hook: { projectId: string | null; hookId: string }) => Promise<void>
  /**
   * Null when the call does not prove that it knows the secret; `isSigned` is what the registration said. Pure: it makes no call and reads
   * no clock.
   */
  readHook: (delivery: HookDelivery, secret: string, isSigned?: boolean) => Event | null
}
type HookPlan = { projectId: string | null; ownerId: string | null; url: string; secret: string }
