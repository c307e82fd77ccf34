// Turns an issue of ScannerB into an observation: of a component, of code, or of a configuration.

import { adviceOf } from '../../reports/snyk/advice.ts'
import type { CodeObservation, ComponentObservation, Row, ScannedObservation } from '../../reports/types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  links,
  object,
  objects,
  paragraphs,
  severityOf,
  some,
  text,
  textAt,
  uniq,
  vulnerabilityIdsIn,
  whole,
} from '../../reports/values.ts'
import type { ProjectFacts } from './schemas.ts'

export type Ignored = NonNullable<ScannedObservation['decision']>
type Around = {
  projectId: string
  project: ProjectFacts
  ignored: (vulnerability: string | undefined) => Ignored
}

/** Licences are passed over, and so are types that the vendor adds. */
export function issueRow(value: unknown, place: string, around: Around): Row {
  const attributes = object(at(value, 'attributes'))
  const key = text(attributes.key, 2048)
  if (key === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It has no key' }
  const type = text(attributes.type)
  if (type === 'license')
    return { kind: 'PASSED_OVER', at: place, reason: 'It is about a license, not a vulnerability' }
  const common = commonOf(attributes, key, around)
  const observation =
    type === 'package_vulnerability'
      ? component(attributes, common, around)
      : type === 'code'
        ? inCode(attributes, common, around)
        : type === 'config' || type === 'cloud'
          ? configuration(attributes, common, around)
          : null
  if (observation === null) {
    return { kind: 'PASSED_OVER', at: place, reason: `${type ?? 'It'} is not an issue type that is imported` }
  }
  if (typeof observation === 'string') return { kind: 'LEFT_OUT', at: place, reason: observation }
  return { kind: 'OBSERVATION', at: place, observation }
}

type Common = ReturnType<typeof commonOf>

function commonOf(attributes: Fields, key: string, { projectId, ignored }: Around) {
  const problems = objects(attributes.problems)
  const own = problems.map(({ id }) => text(id, 1024)).find((id) => id !== undefined && isVulnerability(id))
  const score = objects(attributes.severities).find(({ score }) => between(score, 0, 10) !== undefined)
  const isFixed = text(attributes.status) === 'resolved'
  return {
    ruleId: own,
    title: text(attributes.title),
    description: text(attributes.description),
    severity: severityOf(attributes.effective_severity_level),
    cvssScore: between(score?.score, 0, 10),
    cvssVector: cvssVectorOf(score?.vector),
    cweIds: cwesIn(objects(attributes.classes).flatMap(({ id, source }) => (source === 'CWE' ? [id] : []))),
    vulnerabilityIds: some(uniq([...(vulnerabilityIdsIn(problems.map(({ id }) => id)) ?? [])])),
    reference: links(...problems.map(({ url }) => text(url, 4096))),
    originalIssueIdFromTool: `${projectId}:${key}`,
    decision: isFixed ? fixed(attributes) : attributes.ignored === true ? ignored(own) : undefined,
  }
}

/** Whether an id is the vendor's own of a vulnerability, by which it is ignored. */
export const isVulnerability = (id: string): boolean => /^(?:SNYK-|snyk:|npm:)/i.test(id)

const fixed = (attributes: Fields): Ignored => {
  const on = textAt(attributes, 'resolution', 'resolved_at')?.slice(0, 10)
  return { status: 'FIX_ACCEPTED', reason: `Resolved in Snyk${on === undefined ? '' : ` on ${on}`}` }
}

const representationsOf = (attributes: Fields): readonly Fields[] =>
  objects(attributes.coordinates).flatMap(({ representations }) => objects(representations))

const isImage = (type: string | null | undefined) => /^(?:deb|rpm|apk|linux|dockerfile)$/i.test(type ?? '')

function component(attributes: Fields, common: Common, { project }: Around): ComponentObservation | string {
  const dependencies = representationsOf(attributes).map(({ dependency }) => object(dependency))
  const named = dependencies.find(({ package_name }) => text(package_name) !== undefined)
  const name = text(named?.package_name, 300)
  if (name === undefined) return 'It names no package'
  const others = uniq(dependencies.slice(1).map((each) => packageOf(each))).filter((each) => each !== packageOf(named))
  const type = isImage(project.type)
  return {
    ...common,
    kind: 'COMPONENT',
    type: type ? 'CONTAINER_FINDING' : 'SCA_FINDING',
    toolName: type ? 'Snyk Container' : 'Snyk Open Source',
    title: `${headline(common.title, common.ruleId ?? 'Vulnerability', 150)} in ${name.slice(0, 100)}`,
    description: paragraphs(
      common.description,
      others.length > 0 ? `It is in ${others.slice(0, 20).join(', ')} as well.` : undefined,
    ),
    reference: links(adviceOf(common.ruleId), ...(common.reference?.split('\n') ?? [])),
    solution: solutionOf(attributes),
    package: name,
    affectedVersion: text(named?.package_version, 200),
    packageManager: type ? undefined : text(project.type, 100),
    fileName: text(project.target_file, 500),
    image: type ? text(project.name, 500) : undefined,
  }
}

const packageOf = (dependency: Fields | undefined): string | undefined => {
  const name = text(dependency?.package_name, 300)
  return name === undefined ? undefined : `${name} ${text(dependency?.package_version, 200) ?? ''}`.trim()
}

const solutionOf = (attributes: Fields): string | undefined => {
  const remedies = objects(attributes.coordinates).flatMap(({ remedies }) => objects(remedies))
  return paragraphs(...uniq(remedies.map(({ description }) => text(description, 4096))))
}

function inCode(attributes: Fields, common: Common, { project }: Around): CodeObservation {
  const [first, ...others] = representationsOf(attributes).flatMap((each) => placeOf(each) ?? [])
  return {
    ...common,
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: 'Snyk Code',
    // without a rule of its own the title names it
    ruleId: common.ruleId ?? common.title,
    title: headline(common.title, common.ruleId ?? 'Finding'),
    fileName: first?.fileName ?? text(project.target_file, 500),
    line: first?.line,
    column: first?.column,
    commitRef: first?.commit,
    otherPlaces: some(others),
    solution: solutionOf(attributes),
  }
}

/** Lines count from 1, columns from 0. */
function placeOf(representation: Fields) {
  const location = object(representation.sourceLocation)
  const fileName = text(location.file, 2048)
  if (fileName === undefined) return null
  const column = whole(at(location, 'region', 'start', 'column'), 0)
  return {
    fileName,
    line: whole(at(location, 'region', 'start', 'line')),
    column: column === undefined ? undefined : column + 1,
    commit: text(location.commit_id, 100),
  }
}

function configuration(attributes: Fields, common: Common, { project }: Around): CodeObservation {
  const all = representationsOf(attributes)
  const place = all.map(placeOf).find((each) => each !== null)
  const resource = all
    .map((each) => text(each.resourcePath, 500) ?? textAt(each, 'cloud_resource', 'resource', 'native_id'))
    .find((each) => each !== undefined)
  return {
    ...common,
    kind: 'CODE',
    type: 'IAC_FINDING',
    toolName: 'Snyk IaC',
    ruleId: common.ruleId ?? common.title,
    title: headline(common.title, common.ruleId ?? 'Misconfiguration'),
    description: paragraphs(common.description, resource === undefined ? undefined : `At ${resource}`),
    fileName: place?.fileName ?? text(project.target_file, 500),
    line: place?.line,
    column: place?.column,
    solution: solutionOf(attributes),
  }
}
