// Interprets the parts of a CycloneDX document.

import { readPurl } from '../purl.ts'
import type { ComponentObservation, Row, Statement } from '../types.ts'
import {
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  links,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  uniq,
} from '../values.ts'
import type { CdxComponent, CdxVulnerability, Known, Part } from './types.ts'

export const componentRow = ({ at, component }: Part & { kind: 'COMPONENT' }): Row => ({
  kind: 'COMPONENT',
  at,
  component: {
    name: component.name,
    version: component.version,
    purl: component.purl,
    packageManager: readPurl(component.purl)?.type,
    license: component.license,
    technology: component.type,
  },
})

/** One finding for each component that the vulnerability affects. */
export function* vulnerabilityRows(
  { at, vulnerability }: Part & { kind: 'VULNERABILITY' },
  known: Known,
): Iterable<Row> {
  const { id, affects } = vulnerability
  if (id === undefined) yield { kind: 'LEFT_OUT', at, reason: 'The vulnerability has no id' }
  else if (affects.length === 0) yield { kind: 'LEFT_OUT', at, reason: 'It affects no component of the document' }
  else {
    for (const [index, ref] of uniq(affects).entries()) {
      const component = known.components.get(ref) ?? known.components.get(ref.split('#').at(-1) ?? '')
      const place = affects.length > 1 ? `${at}.affects[${index}]` : at
      yield {
        kind: 'OBSERVATION',
        at: place,
        observation: observed(id, vulnerability, component === undefined ? byRef(ref) : JSON.parse(component), known),
      }
    }
  }
}

/** A component of another document, of which only the name is known. */
function byRef(ref: string): CdxComponent {
  const purl = readPurl(ref)
  return purl ? { name: purl.name, version: purl.version, purl: ref } : { name: ref }
}

function observed(
  id: string,
  vulnerability: CdxVulnerability,
  component: CdxComponent,
  known: Known,
): ComponentObservation {
  const rating = bestRating(vulnerability.ratings)
  const where = component.version === undefined ? component.name : `${component.name} ${component.version}`
  return {
    kind: 'COMPONENT',
    type: known.image === undefined ? 'SCA_FINDING' : 'CONTAINER_FINDING',
    toolName: known.tool,
    ruleId: id,
    title: headline(`${id} in ${where}`, id),
    description: paragraphs(vulnerability.description, vulnerability.detail),
    severity:
      severityOf(rating?.severity) ??
      vulnerability.ratings.map((each) => severityOf(each.severity)).find((severity) => severity !== undefined),
    cvssScore: between(rating?.score, 0.1, 10),
    cvssVector: vectorOf(rating),
    cweIds: cwesIn(vulnerability.cwes),
    vulnerabilityIds: uniq([id, ...vulnerability.aliases]),
    reference: links(...vulnerability.links),
    solution: paragraphs(vulnerability.recommendation, vulnerability.workaround),
    package: component.name,
    affectedVersion: component.version,
    packageManager: readPurl(component.purl)?.type,
    purl: component.purl,
    image: known.image,
    decision: decisionOf(vulnerability.analysis),
    statement: statementOf(vulnerability.analysis),
  }
}

const methods = ['CVSSv4', 'CVSSv31', 'CVSSv3', 'CVSSv2']

/** The rating of the newest CVSS version. */
const bestRating = (ratings: readonly Fields[]): Fields | undefined =>
  methods
    .map((method) => ratings.find((rating) => text(rating.method) === method))
    .find((rating) => rating !== undefined)

/** Some omit the version in the vector, because `method` has it. */
function vectorOf(rating: Fields | undefined): string | undefined {
  const version = { CVSSv4: '4.0', CVSSv31: '3.1', CVSSv3: '3.0' }[text(rating?.method) ?? '']
  const vector = text(rating?.vector)
  return cvssVectorOf(vector) ?? (version === undefined ? undefined : cvssVectorOf(`CVSS:${version}/${vector}`))
}

/** The states of impact analysis; `exploitable` and `in_triage` are ordinary findings. */
function decisionOf(analysis: Fields): ComponentObservation['decision'] {
  const state = text(analysis.state)
  const responses = texts(analysis.response ?? textAt(analysis, 'responses', 'response'))
  const reason = [text(analysis.justification), text(analysis.detail), ...responses].filter(Boolean).join('; ')
  if (state === 'false_positive' || state === 'not_affected') {
    return { status: 'FALSE_POSITIVE', reason: `${state.replace('_', ' ')}: ${reason || 'no reason given'}` }
  }
  return state === 'resolved' || state === 'resolved_with_pedigree'
    ? { status: 'FIX_ACCEPTED', reason: reason || 'resolved' }
    : undefined
}

const states: ReadonlyMap<string, Statement['status']> = new Map([
  ['not_affected', 'NOT_AFFECTED'],
  ['false_positive', 'NOT_AFFECTED'],
  ['resolved', 'FIXED'],
  ['resolved_with_pedigree', 'FIXED'],
  ['exploitable', 'AFFECTED'],
  ['in_triage', 'UNDER_INVESTIGATION'],
])

function statementOf(analysis: Fields): Statement | undefined {
  const state = text(analysis.state) ?? ''
  const status = states.get(state)
  if (status === undefined) return undefined
  const reason =
    decisionOf(analysis)?.reason ?? [state.replace('_', ' '), text(analysis.detail)].filter(Boolean).join(': ')
  return { status, reason, saidAt: text(analysis.lastUpdated) ?? text(analysis.firstIssued) }
}
