// The kinds of events that a webhook may ask for; a test holds them to what the service tells.

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

/** Everything first, then each thing as a whole with its kinds. */
export const eventKinds: readonly string[] = [
  '*',
  ...Object.entries(kindsOf).flatMap(([thing, kinds]) => [`${thing}.*`, ...kinds.map((kind) => `${thing}.${kind}`)]),
]
