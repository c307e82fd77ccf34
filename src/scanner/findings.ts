// Turns sightings of checks into findings: one for each root cause, with an identity that the next scan finds again.

import { createHash } from 'node:crypto'
import type { Check, Sighting } from './check.ts'
import { evidenceOf, type Secrets, withoutSecrets } from './evidence.ts'
import { addressOf, type Finding, placeOf } from './finding.ts'
import { wholeOf } from './halves.ts'
import { ownCopy } from './own-copy.ts'

/** The most findings of one scan, and the most other operations named for one cause. */
const MOST_FINDINGS = 1_500
const MOST_OTHERS = 20

export type Findings = {
  /** Adds a sighting; true if its cause is new. */
  add: (check: Check, sighting: Sighting, secrets: () => Secrets) => Finding | null
  all: () => readonly Finding[]
  has: (check: string, operation: string, point?: string) => boolean
}

export function openFindings(): Findings {
  const known = new Map<string, Finding & { count: number; others: string[] }>()
  return {
    add(check, sighting, secretsNow) {
      const key = wholeOf(sighting.operation?.key ?? sighting.exchange.operation)
      const operation = key || addressOf(sighting.exchange.request)
      const { point, exchange, cause } = sighting
      const fingerprint = fingerprintOf(check.id, cause ?? [operation, point?.place ?? '', point?.name ?? ''])
      const before = known.get(fingerprint)
      if (before) {
        before.count += 1
        const isNew = operation !== '' && operation !== before.operation && !before.others.includes(operation)
        if (isNew && before.others.length < MOST_OTHERS) before.others.push(operation)
        return null
      }
      if (known.size >= MOST_FINDINGS) return null
      const secrets = secretsNow()
      const finding = {
        check: check.id,
        title: sighting.title ?? check.title,
        severity: sighting.severity ?? check.severity,
        cwes: sighting.cwes ?? check.cwes,
        detail: ownCopy(withoutSecrets(sighting.detail, secrets)),
        solution: check.solution,
        operation,
        place: key === '' || sighting.operation?.isBeside ? placeOf(exchange) : key,
        method: exchange.request.method,
        url: withoutSecrets(exchange.request.url, secrets),
        parameter: point ? { place: point.place, name: point.name } : null,
        evidence: evidenceOf(exchange, sighting.proof, secrets),
        count: 1,
        others: [],
        fingerprint,
      }
      known.set(fingerprint, finding)
      return finding
    },
    all: () => [...known.values()],
    has: (check, operation, point) =>
      [...known.values()].some(
        (one) =>
          one.check === check && one.operation === operation && (point === undefined || one.parameter?.name === point),
      ),
  }
}

const fingerprintOf = (check: string, parts: string | readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([check, parts]))
    .digest('hex')
