// Webhooks in general: how one is registered with a vendor, and how a delivery proves where it comes from.

import type { Session } from './types.ts'

/** A call that a vendor made to us, as it came; names of headers in lower case. */
export type HookDelivery = { headers: Readonly<Record<string, string>>; body: Uint8Array; receivedAt: Date }
/** `secret`: the one that the vendor made, where it makes it itself; it is to be kept in the place of ours. */
export type HookRegistration = { hookId: string; isSigned: boolean; secret?: string | null }

/** What a connector does for deliveries, each of which says an `Event`. */
export type Hooks<Event> = {
  /** Makes the vendor call `url`; the same call twice leaves one hook. Null: the credential may not, and a person does it by hand. */
  ensureHook: (session: Session, hook: HookPlan) => Promise<HookRegistration | null>
  removeHook: (session: Session, hook: { projectId: string | null; hookId: string }) => Promise<void>
  /**
   * Null when the delivery does not prove that it knows the secret; `isSigned` is what the registration said. Pure: no call, no clock
   * of its own.
   */
  readHook: (delivery: HookDelivery, secret: string, isSigned?: boolean) => Event | null
}
export type HookPlan = { projectId: string | null; ownerId: string | null; url: string; secret: string }
