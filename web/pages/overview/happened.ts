// What happened to deploys and integrations that people should know of, read from events.

export const troubleKinds = ['deploy.gate_blocked', 'integration.broken'] as const
export type TroubleKind = (typeof troubleKinds)[number]

export const troubleWords: Record<TroubleKind, string> = {
  'deploy.gate_blocked': 'Deploy blocked',
  'integration.broken': 'Credential refused',
}

/** How many days events are kept. */
export const DAYS_KEPT = 90

/** Limits `since` to the time for which events are kept. */
export const sinceKept = (since: string, now = Date.now()): string => {
  const first = new Date(now - DAYS_KEPT * 86_400_000).toISOString()
  return since > first ? since : first
}
