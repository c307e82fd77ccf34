// Reads what Merlon itself wrote into the properties of its SARIF results, which says more than SARIF can express.

import { findingTypes, severities } from '../../core/issue-words.ts'
import type { ComponentObservation, FindingType, Observation } from '../types.ts'
import { between, code, cvssVectorOf, type Fields, list, moment, object, text, texts, uniq, whole } from '../values.ts'

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
export function asOwn(observation: Observation, result: Fields): Observation {
  const said = object(result.properties)
  const status = accepted.find((known) => known === said.status)
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
    decision: decision && status ? { ...decision, status, until: moment(said.riskAcceptedUntil) } : decision,
    ...(observation.kind === 'COMPONENT' ? ownComponent(observation, object(said.detail)) : {}),
  } as Observation
}

const ownComponent = (observation: ComponentObservation, detail: Fields) => ({
  package: code(detail.package) ?? observation.package,
  affectedVersion: code(detail.affectedVersion) ?? observation.affectedVersion,
  patchedVersion: code(detail.patchedVersion) ?? observation.patchedVersion,
  packageManager: code(detail.packageManager) ?? observation.packageManager,
  purl: code(detail.purl) ?? observation.purl,
  image: code(detail.image) ?? observation.image,
})
