// All kinds of events, and how a subscription or a reader selects among them.

import { badUserInput } from '../../core/errors.ts'

/** Kinds by the object that they concern; docs/events.md describes each. */
export const kindsOf = {
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
  delivery: ['delivered', 'failed', 'given_up'],
} as const

/** Kinds that are kept longer: they are few, and people look for them weeks later. */
export const lastingKinds = [
  'deploy.gate_blocked',
  'deploy.gate_passed',
  'integration.broken',
  'integration.restored',
] as const

/** The kinds of objects that events concern. */
export type Thing = keyof typeof kindsOf

const things: readonly string[] = Object.keys(kindsOf)

const known: ReadonlySet<string> = new Set([
  '*',
  ...things.map((thing) => `${thing}.*`),
  ...Object.entries(kindsOf).flatMap(([thing, happened]) => happened.map((what) => `${thing}.${what}`)),
])

/** Reads patterns of kinds: a kind, `issue.*`, or `*`; BAD_USER_INPUT for an unknown one. */
export function readKinds(given: readonly string[], argument: string): string[] {
  const kinds = [...new Set(given)]
  if (kinds.length === 0) throw badUserInput('At least one kind of event is needed', argument)
  const unknown = kinds.find((kind) => !known.has(kind))
  if (unknown !== undefined) throw badUserInput(`There is no event kind ${unknown.slice(0, 100)}`, argument)
  if (kinds.some((kind) => kind.startsWith('delivery.'))) {
    throw badUserInput('Delivery events are sent to subscribers only', argument)
  }
  return kinds
}
