// The attack patterns of an imported threat's checks, and the text of its requirement.

import { LONGEST_TEXT } from '../../core/text.ts'
import type { ModelThreat, Stride, ThreatModel } from '../../threat-models/types.ts'
import { capec, cwesOf, patternsOf } from '../requirements/service.ts'

/**
 * The attack patterns that represent a kind of threat: CAPEC's broadest ones, so that their weaknesses match the kind. For repudiation
 * that is Audit Log Manipulation.
 */
const patternsOfKind: Readonly<Record<Stride, { name: string; capecIds: readonly number[] }>> = {
  // Identity Spoofing; Exploitation of Trusted Identifiers
  SPOOFING: { name: 'spoofing', capecIds: [151, 21] },
  // Input Data Manipulation; Manipulating State
  TAMPERING: { name: 'tampering', capecIds: [153, 74] },
  // Audit Log Manipulation
  REPUDIATION: { name: 'repudiation', capecIds: [268] },
  // Excavation; Interception
  INFORMATION_DISCLOSURE: { name: 'information disclosure', capecIds: [116, 117] },
  // Flooding; Excessive Allocation
  DENIAL_OF_SERVICE: { name: 'denial of service', capecIds: [125, 130] },
  // Privilege Abuse; Privilege Escalation
  ELEVATION_OF_PRIVILEGE: { name: 'elevation of privilege', capecIds: [122, 233] },
}

/** `basis`: sentences that say how the patterns were chosen, or why there are none. */
type Traced = { capecIds: readonly number[]; basis: string }

/**
 * Uses the attack patterns that the file names, and for weaknesses that these do not use the patterns that represent them. The kind of
 * threat decides only if the file names neither.
 */
export function trace(threat: ModelThreat): Traced {
  const named = threat.capecIds.filter((id) => capec(id) !== null)
  const found = new Set(named)
  const reasons = named.map((id) => `${titleOf(id)} is named in the file.`)
  for (const id of threat.capecIds) {
    if (!found.has(id)) reasons.push(`CAPEC-${id}, which the file names, is not in the catalogue.`)
  }
  for (const cweId of threat.cweIds) {
    const uses = [...found].find((id) => cwesOf(id).includes(cweId))
    const patterns = uses === undefined ? patternsOf(cweId) : []
    for (const id of patterns) found.add(id)
    if (uses !== undefined) reasons.push(`CWE-${cweId}, which the file names, is used by CAPEC-${uses}.`)
    else if (patterns.length === 0) reasons.push(`CWE-${cweId}, which the file names, is used by no attack pattern.`)
    else
      reasons.push(
        `The file names CWE-${cweId}, which ${joined(patterns.map(titleOf))} ${patterns.length === 1 ? 'uses' : 'use'}.`,
      )
  }
  if (found.size > 0) return { capecIds: [...found], basis: reasons.join(' ') }
  return traceKinds(threat, reasons)
}

function traceKinds({ stride, categories }: ModelThreat, reasons: readonly string[]): Traced {
  const nothing = reasons.length > 0 ? reasons : ['The file names neither an attack pattern nor a weakness.']
  if (stride.length === 0) {
    const kinds = categories.length === 0 ? 'no kind of threat' : `no kind of STRIDE (${categories.join(', ')})`
    return {
      capecIds: [],
      basis: [...nothing, `It has no check, because the file also says ${kinds}: people assess it.`].join(' '),
    }
  }
  const kinds = stride.map((kind) => patternsOfKind[kind])
  const told = kinds.map(
    ({ name, capecIds }) =>
      `For ${name} ${capecIds.length === 1 ? 'stands' : 'stand'} ${joined(capecIds.map(titleOf))}.`,
  )
  return { capecIds: [...new Set(kinds.flatMap(({ capecIds }) => capecIds))], basis: [...nothing, ...told].join(' ') }
}

const titleOf = (id: number): string => `CAPEC-${id} (${capec(id)?.name})`

const joined = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const formats = { THREAT_DRAGON: 'OWASP Threat Dragon', OPEN_THREAT_MODEL: 'Open Threat Model' } as const

/** The text of a threat's requirement: the model's words, its place in the model, and how its checks were chosen. */
export function describe(model: ThreatModel, threat: ModelThreat, { basis }: Traced): string {
  const { description, mitigations, places, categories, severity, status, key } = threat
  const lines = [
    ...(description === null ? [] : [description, '']),
    ...(mitigations.length === 0 ? [] : ['Mitigations in the model:', ...mitigations.map((text) => `- ${text}`), '']),
    ...(places.length === 0 ? [] : [`Where: ${places.join('; ')}`]),
    ...(categories.length === 0 ? [] : [`Kind: ${categories.join(', ')}`]),
    ...(severity === null ? [] : [`Severity: ${severity}`]),
    ...(status === null ? [] : [`Status in the model: ${status}`]),
    `Checks: ${basis}`,
    `From the ${formats[model.format]} “${model.title}”, threat ${key}.`,
  ]
  const text = lines.join('\n')
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1).toWellFormed()}…` : text
}
