// Interprets one plugin's result on one port of a host.

import { severities } from '../../core/issue-words.ts'
import { withoutCredentials } from '../credentials.ts'
import type { ExchangeObservation, Row } from '../types.ts'
import {
  between,
  cvssVectorOf,
  cwesIn,
  headline,
  links,
  paragraphs,
  severityOf,
  text,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'

export type Result = {
  /** the finding's own id in the cloud product */
  id?: string
  /** somebody accepted the risk in the cloud product */
  isAccepted?: boolean
  host: string
  plugin: string | undefined
  name: string | undefined
  family: string | undefined
  /** 0 to 4 */
  severity: string | undefined
  risk: string | undefined
  port: unknown
  protocol: string | undefined
  service: string | undefined
  synopsis: string | undefined
  description: string | undefined
  solution: string | undefined
  output: string | undefined
  links: readonly string[]
  cves: unknown
  cwes: unknown
  score: unknown
  vector: unknown
  epss: unknown
  url: string | undefined
  method: string | undefined
  input: string | undefined
  proof: string | undefined
  request: string | undefined
  response: string | undefined
}

export function rowOf(result: Result, place: string): Row {
  const { plugin, name } = result
  if (!plugin || !name) return { kind: 'LEFT_OUT', at: place, reason: 'It names no plugin' }
  const solution = text(result.solution)
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'Nessus',
    ruleId: plugin,
    title: headline(name, plugin),
    description: paragraphs(
      text(result.synopsis),
      text(result.description),
      withoutCredentials(text(result.output)),
      withoutCredentials(text(result.proof)),
    ),
    severity: severities[Number(result.severity ?? Number.NaN)] ?? severityOf(result.risk),
    cvssScore: between(result.score, 0.1, 10),
    cvssVector: cvssVectorOf(result.vector),
    exploitProbability: between(result.epss, 0, 1),
    cweIds: cwesIn(result.cwes),
    vulnerabilityIds: vulnerabilityIdsIn(result.cves),
    reference: links(...result.links),
    solution: solution === 'n/a' ? undefined : solution,
    tags: result.family === undefined ? undefined : [result.family],
    url: withoutCredentials(text(result.url ?? addressOf(result))),
    method: text(result.method),
    port: whole(result.port),
    parameters: text(result.input),
    request: withoutCredentials(text(result.request)),
    response: withoutCredentials(text(result.response)),
    originalIssueIdFromTool: text(result.id, 200),
    decision: result.isAccepted ? { status: 'RISK_ACCEPTED', reason: 'Its risk is accepted in Tenable.' } : undefined,
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/** A host that the web scanner saw is an address already; else the protocol stands where its scheme would. */
function addressOf({ host, protocol, port, service }: Result): string {
  if (/^https?:\/\//.test(host)) return host
  const scheme = service === 'www' ? 'http' : (protocol ?? 'tcp').toLowerCase()
  const number = whole(port)
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}${number === undefined ? '' : `:${number}`}`
}
