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
  if (!isObject(value)) return { kind: 'LEFT_OUT', at: place, reason: 'It is no object' }
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
  `Its severity is ${severity}, which is no word: CRITICAL, HIGH, MEDIUM, LOW or NOTIFICATION`

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

function observed(field: Field, title: string, tool: string): Observation {
  const name = text(field('package', 'componentName'))
  const urls = urlsOf(field)
  const fileName = text(field('fileName', 'filePath', 'file'))
  const type = types[(text(field('type', 'scanType')) ?? '').toUpperCase().replace(/_FINDING$/, '')]
  const common = {
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
    tags: some(
      uniq(
        texts(field('tags', 'patterns'))
          .flatMap((tag) => tag.split(','))
          .map((tag) => tag.trim()),
      ).filter(Boolean),
    ),
    originalIssueIdFromTool: text(field('originalIssueIdFromTool', 'uniqueIdFromTool')),
    fingerprint: text(field('fingerprint')),
    decision: decisionOf(field),
  }
  const version = text(field('affectedVersion', 'componentVersion'))
  if (name !== undefined && (type === undefined || type === 'SCA_FINDING' || type === 'CONTAINER_FINDING')) {
    const component = {
      package: name,
      affectedVersion: version,
      patchedVersion: text(field('patchedVersion', 'fixVersion')),
    }
    const more = {
      packageManager: text(field('packageManager')),
      purl: text(field('purl')),
      image: text(field('image')),
    }
    return { kind: 'COMPONENT', type: type ?? 'SCA_FINDING', ...common, ...component, ...more, fileName }
  }
  const isExchange = type === 'DAST_FINDING' || (type === undefined && fileName === undefined && urls.length > 0)
  if (isExchange) {
    const exchange = { method: text(field('method')), parameters: text(field('parameters', 'param')) }
    const messages = {
      request: withoutCredentials(text(field('request'))),
      response: withoutCredentials(text(field('response'))),
    }
    return {
      kind: 'EXCHANGE',
      type: type ?? 'DAST_FINDING',
      ...common,
      url: withoutCredentials(urls[0]),
      port: whole(field('port')),
      ...exchange,
      ...messages,
    }
  }
  const snippet = code(field('codeSnippet', 'snippet'))
  const isSecret = type === 'SECRET_FINDING' || isSecretWeakness(common.cweIds)
  return {
    kind: 'CODE',
    type: type ?? 'SAST_FINDING',
    ...common,
    fileName,
    line: whole(field('line', 'vulnerableLine', 'lineNumber')),
    column: whole(field('column')),
    codeSnippet: isSecret && snippet !== undefined ? maskedCode(snippet) : snippet,
    firstLine: whole(field('firstLine')),
    source: text(field('source', 'sastSourceObject')),
    sink: text(field('sink', 'sastSinkObject')),
    commitRef: text(field('commitRef')),
  }
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
  const reason = text(field('decisionReason', 'statusReason', 'reason')) ?? 'The report says so.'
  const stated = text(field('status'))?.toUpperCase()
  const status = decided.find((each) => each === stated)
  if (status !== undefined) return { status, reason, until: moment(field('riskAcceptedUntil')) }
  if (isTrue(field('falseP', 'falsePositive'))) return { status: 'FALSE_POSITIVE', reason }
  if (isTrue(field('riskAccepted'))) return { status: 'RISK_ACCEPTED', reason }
  if (isTrue(field('isMitigated'))) return { status: 'FIX_ACCEPTED', reason }
  return isTrue(field('suppressed', 'outOfScope')) ? { status: 'SUPPRESSED', reason } : undefined
}
