// Converts a vulnerability or misconfiguration reported by Snyk into an observation.

import type { CodeObservation, ComponentObservation } from '../types.ts'
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
  texts,
  uniq,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'
import { adviceOf } from './advice.ts'
import { type Introduced, nameOf, type Project } from './projects.ts'

/** Null when it names no package. `isIgnored`: it stands among those that the project's policy filters out. */
export function vulnerability(
  value: Fields,
  project: Project,
  introduced: Introduced | undefined,
  isIgnored: boolean,
): ComponentObservation | null {
  const name = nameOf(value)
  if (name === undefined) return null
  const id = text(value.id, 200)
  const identifiers = object(value.identifiers)
  const [description, remedy] = parted(text(value.description))
  const fixed = texts(value.fixedIn)
  return {
    kind: 'COMPONENT',
    type: project.isContainer ? 'CONTAINER_FINDING' : 'SCA_FINDING',
    toolName: project.isContainer ? 'Snyk Container' : 'Snyk Open Source',
    ruleId: id,
    title: `${headline(text(value.title), id ?? 'Vulnerability', 150)} in ${name.slice(0, 100)}`,
    description: paragraphs(waysOf(introduced), description),
    severity: severityOf(value.severityWithCritical) ?? severityOf(value.severity),
    cvssScore: between(value.cvssScore, 0, 10),
    cvssVector: cvssVectorOf(value.CVSSv3) ?? cvssVectorOf(at(value, 'cvssSources', 0, 'vector')),
    cweIds: cwesIn(identifiers.CWE),
    vulnerabilityIds: some(
      uniq([...(vulnerabilityIdsIn(identifiers.CVE, identifiers.GHSA, id, texts(value.alternativeIds)) ?? [])]),
    ),
    exploitProbability: between(textAt(value, 'epssDetails', 'probability'), 0, 1),
    reference: links(adviceOf(id), ...objects(value.references).map((each) => text(each.url))),
    solution: paragraphs(upgradeOf(value), remedy),
    package: name,
    affectedVersion: text(value.version, 200),
    patchedVersion: fixed.join(', ').slice(0, 300) || text(value.nearestFixedInVersion, 300),
    packageManager: text(value.packageManager, 100) ?? project.manager,
    fileName: text(project.file),
    image: project.image,
    decision: isIgnored ? ignoredBy(value) : undefined,
  }
}

function waysOf(introduced: Introduced | undefined): string | undefined {
  if (introduced === undefined || introduced.ways.length === 0) return undefined
  const more = introduced.count - introduced.ways.length
  return ['Introduced through:', ...introduced.ways, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** The description, and its section on what to do. Sections on references are told by `reference`. */
function parted(markdown: string | undefined): [string | undefined, string | undefined] {
  if (markdown === undefined) return [undefined, undefined]
  const sections = markdown.split(/^(?=## )/m)
  const isOf = (section: string, words: RegExp) => words.test(section.split('\n', 1)[0] ?? '')
  const remedy = sections.find((section) => isOf(section, /^## (?:remediation|how to fix)/i))
  const rest = sections.filter((section) => section !== remedy && !isOf(section, /^## references/i))
  return [text(rest.join('')), text(remedy?.replace(/^.*\n/, ''))]
}

/** What to upgrade directly, so that the component is replaced: the first step of the path that changes. */
function upgradeOf(value: Fields): string | undefined {
  const path = Array.isArray(value.upgradePath) ? value.upgradePath : []
  const step = path.map((each) => text(each, 300)).find((each) => each !== undefined)
  return value.isUpgradable === true && step !== undefined ? `Upgrade to ${step}.` : undefined
}

function ignoredBy(value: Fields): ComponentObservation['decision'] {
  const [rule] = [...objects(at(value, 'filtered', 'ignored')), ...objects(value.ignored)]
  const reason = textAt(rule, 'reason')?.slice(0, 2000) ?? "Ignored by the project's Snyk policy"
  const type = textAt(rule, 'reasonType')
  if (type === 'not-vulnerable') return { status: 'FALSE_POSITIVE', reason }
  return { status: type === 'wont-fix' ? 'RISK_ACCEPTED' : 'SUPPRESSED', reason }
}

export function misconfiguration(value: Fields, project: Project): CodeObservation {
  const ruleId = text(value.publicId, 200) ?? text(value.id, 200)
  const resource = texts(value.path).join('.').slice(0, 500)
  const words = object(value.iacDescription)
  return {
    kind: 'CODE',
    type: 'IAC_FINDING',
    toolName: 'Snyk IaC',
    ruleId,
    title: headline(text(value.title), ruleId ?? 'Misconfiguration'),
    description: paragraphs(
      text(value.issue) ?? text(words.issue),
      text(value.impact) ?? text(words.impact),
      resource === '' ? undefined : `At ${resource}`,
    ),
    severity: severityOf(value.severity),
    cweIds: cwesIn(at(value, 'identifiers', 'CWE')),
    reference: links(text(value.documentation), ...texts(value.references)),
    solution: text(value.resolve) ?? text(words.resolve),
    fileName: text(project.file),
    line: whole(value.lineNumber),
    decision: value.isIgnored === true ? { status: 'SUPPRESSED', reason: 'Ignored in Snyk' } : undefined,
  }
}
