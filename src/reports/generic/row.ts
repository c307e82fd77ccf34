// Interprets the fields of a plain finding, under the names of the API's inputs and of other systems' exports.

import { withoutCredentials } from '../credentials.ts'
import { addressesIn } from '../html-text.ts'
import { isSecretWeakness, maskedCode } from '../secrets.ts'
import type { FindingType, Observation, Row } from '../types.ts'
import {
  between,
  code,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  moment,
  objects,
  paragraphs,
  severityOf,
  some,
  text,
  textAt,
  texts,
  uniq,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'

const types: Readonly<Record<string, FindingType>> = {
  SAST: 'SAST_FINDING',
  SCA: 'SCA_FINDING',
  DAST: 'DAST_FINDING',
  IAC: 'IAC_FINDING',
  SECRET: 'SECRET_FINDING',
  CONTAINER: 'CONTAINER_FINDING',
  MAST: 'MAST_FINDING',
}

export function rowOf(value: unknown, place: string, tool: string): Row {
  if (!isObject(value)) return { kind: 'LEFT_OUT', at: place, reason: 'It is not an object' }
  const field = fieldsByName(value)
  const title = text(field('title'))
  if (title === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It has no title' }
  if (isTrue(field('duplicate'))) return { kind: 'PASSED_OVER', at: place, reason: 'It is marked as a duplicate' }
  const severity = text(field('severity'), 100)
  if (whole(severity, 0) !== undefined) return { kind: 'LEFT_OUT', at: place, reason: scaleUnknown(severity) }
  return { kind: 'OBSERVATION', at: place, observation: observed(field, title, tool) }
}

/** For some tools 1 is the worst, for others 5. */
const scaleUnknown = (severity: string | undefined): string =>
  `Its severity is ${severity}, not one of CRITICAL, HIGH, MEDIUM, LOW or NOTIFICATION`

type Field = (...names: readonly string[]) => unknown

/** The value of the first name that has one, ignoring case, blanks, `_` and `-`. */
function fieldsByName(value: Fields): Field {
  const fields = new Map<string, unknown>()
  for (const [name, each] of Object.entries(value)) {
    const key = name.toLowerCase().replace(/[\s_-]/g, '')
    if (each !== null && each !== '' && !fields.has(key)) fields.set(key, each)
  }
  return (...names) => names.map((name) => fields.get(name.toLowerCase())).find((each) => each !== undefined)
}

const isTrue = (value: unknown): boolean => value === true || /^(true|yes|1)$/i.test(text(value) ?? '')

/** A finding in a component, in an exchange over HTTP, or in code: as its type says or, without one, as its fields do. */
function observed(field: Field, title: string, tool: string): Observation {
  const urls = urlsOf(field)
  const common = commonOf(field, title, tool, urls)
  const type = types[(text(field('type', 'scanType')) ?? '').toUpperCase().replace(/_FINDING$/, '')]
  const name = text(field('package', 'componentName'))
  const fileName = text(field('fileName', 'filePath', 'file'))
  if (name !== undefined && (type === undefined || type === 'SCA_FINDING' || type === 'CONTAINER_FINDING')) {
    return {
      kind: 'COMPONENT',
      type: type ?? 'SCA_FINDING',
      ...common,
      package: name,
      affectedVersion: text(field('affectedVersion', 'componentVersion')),
      patchedVersion: text(field('patchedVersion', 'fixVersion')),
      packageManager: text(field('packageManager')),
      purl: text(field('purl')),
      image: text(field('image')),
      fileName,
    }
  }
  if (type === 'DAST_FINDING' || (type === undefined && fileName === undefined && urls.length > 0)) {
    return {
      kind: 'EXCHANGE',
      type: 'DAST_FINDING',
      ...common,
      url: withoutCredentials(urls[0]),
      port: whole(field('port')),
      method: text(field('method')),
      parameters: text(field('parameters', 'param')),
      request: withoutCredentials(text(field('request'))),
      response: withoutCredentials(text(field('response'))),
    }
  }
  return { kind: 'CODE', type: type ?? 'SAST_FINDING', ...common, ...codeOf(field, type, common.cweIds), fileName }
}

/** The fields of findings of every kind; `urls` after the first go into the description. */
const commonOf = (field: Field, title: string, tool: string, urls: readonly string[]) => ({
  toolName: text(field('toolName', 'tool', 'testType')) ?? tool,
  ruleId: text(field('ruleId', 'rule', 'vulnIdFromTool')),
  title: headline(title, title),
  description: paragraphs(
    text(field('description')),
    text(field('impact')),
    text(field('stepsToReproduce')),
    urls.slice(1, 100).join('\n') || undefined,
  ),
  severity: severityOf(field('severity')),
  cvssScore: between(field('cvssScore', 'cvssv4Score', 'cvssv3Score'), 0.1, 10),
  cvssVector: cvssVectorOf(field('cvssVector')) ?? cvssVectorOf(field('cvssv4')) ?? cvssVectorOf(field('cvssv3')),
  cweIds: cwesIn(field('cweIds', 'cwes'), field('cwe', 'cweId', 'category')),
  vulnerabilityIds: idsOf(field),
  exploitProbability: between(field('epssScore', 'epss'), 0, 1),
  reference: links(...texts(field('reference', 'references')).flatMap(addressesIn)),
  solution: text(field('solution', 'mitigation')),
  tags: tagsOf(field),
  originalIssueIdFromTool: text(field('originalIssueIdFromTool', 'uniqueIdFromTool')),
  fingerprint: text(field('fingerprint')),
  decision: decisionOf(field),
})

/** Where a finding is in the code, and the code itself, masked where it holds a secret. */
function codeOf(field: Field, type: FindingType | undefined, cweIds: readonly number[] | undefined) {
  const snippet = code(field('codeSnippet', 'snippet'))
  const isSecret = type === 'SECRET_FINDING' || isSecretWeakness(cweIds)
  return {
    line: whole(field('line', 'vulnerableLine', 'lineNumber')),
    column: whole(field('column')),
    codeSnippet: isSecret && snippet !== undefined ? maskedCode(snippet) : snippet,
    firstLine: whole(field('firstLine')),
    source: text(field('source', 'sastSourceObject')),
    sink: text(field('sink', 'sastSinkObject')),
    commitRef: text(field('commitRef')),
  }
}

/** Tags as a list, or as one text separated by commas. */
function tagsOf(field: Field): readonly string[] | undefined {
  const tags = texts(field('tags', 'patterns')).flatMap((tag) => tag.split(','))
  return some(uniq(tags.map((tag) => tag.trim())).filter(Boolean))
}

/** Addresses as texts, or as objects of their parts. */
function urlsOf(field: Field): string[] {
  const endpoints = field('endpoints')
  const taken = objects(endpoints).map((each) => {
    const port = whole(each.port)
    const host = `${text(each.host) ?? ''}${port === undefined ? '' : `:${port}`}`
    const path = textAt(each, 'path')?.replace(/^\/?/, '/') ?? ''
    return `${textAt(each, 'protocol') === undefined ? '' : `${textAt(each, 'protocol')}://`}${host}${path}`
  })
  return uniq([text(field('url')), ...(Array.isArray(endpoints) ? texts(endpoints) : []), ...taken]).filter(Boolean)
}

function idsOf(field: Field): readonly string[] | undefined {
  const ids = uniq([
    ...texts(field('cve')),
    ...texts(field('vulnerabilityIds', 'vulnerabilityId')).flatMap((id) => id.split(/[\s,]+/)),
  ])
  return ids.length > 0 ? ids : vulnerabilityIdsIn(field('title'))
}

const decided = ['FALSE_POSITIVE', 'RISK_ACCEPTED', 'FIX_ACCEPTED', 'SUPPRESSED'] as const

function decisionOf(field: Field): Observation['decision'] {
  const reason = text(field('decisionReason', 'statusReason', 'reason')) ?? 'Decided in the report.'
  const stated = text(field('status'))?.toUpperCase()
  const status = decided.find((each) => each === stated)
  if (status !== undefined) return { status, reason, until: moment(field('riskAcceptedUntil')) }
  if (isTrue(field('falseP', 'falsePositive'))) return { status: 'FALSE_POSITIVE', reason }
  if (isTrue(field('riskAccepted'))) return { status: 'RISK_ACCEPTED', reason }
  if (isTrue(field('isMitigated'))) return { status: 'FIX_ACCEPTED', reason }
  return isTrue(field('suppressed', 'outOfScope')) ? { status: 'SUPPRESSED', reason } : undefined
}
