// Findings of a scan as SARIF 2.1.0.

import type { Finding } from '../scanner/finding.ts'
import type { Outcome } from '../scanner/outcome.ts'

const levels = { CRITICAL: 'error', HIGH: 'error', MEDIUM: 'warning', LOW: 'note', NOTIFICATION: 'note' } as const
const scores = { CRITICAL: '9.5', HIGH: '8.0', MEDIUM: '5.5', LOW: '3.0', NOTIFICATION: '0.0' } as const

/** One run, one rule for each check that found something; the exchange stands in webRequest and webResponse. */
export function sarifOfScan({ findings, state, reason, notes }: Outcome, target: string, version: string) {
  const rules = new Map(findings.map((finding) => [finding.check, finding]))
  return {
    version: '2.1.0',
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    runs: [
      {
        tool: { driver: { name: 'Merlon', version, rules: [...rules.values()].map(ruleOf) } },
        invocations: [
          {
            executionSuccessful: state === 'COMPLETED',
            exitCodeDescription: state,
            toolExecutionNotifications: [...(reason ? [reason] : []), ...notes].map((text) => ({
              level: 'note',
              message: { text },
            })),
          },
        ],
        properties: { target },
        results: findings.map(resultOf),
      },
    ],
  }
}

const ruleOf = ({ check, title, cwes, severity, solution }: Finding) => ({
  id: check,
  shortDescription: { text: title },
  help: { text: solution },
  properties: {
    tags: ['security', ...cwes.map((cwe) => `external/cwe/cwe-${cwe}`)],
    'security-severity': scores[severity],
  },
})

function resultOf(finding: Finding) {
  const { check, severity, detail, url, method, operation, parameter, evidence, fingerprint, cwes, count, others } =
    finding
  return {
    ruleId: check,
    level: levels[severity],
    kind: 'fail',
    message: { text: `${detail} (${operation}${parameter ? `, ${parameter.place} ${parameter.name}` : ''})` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: {
            uri: url.replace(/[^\x21-\x7e]|["<>\\^`{|}]/g, (one) => encodeURIComponent(one.toWellFormed())),
          },
        },
      },
    ],
    fingerprints: { 'merlon/scan': fingerprint },
    webRequest: { target: url, method, body: { text: evidence.request } },
    webResponse: { body: { text: evidence.response } },
    properties: {
      operation,
      parameter: parameter?.name,
      place: parameter?.place,
      tags: ['security', ...cwes.map((cwe) => `external/cwe/cwe-${cwe}`)],
      'security-severity': scores[severity],
      curl: evidence.curl,
      count,
      others,
    },
  }
}
