// Converts a finding of the scanner into an observation: evidence, reproduction and solution.

import type { ExchangeObservation } from '../../reports/types.ts'
import type { Finding } from '../../scanner/finding.ts'

/** The scanner's tool name. */
export const SCANNER_TOOL = 'Merlon DAST'

/** The most operations named for a cause that many share. */
const MOST_NAMED = 10

export function observationOf(finding: Finding): ExchangeObservation {
  const { check, title, severity, cwes, detail, solution, operation, method, url, parameter, others, count } = finding
  const at = parameter ? `${operation}, ${parameter.place} ${parameter.name}` : operation
  const besides = others.slice(0, MOST_NAMED).join(', ')
  const seen = URL.parse(url)
  return {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: SCANNER_TOOL,
    ruleId: check,
    title: parameter ? `${title}: ${parameter.name} of ${operation}` : `${title}: ${operation}`,
    description: [
      detail,
      `Seen at ${at}${count > 1 ? `, ${count} times in all` : ''}.`,
      ...(besides === '' ? [] : [`Also at ${besides}.`]),
      `To reproduce:\n${finding.evidence.curl}`,
    ].join('\n\n'),
    severity,
    cweIds: cwes,
    solution,
    fingerprint: finding.fingerprint,
    url,
    method,
    ...(seen === null ? {} : { scheme: seen.protocol.slice(0, -1) }),
    ...(parameter === null ? {} : { parameters: `${parameter.place} ${parameter.name}` }),
    request: finding.evidence.request,
    response: finding.evidence.response,
    proof: finding.evidence.proof,
  }
}
