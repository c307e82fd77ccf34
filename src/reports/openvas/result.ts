// Interprets the result of one test on one port of a host.

import { withoutCredentials } from '../credentials.ts'
import type { ExchangeObservation, Row, Severity } from '../types.ts'
import {
  between,
  cvssVectorOf,
  headline,
  links,
  number,
  paragraphs,
  severityOf,
  some,
  text,
  uniq,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'

export type Result = {
  host: string
  hostname: string | undefined
  /** `443/tcp`, `general/tcp` where it is of none */
  port: string | undefined
  oid: string | undefined
  name: string | undefined
  family: string | undefined
  threat: string | undefined
  /** 0.0 to 10.0, -1.0 of a false positive */
  score: string | undefined
  vector: string | undefined
  epss: string | undefined
  cves: readonly (string | undefined)[]
  links: readonly (string | undefined)[]
  texts: readonly (string | undefined)[]
  solution: string | undefined
  /** 0 to 100: how sure the test is */
  qod: string | undefined
  isOverridden: boolean
}

export function rowOf(result: Result, at: string): Row {
  const { oid, name } = result
  const host = text(result.host, 500)
  const rule = text(oid) ?? text(name)
  if (rule === undefined || host === undefined) return { kind: 'LEFT_OUT', at, reason: 'It names no test, or no host' }
  if (/^error$/i.test(result.threat ?? '')) {
    return { kind: 'LEFT_OUT', at, reason: headline(text(name), 'The test failed', 300), isUndecided: true }
  }
  const isFalse = result.isOverridden || /^false positive$/i.test(result.threat ?? '') || number(result.score) === -1
  const [port, protocol = 'tcp'] = (result.port ?? '').split('/')
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'OpenVAS',
    ruleId: rule,
    title: headline(text(name), rule),
    description: paragraphs(...result.texts.map((each) => withoutCredentials(text(each)))),
    severity: severityIn(result),
    cvssScore: between(result.score, 0.1, 10),
    cvssVector: cvssVectorOf(result.vector),
    exploitProbability: between(result.epss, 0, 1),
    vulnerabilityIds: vulnerabilityIdsIn(...result.cves, name),
    reference: links(...result.links.map((each) => text(each))),
    solution: text(result.solution),
    tags: some(
      uniq([
        text(result.family, 200),
        whole(result.qod) === undefined ? undefined : `quality of detection: ${whole(result.qod)}`,
      ]),
    ),
    url: addressOf(host, port, protocol),
    port: whole(port),
    decision: isFalse
      ? { status: 'FALSE_POSITIVE', reason: 'It is overridden as a false positive in OpenVAS.' }
      : undefined,
  }
  return { kind: 'OBSERVATION', at, observation }
}

/** OpenVAS has no word above High; scores from 9.0 on are CVSS's Critical. */
function severityIn({ threat, score }: Result): Severity | undefined {
  if (/^(?:log|debug)$/i.test(threat ?? '')) return 'NOTIFICATION'
  const named = /^alarm$/i.test(threat ?? '') ? 'HIGH' : severityOf(threat)
  return named === 'HIGH' && (number(score) ?? 0) >= 9 ? 'CRITICAL' : named
}

/** The protocol stands where the scheme would; what concerns the whole host has no port. */
function addressOf(host: string, port: string | undefined, protocol: string): string {
  const number = whole(port)
  return `${protocol.toLowerCase()}://${host.includes(':') ? `[${host}]` : host}${number === undefined ? '' : `:${number}`}`
}
