// What happened to deploys and integrations that somebody should know of, as events tell it.

export const troubleKinds = ['deploy.gate_blocked', 'integration.broken'] as const
export type TroubleKind = (typeof troubleKinds)[number]

export const troubleWords: Record<TroubleKind, string> = {
  'deploy.gate_blocked': 'Deploy blocked',
  'integration.broken': 'Integration refused',
}

/** Days for which they are kept. */
export const DAYS_KEPT = 90

/** No earlier than what is kept. */
export const sinceKept = (since: string, now = Date.now()): string => {
  const first = new Date(now - DAYS_KEPT * 86_400_000).toISOString()
  return since > first ? since : first
}
