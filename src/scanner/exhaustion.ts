// Detects operations that keep the whole target from responding, whichever check sent the request.

import type { Check, Sighting } from './check.ts'
import type { Outage } from './outages.ts'

export const exhaustion: Check = {
  kind: 'passive',
  id: 'resource-exhaustion',
  title: 'Denial of service by one request',
  cwes: [400],
  severity: 'MEDIUM',
  solution: 'Limit the work that one request may cause, and do slow work in the background.',
  profile: 'BASIC',
  look: () => [],
}

export function sightingOf({ operation, request, ms }: Outage): Sighting {
  const answer = { status: 0, headers: [], body: Buffer.alloc(0), isCut: true, ms }
  return {
    detail: `After this request the target did not respond for ${Math.round(ms / 1000)} seconds.`,
    proof: [],
    exchange: { request, answer, text: '', operation: operation.key, identity: null },
    operation,
  }
}
