// The kinds of events that a webhook can subscribe to; a test compares them with what the service sends.

const kindsOf = {
  issue: [
    'created',
    'updated',
    'status_changed',
    'assigned',
    'unassigned',
    'merged',
    'split',
    'split_off',
    'deleted',
    'known_exploited',
    'sla_near',
    'sla_broken',
  ],
  deploy: ['created', 'status_changed', 'deleted', 'gate_blocked', 'gate_passed'],
  import: ['created', 'running', 'succeeded', 'failed'],
  scan: ['created', 'pending', 'running', 'succeeded', 'failed', 'canceled', 'deleted'],
  integration: ['broken', 'restored'],
} as const

/** Everything first, then each object as a whole followed by its kinds of events. */
export const eventKinds: readonly string[] = [
  '*',
  ...Object.entries(kindsOf).flatMap(([thing, kinds]) => [`${thing}.*`, ...kinds.map((kind) => `${thing}.${kind}`)]),
]
