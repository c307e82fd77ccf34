// Interprets the elements of an SPDX 3 graph: packages, vulnerabilities, and the assessments of one in the other.

import type { Given } from '../json-rows.ts'
import { readJson } from '../json-walk.ts'
import { readPurl } from '../purl.ts'
import type { Component, ComponentObservation, ReportSource, Row, Statement } from '../types.ts'
import {
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  objects,
  paragraphs,
  severityOf,
  text,
  texts,
  uniq,
} from '../values.ts'

type Vulnerability = Pick<ComponentObservation, 'description' | 'vulnerabilityIds' | 'reference' | 'cweIds'>
type Rating = Pick<ComponentObservation, 'severity' | 'cvssScore' | 'cvssVector' | 'exploitProbability'>

/** By id, components as JSON, which takes half the memory; ratings by the vulnerability's, what is assessed by those of vulnerability and component. */
type Known = {
  components: Map<string, string>
  vulnerabilities: Map<string, Vulnerability>
  ratings: Map<string, Rating>
  assessed: Set<string>
}

type Assessed =
  | { kind: 'OBSERVATION'; at: string; observation: ComponentObservation }
  | { kind: 'LEFT_OUT'; at: string; reason: string }

/** Of each kind. */
const MOST_KNOWN = 250_000

export async function knownOf(source: ReportSource): Promise<Known> {
  const known: Known = { components: new Map(), vulnerabilities: new Map(), ratings: new Map(), assessed: new Set() }
  for await (const item of readJson(source.open(), ['@graph[]'])) {
    if (item.kind === 'VALUE' && isObject(item.value)) learn(known, item.value)
  }
  return known
}

function learn(known: Known, element: Fields) {
  const type = typeOf(element)
  const id = text(element.spdxId) ?? text(element['@id'])
  if (type === 'software_Package' && id !== undefined && known.components.size < MOST_KNOWN) {
    const component = componentOf(element)
    if (component) known.components.set(id, JSON.stringify(component))
  } else if (type === 'security_Vulnerability' && id !== undefined && known.vulnerabilities.size < MOST_KNOWN) {
    known.vulnerabilities.set(id, vulnerabilityOf(element))
  } else if (ratingTypes.test(type) && known.ratings.size < MOST_KNOWN) {
    const from = text(element.from) ?? ''
    known.ratings.set(from, { ...ratingOf(element), ...known.ratings.get(from) })
  } else if (vexTypes.test(type)) {
    for (const to of subjectsOf(element)) {
      if (known.assessed.size < MOST_KNOWN) known.assessed.add(`${text(element.from)} ${to}`)
    }
  }
}

/** Newer contexts write the profile before the name, examples of the specification leave it out. */
const typeOf = (element: Fields): string => {
  const type = text(element.type) ?? text(element['@type']) ?? ''
  if (type === 'Vulnerability' || type.endsWith('VulnAssessmentRelationship'))
    return `security_${type.replace(/^security_/, '')}`
  return type === 'Package' ? 'software_Package' : type
}

const ratingTypes = /^security_(?:CvssV2|CvssV3|CvssV4|Epss)VulnAssessmentRelationship$/
const vexTypes = /^security_Vex(Affected|NotAffected|Fixed|UnderInvestigation)VulnAssessmentRelationship$/

function componentOf(element: Fields): Component | null {
  const name = text(element.name)
  if (name === undefined) return null
  const identifiers = objects(element.externalIdentifier)
  const purl =
    text(element.software_packageUrl) ??
    identifiers
      .filter(({ externalIdentifierType }) => /^package_?url$/i.test(text(externalIdentifierType) ?? ''))
      .map(({ identifier }) => text(identifier))[0]
  return {
    name,
    version: text(element.software_packageVersion),
    purl,
    packageManager: readPurl(purl)?.type,
    technology: text(element.software_primaryPurpose),
  }
}

function vulnerabilityOf(element: Fields): Vulnerability {
  const identifiers = objects(element.externalIdentifier)
  const named = identifiers
    .filter(({ externalIdentifierType }) => /^cwe$/i.test(text(externalIdentifierType) ?? '') === false)
    .map(({ identifier }) => text(identifier))
  const own = text(element.name)
  return {
    description: paragraphs(text(element.summary, 2000), text(element.description, 4000)),
    vulnerabilityIds: uniq([own, ...named]).slice(0, 20),
    reference: links(
      ...identifiers.flatMap(({ identifierLocator }) => texts(identifierLocator)),
      ...objects(element.externalRef).flatMap(({ locator }) => texts(locator)),
    ),
    cweIds: cwesIn(...identifiers.map(({ identifier }) => (/^cwe-/i.test(text(identifier) ?? '') ? identifier : null))),
  }
}

