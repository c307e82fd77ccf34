// What happened to deploys and integrations that somebody should know of, as events tell it.

export const troubleKinds = ['deploy.gate_blocked', 'integration.broken'] as const
export type TroubleKind = (typeof troubleKinds)[number]

export const troubleWords: Record<TroubleKind, string> = {
  'deploy.gate_blocked': 'Deploy blocked',
  'integration.broken': 'Integration refused',
}

type Told = { kind: string; at: string }

/** Those of these kinds since a moment, the newest first. */
export const happenedSince = <Event extends Told>(
  events: readonly Event[],
  since: string,
  kinds: readonly TroubleKind[],
): Event[] =>
  events.filter(({ kind, at }) => kinds.some((one) => one === kind) && Date.parse(at) >= Date.parse(since)).reverse()
