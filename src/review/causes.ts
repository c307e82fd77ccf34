// Joins findings of several reviewers that have one cause: a secret in the code that risky code reports as well.

import { severities } from '../core/issue-words.ts'
import type { CodeObservation } from '../reports/types.ts'
import type { Found } from './types.ts'

/**
 * The finding about the secret is kept, because the value identifies it when it moves or is removed. Risky code that is
 * about nothing else goes into its description, and the higher severity counts. Without such a secret nothing is joined.
 */
export function* oneForEachCause(all: Iterable<Found>): Generator<Found> {
  const found = [...all]
  const joined = new Map<Found, CodeObservation>()
  const gone = new Set<Found>()
  for (const each of found) {
    if (each.kind !== 'OBSERVATION' || each.secretLine === undefined) continue
    const secret = found.find((other) => standsAt(other, each.secretLine))
    if (secret?.kind !== 'OBSERVATION') continue
    joined.set(secret, withWitness(joined.get(secret) ?? secret.observation, each.observation))
    gone.add(each)
  }
  for (const each of found) {
    const observation = joined.get(each)
    if (!gone.has(each)) yield observation ? { kind: 'OBSERVATION', observation } : each
  }
}

/** Whether it is a secret with one of its places on this line. */
function standsAt(found: Found, line: number | undefined): boolean {
  if (found.kind !== 'OBSERVATION' || found.observation.type !== 'SECRET_FINDING') return false
  const { observation } = found
  return observation.line === line || observation.otherPlaces?.some((place) => place.line === line) === true
}

function withWitness(secret: CodeObservation, witness: CodeObservation): CodeObservation {
  const isHigher = rankOf(witness) > rankOf(secret)
  return {
    ...secret,
    severity: isHigher ? witness.severity : secret.severity,
    cweIds: [...new Set([...(secret.cweIds ?? []), ...(witness.cweIds ?? [])])],
    description: `${secret.description}\n\n${witness.title} (${witness.ruleId}): ${witness.description}`,
  }
}

const rankOf = ({ severity }: CodeObservation): number => (severity ? severities.indexOf(severity) : -1)