const ratingOf = (element: Fields): Rating => ({
  severity: severityOf(element.security_severity ?? element.severity),
  cvssScore: between(element.security_score ?? element.score, 0.1, 10),
  cvssVector: cvssVectorOf(element.security_vectorString ?? element.vectorString),
  exploitProbability: typeOf(element).includes('Epss')
    ? between(element.security_probability ?? element.probability, 0, 1)
    : undefined,
})

/** The component in a product that is spoken of, or the product. */
function subjectsOf(element: Fields): readonly string[] {
  const assessed = texts(element.security_assessedElement ?? element.assessedElement)
  return uniq(assessed.length > 0 ? assessed : texts(element.to))
}

/** Packages, and what is said of vulnerabilities in them; other elements of the graph are no rows. */
export function* rowsOfThree({ value, at }: Given, known: Known): Iterable<Row> {
  if (!isObject(value)) return
  const type = typeOf(value)
  if (type === 'software_Package') {
    const component = componentOf(value)
    if (component) yield { kind: 'COMPONENT', at, component }
    else yield { kind: 'LEFT_OUT', at, reason: 'The package has no name' }
  } else if (vexTypes.test(type)) {
    const from = text(value.from) ?? ''
    for (const to of subjectsOf(value)) yield statedRow(type, at, from, to, known, value)
  } else if (text(value.relationshipType) === 'hasAssociatedVulnerability') {
    const component = text(value.from) ?? ''
    for (const from of texts(value.to)) {
      // What a VEX relationship says of the same pair is told there.
      if (!known.assessed.has(`${from} ${component}`)) yield assessedRow(at, from, component, known, value, undefined)
    }
  }
}

const statuses: ReadonlyMap<string, Statement['status']> = new Map([
  ['Affected', 'AFFECTED'],
  ['NotAffected', 'NOT_AFFECTED'],
  ['Fixed', 'FIXED'],
  ['UnderInvestigation', 'UNDER_INVESTIGATION'],
])

function statedRow(type: string, at: string, from: string, to: string, known: Known, element: Fields): Row {
  const decision = decisionOf(type, element)
  const row = assessedRow(at, from, to, known, element, decision)
  const status = statuses.get(vexTypes.exec(type)?.[1] ?? '')
  const investigated = { kind: 'LEFT_OUT', at, reason: 'It is still under investigation', isUndecided: true } as const
  if (row.kind !== 'OBSERVATION' || status === undefined) return status === 'UNDER_INVESTIGATION' ? investigated : row
  const reason = decision?.reason ?? status.toLowerCase().replaceAll('_', ' ')
  const observation: ComponentObservation = { ...row.observation, statement: { status, reason } }
  return status === 'UNDER_INVESTIGATION' ? { ...investigated, observation } : { ...row, observation }
}

function assessedRow(
  at: string,
  from: string,
  to: string,
  known: Known,
  element: Fields,
  decision: ComponentObservation['decision'],
): Assessed {
  const vulnerability = known.vulnerabilities.get(from)
  const id = vulnerability?.vulnerabilityIds?.[0] ?? /(?:CVE|GHSA)-[\w-]{4,30}$/i.exec(from)?.[0]
  if (id === undefined)
    return { kind: 'LEFT_OUT', at, reason: 'The document does not contain the vulnerability that it refers to' }
  const told = known.components.get(to)
  const component: Component = told === undefined ? { name: to } : JSON.parse(told)
  const solution = text(element.security_actionStatement) ?? text(element.actionStatement)
  const observation: ComponentObservation = {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: 'SPDX',
    ruleId: id,
    title: headline(`${id} in ${component.name}${component.version === undefined ? '' : ` ${component.version}`}`, id),
    vulnerabilityIds: [id],
    ...vulnerability,
    ...known.ratings.get(from),
    solution,
    package: component.name,
    affectedVersion: component.version,
    purl: component.purl,
    packageManager: component.packageManager,
    decision,
  }
  return { kind: 'OBSERVATION', at, observation }
}

function decisionOf(type: string, element: Fields): ComponentObservation['decision'] {
  const said = [
    text(element.security_justificationType ?? element.justificationType),
    text(element.security_impactStatement ?? element.impactStatement),
    text(element.security_statusNotes ?? element.statusNotes),
  ]
  const reason = said.filter(Boolean).join('; ')
  if (type.includes('VexNotAffected')) {
    return { status: 'FALSE_POSITIVE', reason: `not affected: ${reason || 'no reason given'}` }
  }
  return type.includes('VexFixed') ? { status: 'FIX_ACCEPTED', reason: reason || 'fixed' } : undefined
}
