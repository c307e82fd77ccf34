// Reads what Merlon itself wrote into the properties of its SARIF results, which says more than SARIF can express.

import { findingTypes, severities } from '../../core/issue-words.ts'
import { withoutCredentials } from '../credentials.ts'
import type { ComponentObservation, ExchangeObservation, FindingType, ScannedObservation } from '../types.ts'
import {
  between,
  code,
  cvssVectorOf,
  type Fields,
  list,
  moment,
  object,
  some,
  text,
  texts,
  uniq,
  whole,
} from '../values.ts'

/** A vulnerability that a person wrote down is told as what a tool finds there. */
const typeOfManual: Readonly<Record<string, FindingType>> = {
  SOURCE_CODE_VULNERABILITY: 'SAST_FINDING',
  WEB_VULNERABILITY: 'DAST_FINDING',
  NETWORK_VULNERABILITY: 'DAST_FINDING',
}

const accepted = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED'] as const

/** The type that a result of a Merlon has; undefined for results of other tools. */
export function ownTypeOf(result: Fields, driver: string): FindingType | undefined {
  const type = text(object(result.properties).type) ?? ''
  return driver === 'Merlon' ? (findingTypes.find((known) => known === type) ?? typeOfManual[type]) : undefined
}

/** The observation with what the result's properties say of it. */
export function asOwn(observation: ScannedObservation, result: Fields): ScannedObservation {
  const said = object(result.properties)
  const { decision } = observation
  return {
    ...observation,
    toolName: code(said.toolName) ?? observation.toolName,
    title: code(said.title) ?? observation.title,
    description: code(said.description),
    severity: severities.find((known) => known === said.severity) ?? observation.severity,
    cvssScore: between(said.cvssScore, 0, 10),
    cvssVector: cvssVectorOf(said.cvssVector),
    cweIds: uniq(list(said.cweIds).map((id) => whole(id))),
    tags: texts(said.patterns),
    solution: code(said.solution),
    reference: code(said.reference),
    originalIssueIdFromTool: code(object(result.fingerprints)['merlon/tool-id']),
    fingerprint: code(object(result.fingerprints)['merlon/fingerprint']),
    partialFingerprint: code(object(result.partialFingerprints)['merlon/partial']),
    vulnerabilityIds: some(uniq(texts(said.vulnerabilityIds))) ?? observation.vulnerabilityIds,
    decision: decisionOf(result, decision),
    ...(observation.kind === 'COMPONENT' ? ownComponent(observation, object(said.detail)) : {}),
    ...(observation.kind === 'EXCHANGE' ? ownExchange(observation, object(said.detail)) : {}),
  } as ScannedObservation
}

type Decision = ScannedObservation['decision']

/** A suppression with the status that stands behind it; what was fixed is told so, and not as one that nobody ever saw. */
function decisionOf(result: Fields, decision: Decision): Decision {
  const said = object(result.properties)
  if (result.baselineState === 'absent')
    return { status: 'FIX_ACCEPTED', reason: text(said.statusReason) ?? 'It was fixed when the report was written' }
  const status = accepted.find((known) => known === said.status)
  return decision && status ? { ...decision, status, until: moment(said.riskAcceptedUntil) } : decision
}

const ownExchange = (observation: ExchangeObservation, detail: Fields) => ({
  method: text(detail.method, 40) ?? observation.method,
  scheme: text(detail.scheme, 40) ?? observation.scheme,
  port: whole(detail.port) ?? observation.port,
  parameters: code(detail.parameters) ?? observation.parameters,
  request: withoutCredentials(code(detail.request)),
  response: withoutCredentials(code(detail.response)),
})

const ownComponent = (observation: ComponentObservation, detail: Fields) => ({
  package: code(detail.package) ?? observation.package,
  affectedVersion: code(detail.affectedVersion) ?? observation.affectedVersion,
  patchedVersion: code(detail.patchedVersion) ?? observation.patchedVersion,
  packageManager: code(detail.packageManager) ?? observation.packageManager,
  purl: code(detail.purl) ?? observation.purl,
  image: code(detail.image) ?? observation.image,
})
