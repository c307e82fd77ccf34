// Reads OWASP Dependency-Check, XML and JSON: vulnerabilities of the files that a project depends on.

import { firstCharacter } from '../detect.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { readPurl } from '../purl.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  object,
  objects,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  vulnerabilityIdsIn,
} from '../values.ts'
import { fieldsOf } from '../xml-fields.ts'
import { readXml } from '../xml-walk.ts'

export const dependencyCheck: ReportReader = {
  format: 'dependency-check',
  label: 'OWASP Dependency-Check XML or JSON',
  recognises: ({ text: head }) =>
    /<analysis\s[^>]{0,2000}dependency-check/.test(head) ||
    (/"reportSchema"\s*:/.test(head) && /"(dependencies|scanInfo)"\s*:/.test(head)),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  if ((await firstCharacter(source)) === '<') yield* readXmlReport(source)
  else yield* jsonRows(source, ['dependencies[]'], ({ value, at: place }: Given) => ofJson(value, place))
}

async function* readXmlReport(source: ReportSource): AsyncGenerator<Row> {
  let count = 0
  for await (const item of readXml(source.open(), ['analysis/dependencies/dependency'])) {
    const place = `dependency ${++count}`
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: place, reason: item.reason }
    else yield* ofXml(fieldsOf(item.element), place)
  }
}

/** The dependency in one form for both: in XML, an element that occurs once is not in an array. */
type Dependency = { fileName?: string; filePath?: string; ids: readonly string[] }

const all = (value: unknown): readonly Fields[] => (Array.isArray(value) ? objects(value) : objects([value]))

function* ofXml(dependency: Fields, place: string): Iterable<Row> {
  const identifiers = object(dependency.identifiers)
  const ids = [...all(identifiers.package), ...all(identifiers.identifier)].flatMap(({ id, name }) => texts(id ?? name))
  const known = { fileName: text(dependency.fileName), filePath: text(dependency.filePath), ids }
  const found = object(dependency.vulnerabilities)
  yield* rowsOf(known, all(found.vulnerability), undefined, place)
  yield* rowsOf(
    known,
    all(found.suppressedVulnerability),
    'A suppression of the scanner covers it.',
    `${place}, suppressed`,
  )
}

function* ofJson(value: unknown, place: string): Iterable<Row> {
  const ids = objects(at(value, 'packages')).flatMap(({ id }) => texts(id))
  const known = { fileName: textAt(value, 'fileName'), filePath: textAt(value, 'filePath'), ids }
  yield* rowsOf(known, objects(at(value, 'vulnerabilities')), undefined, `${place}.vulnerabilities`)
  const suppressed = objects(at(value, 'suppressedVulnerabilities'))
  yield* rowsOf(known, suppressed, 'A suppression of the scanner covers it.', `${place}.suppressedVulnerabilities`)
}

function* rowsOf(
  dependency: Dependency,
  found: readonly Fields[],
  suppressed: string | undefined,
  place: string,
): Iterable<Row> {
  for (const [index, vulnerability] of found.entries()) {
    const at = `${place}[${index}]`
    const id = text(vulnerability.name)
    const name = dependency.fileName ?? dependency.filePath
    if (id === undefined || name === undefined)
      yield { kind: 'LEFT_OUT', at, reason: 'It names no vulnerability, or no file' }
    else yield { kind: 'OBSERVATION', at, observation: observed(id, name, dependency, vulnerability, suppressed) }
  }
}

function observed(
  id: string,
  fileName: string,
  dependency: Dependency,
  vulnerability: Fields,
  suppressed: string | undefined,
): ComponentObservation {
  const purl = dependency.ids.find((each) => readPurl(each) !== null)
  const named = readPurl(purl)
  const score = scoreOf(vulnerability)
  const name = named?.name ?? fileName
  return {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: 'Dependency-Check',
    ruleId: id,
    title: headline(`${id} in ${name}${named?.version === undefined ? '' : ` ${named.version}`}`, id),
    description: paragraphs(text(vulnerability.description)),
    severity: severityOf(vulnerability.severity) ?? wordOf(vulnerability),
    cvssScore: score,
    cvssVector: vectorOf(vulnerability),
    cweIds: cwesIn(isObject(vulnerability.cwes) ? vulnerability.cwes.cwe : vulnerability.cwes, vulnerability.cwe),
    vulnerabilityIds: vulnerabilityIdsIn(id) ?? [id],
    reference: links(...referencesOf(vulnerability.references)),
    package: name,
    affectedVersion: named?.version,
    packageManager: named?.type,
    purl,
    fileName: dependency.filePath ?? fileName,
    decision:
      suppressed === undefined ? undefined : { status: 'SUPPRESSED', reason: text(vulnerability.notes) ?? suppressed },
  }
}

/** The score of the newest CVSS version that is given; 6.5 and later write `baseScore`, earlier versions `score`. */
function scoreOf(vulnerability: Fields): number | undefined {
  const ratings = [
    vulnerability.cvssV4 ?? vulnerability.cvssv4,
    vulnerability.cvssV3 ?? vulnerability.cvssv3,
    vulnerability.cvssV2 ?? vulnerability.cvssv2,
  ]
  return ratings
    .map((rating) => between(at(rating, 'baseScore') ?? at(rating, 'score'), 0.1, 10))
    .find((score) => score !== undefined)
}

/** For RetireJS and others, what is missing in the vulnerability itself is in its ratings. */
const wordOf = (vulnerability: Fields) =>
  severityOf(at(vulnerability.cvssV3 ?? vulnerability.cvssv3, 'baseSeverity')) ??
  severityOf(at(vulnerability.cvssV2 ?? vulnerability.cvssv2, 'severity'))

/** The metrics of CVSS 3 in vector order. The report has them as separate words, whose initials are the values. */
const metrics = {
  AV: 'attackVector',
  AC: 'attackComplexity',
  PR: 'privilegesRequired',
  UI: 'userInteraction',
  S: 'scope',
  C: 'confidentialityImpact',
  I: 'integrityImpact',
  A: 'availabilityImpact',
} as const

function vectorOf(vulnerability: Fields): string | undefined {
  const four = object(vulnerability.cvssV4 ?? vulnerability.cvssv4)
  const vector = text(four.vector) ?? text(four.vectorString)
  const three = object(vulnerability.cvssV3 ?? vulnerability.cvssv3)
  const parts = Object.entries(metrics).map(([metric, field]) => `${metric}:${text(three[field])?.[0] ?? ''}`)
  const version = text(three.version) === '3.0' ? '3.0' : '3.1'
  return (
    cvssVectorOf(vector) ??
    cvssVectorOf(`CVSS:4.0/${vector ?? ''}`) ??
    cvssVectorOf(`CVSS:${version}/${parts.join('/')}`)
  )
}

const referencesOf = (value: unknown): readonly (string | undefined)[] =>
  all(isObject(value) ? value.reference : value).map(({ url }) => text(url))
