// Interprets each kind of finding in Trivy's JSON.

import type { Given } from '../json-rows.ts'
import type { CodeObservation, ComponentObservation, Row } from '../types.ts'
import {
  at,
  between,
  code,
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
  textAt,
  texts,
  uniq,
  whole,
} from '../values.ts'

/** What a result, and the report around it, say of the place of its findings. */
export type Target = {
  target?: string
  class?: string
  type?: string
  artifact?: string
  artifactType?: string
  cluster?: string
}

export function vulnerabilityRow({ value, at: place }: Given, target: Target): Row {
  const [id, name] = [textAt(value, 'VulnerabilityID'), textAt(value, 'PkgName')]
  if (!isObject(value) || id === undefined || name === undefined) {
    return { kind: 'LEFT_OUT', at: place, reason: 'It names no vulnerability, or no package' }
  }
  const version = text(value.InstalledVersion)
  const fixed = text(value.FixedVersion)
  const where = version === undefined ? name : `${name} ${version}`
  const isInImage = isImage(target)
  const rated = ratedBy(value)
  const others = otherScores(value, rated.source)
  const observation: ComponentObservation = {
    kind: 'COMPONENT',
    type: isInImage ? 'CONTAINER_FINDING' : 'SCA_FINDING',
    toolName: 'Trivy',
    ruleId: id,
    title: headline(text(value.Title) ?? `${id} in ${where}`, id),
    description: paragraphs(text(value.Description), others),
    severity: severityOf(value.Severity),
    cvssScore: rated.score,
    cvssVector: rated.vector,
    cweIds: cwesIn(value.CweIDs),
    vulnerabilityIds: uniq([id, ...texts(value.VendorIDs)]),
    reference: links(text(value.PrimaryURL), ...texts(value.References)),
    solution: fixed === undefined ? undefined : `Update ${name} to ${fixed}.`,
    package: name,
    affectedVersion: version,
    patchedVersion: fixed,
    packageManager: target.type,
    purl: textAt(value.PkgIdentifier, 'PURL'),
    fileName: text(value.PkgPath) ?? target.target,
    image: imageOf(target),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/** What passed, or is excepted by a rule of the scanner, is no finding. */
export function misconfigurationRow({ value, at: place }: Given, target: Target): Row | null {
  const status = textAt(value, 'Status')
  if (status === 'PASS' || status === 'EXCEPTION') return null
  const [id, title] = [textAt(value, 'AVDID') ?? textAt(value, 'ID'), textAt(value, 'Title')]
  if (!isObject(value) || id === undefined || title === undefined) {
    return { kind: 'LEFT_OUT', at: place, reason: 'It names no rule, or has no title' }
  }
  const cause = value.CauseMetadata
  const observation: CodeObservation = {
    kind: 'CODE',
    type: 'IAC_FINDING',
    toolName: 'Trivy',
    ruleId: id,
    title: headline(title, id),
    description: paragraphs(text(value.Message), text(value.Description), textAt(cause, 'Resource')),
    severity: severityOf(value.Severity),
    reference: links(text(value.PrimaryURL), ...texts(value.References)),
    solution: text(value.Resolution),
    fileName: target.target,
    image: imageOf(target),
    ...codeOf(at(cause, 'Code'), at(cause, 'StartLine')),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

export function secretRow({ value, at: place }: Given, target: Target): Row {
  const id = textAt(value, 'RuleID')
  if (!isObject(value) || id === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It names no rule' }
  const observation: CodeObservation = {
    kind: 'CODE',
    type: 'SECRET_FINDING',
    toolName: 'Trivy',
    ruleId: id,
    title: headline(text(value.Title), id),
    description: paragraphs(`A secret (${text(value.Category) ?? id}) is in the file in plain text.`),
    severity: severityOf(value.Severity),
    cweIds: [798],
    fileName: target.target,
    image: imageOf(target),
    // Trivy masks the secret itself before it writes the report.
    ...codeOf(value.Code, value.StartLine, value.Match),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/** What the user, or a VEX document, has set aside: `--show-suppressed` writes it, with who said so. */
export function modifiedRow({ value, ...given }: Given, target: Target): Row | null {
  const finding = { ...given, value: at(value, 'Finding') }
  const type = textAt(value, 'Type')
  const row =
    type === 'vulnerability'
      ? vulnerabilityRow(finding, target)
      : type === 'secret'
        ? secretRow(finding, target)
        : type === 'misconfiguration'
          ? misconfigurationRow(finding, target)
          : null
  if (row?.kind !== 'OBSERVATION') return row
  const said = [textAt(value, 'Statement'), textAt(value, 'Source')].filter(Boolean).join(', by ')
  const status = statuses.get(textAt(value, 'Status') ?? '') ?? 'SUPPRESSED'
  return { ...row, observation: { ...row.observation, decision: { status, reason: said || 'no reason given' } } }
}

const statuses: ReadonlyMap<string, 'FALSE_POSITIVE' | 'FIX_ACCEPTED'> = new Map([
  ['not_affected', 'FALSE_POSITIVE'],
  ['fixed', 'FIX_ACCEPTED'],
])

const operatingSystems =
  /^(alma|alpine|amazon|azurelinux|bottlerocket|cbl-mariner|chainguard|debian|fedora|opensuse|oracle|photon|redhat|centos|rocky|suse|sles|ubuntu|wolfi)/

const isImage = ({ artifactType, cluster, class: kind, type }: Target): boolean =>
  artifactType === 'container_image' ||
  cluster !== undefined ||
  (artifactType === undefined && (kind === 'os-pkgs' || operatingSystems.test(type ?? '')))

const imageOf = (target: Target): string | undefined =>
  isImage(target) ? (target.artifact ?? target.target) : undefined

/** The score of the source whose severity Trivy took; of the best known one when it took none. */
function ratedBy(value: Fields) {
  const source = text(value.SeveritySource)
  const names = source !== undefined && text(value.Severity) !== 'UNKNOWN' ? [source] : ['nvd', 'ghsa', 'redhat']
  const name = names.find((each) => isObject(at(value.CVSS, each)))
  const rating = name === undefined ? undefined : at(value.CVSS, name)
  return { source: name, score: scoreIn(rating), vector: vectorIn(rating) }
}

const scoreIn = (rating: unknown): number | undefined =>
  between(at(rating, 'V40Score'), 0.1, 10) ??
  between(at(rating, 'V3Score'), 0.1, 10) ??
  between(at(rating, 'V2Score'), 0.1, 10)

const vectorIn = (rating: unknown): string | undefined =>
  cvssVectorOf(at(rating, 'V40Vector')) ?? cvssVectorOf(at(rating, 'V3Vector'))

/** Another database may rate it otherwise; that is told, and does not change the severity. */
function otherScores(value: Fields, taken: string | undefined): string | undefined {
  const ratings = isObject(value.CVSS) ? Object.entries(value.CVSS) : []
  const told = ratings.flatMap(([name, rating]) => {
    const score = scoreIn(rating)
    return name === taken || score === undefined ? [] : [`${name} ${score}`]
  })
  return told.length === 0 ? undefined : `CVSS by other sources: ${told.slice(0, 20).join(', ')}`
}

/** The lines of the cause; the first of those that Trivy marks is the line, else where it says that the cause starts. */
function codeOf(
  value: unknown,
  startLine: unknown,
  match?: unknown,
): Pick<CodeObservation, 'line' | 'firstLine' | 'codeSnippet'> {
  const lines = objects(at(value, 'Lines')).filter(({ Content }) => typeof Content === 'string')
  const marked = lines.find(({ FirstCause }) => FirstCause === true)
  return {
    line: whole(marked?.Number) ?? whole(startLine),
    firstLine: whole(lines[0]?.Number) ?? (lines.length === 0 && match !== undefined ? whole(startLine) : undefined),
    codeSnippet: code(lines.map(({ Content }) => Content).join('\n')) ?? code(match),
  }
}
