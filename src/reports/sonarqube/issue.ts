// Converts an issue or hotspot of SonarQube into a row, whatever form it was exported in.

import type { FindingType, Observation, Row, Severity } from '../types.ts'
import {
  at,
  between,
  cwesIn,
  type Fields,
  headline,
  links,
  objects,
  paragraphs,
  some,
  text,
  textAt,
  texts,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'

export type Rule = {
  name?: string
  description?: string
  solution?: string
  cweIds?: readonly number[]
  reference?: string
}

/** What the report says of rules, and of the paths of its components. */
export type Known = { rules: ReadonlyMap<string, Rule>; paths: ReadonlyMap<string, string> }

/** A rule's page has its weaknesses, its links and a section on what to do. */
export function ruleOfHtml(name: string | undefined, html: string | undefined, words: string | undefined): Rule {
  const hrefs = [...(html ?? '').matchAll(/href="(https?:\/\/[^"\s]{1,500})"/g)].map(([, href]) => href)
  return {
    name,
    description: words,
    solution: remedyIn(words),
    cweIds: cwesIn(words),
    reference: links(...hrefs.slice(0, 20)),
  }
}

/** From its heading to that of the next section; headings are lines of their own. */
function remedyIn(words: string | undefined): string | undefined {
  const start = /^Recommended Secure Coding Practices\s*$/m.exec(words ?? '')
  if (words === undefined || start === null) return undefined
  const rest = words.slice(start.index + start[0].length)
  const end = rest.search(
    /^(?:Sensitive Code Example|Noncompliant Code Example|Compliant Solution|Exceptions|See)\s*$/m,
  )
  return text(end < 0 ? rest : rest.slice(0, end))
}

/** The words of issues before SonarQube 10, those of impacts, and those of hotspots. */
export const severities: ReadonlyMap<string, Severity> = new Map([
  ['BLOCKER', 'CRITICAL'],
  ['CRITICAL', 'HIGH'],
  ['HIGH', 'HIGH'],
  ['MAJOR', 'MEDIUM'],
  ['MEDIUM', 'MEDIUM'],
  ['MINOR', 'LOW'],
  ['LOW', 'LOW'],
  ['INFO', 'NOTIFICATION'],
])

/** Resolutions of issues and of hotspots, and statuses since SonarQube 10.4. */
const decisions: ReadonlyMap<string, NonNullable<Observation['decision']>['status']> = new Map([
  ['FALSE-POSITIVE', 'FALSE_POSITIVE'],
  ['FALSE_POSITIVE', 'FALSE_POSITIVE'],
  ['SAFE', 'FALSE_POSITIVE'],
  ['WONTFIX', 'RISK_ACCEPTED'],
  ['ACCEPTED', 'RISK_ACCEPTED'],
  ['ACKNOWLEDGED', 'RISK_ACCEPTED'],
])

export function* issueRow(issue: Fields, place: string, known: Known, isHotspot: boolean): Iterable<Row> {
  const ruleId = text(issue.rule, 200) ?? text(issue.ruleKey, 200) ?? textAt(issue, 'rule', 'key')
  const message = text(issue.message)
  if (ruleId === undefined && message === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It has neither a rule nor a message' }
    return
  }
  const end = text(issue.resolution) ?? text(issue.issueStatus) ?? text(issue.status) ?? ''
  // What is fixed is no finding any more.
  if (/^(?:FIXED|REMOVED|CLOSED)$/.test(end) || issue.status === 'CLOSED') return
  const type = text(issue.type)
  const [impact] = objects(issue.impacts).filter(({ softwareQuality }) => softwareQuality === 'SECURITY')
  if ((type === 'CODE_SMELL' || type === 'BUG') && impact === undefined && !isHotspot) {
    const what = type === 'BUG' ? 'a bug' : 'a code smell'
    yield { kind: 'PASSED_OVER', at: place, reason: `It is ${what}, which SonarQube does not class as security` }
    return
  }
  const severity = text(impact?.severity) ?? text(issue.severity) ?? text(issue.vulnerabilityProbability)
  const status = decisions.get(end)
  const rule = known.rules.get(ruleId ?? '')
  const found = {
    toolName: 'SonarQube',
    ruleId,
    title: headline(rule?.name ?? text(issue.description) ?? message, ruleId ?? 'Finding of SonarQube'),
    description: paragraphs(message, rule?.description ?? text(issue.description)),
    severity: severities.get(severity?.toUpperCase() ?? ''),
    cweIds: cwesIn(message, texts(issue.tags), rule?.cweIds),
    vulnerabilityIds: vulnerabilityIdsIn(message),
    reference: rule?.reference,
    solution: rule?.solution,
    tags: some([...texts(issue.tags).slice(0, 30), ...texts(issue.securityCategory)]),
    originalIssueIdFromTool: text(issue.key, 200),
    decision: status === undefined ? undefined : { status, reason: `Marked ${end.toLowerCase()} in SonarQube` },
  } as const
  yield { kind: 'OBSERVATION', at: place, observation: placed(found, issue, known) }
}

type Found = Omit<Observation & { kind: 'CODE' }, 'kind' | 'type'>

function placed(found: Found, issue: Fields, known: Known): Observation {
  const component = text(issue.component, 2000)
  const fileName = text((component && known.paths.get(component)) ?? pathIn(component, text(issue.project)))
  if (found.ruleId?.startsWith('OWASP:UsingComponent')) return dependency(found, fileName)
  const line = whole(issue.line) ?? whole(at(issue, 'textRange', 'startLine'))
  const offset = whole(at(issue, 'textRange', 'startOffset'), 0)
  return {
    ...found,
    kind: 'CODE',
    type: typeOf(found.ruleId),
    fileName,
    line,
    column: offset === undefined ? undefined : offset + 1,
  }
}

/** `project:module:src/a.ts` is `src/a.ts`; a project alone is no file. */
function pathIn(component: string | undefined, project: string | undefined): string | undefined {
  if (component === undefined || component === project) return undefined
  return component.slice(component.lastIndexOf(':') + 1)
}

/** SonarQube's plugin for Dependency-Check writes all that it knows into the message, with `|` between. */
function dependency(found: Found, fileName: string | undefined): Observation {
  const parts = new Map(
    (found.description ?? '')
      .split(/[|\n]/)
      .map((part) => part.trim())
      .map((part): [string, string] => [part.split(':', 1)[0]?.trim() ?? '', part]),
  )
  const file = /^Filename:\s*(.{1,300})$/.exec(parts.get('Filename') ?? '')?.[1]?.trim()
  const named = /^(.{1,250}?)[:@-](\d[\w.+-]{0,100}?)(?:\.(?:jar|war|dll|tgz|gem|whl))?$/.exec(file ?? '')
  const score = /[\d.]+/.exec(
    (parts.get('CVSS Score') ?? parts.get('Highest CVSS Score') ?? '').replace(/^[^:]*:/, ''),
  )?.[0]
  const name = named?.[1] ?? file ?? fileName ?? 'unknown'
  const id = found.vulnerabilityIds?.[0]
  return {
    ...found,
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    title: `${id ?? 'Known vulnerability'} in ${name.slice(0, 150)}`,
    package: name,
    affectedVersion: named?.[2],
    cvssScore: between(score, 0, 10),
    fileName,
  }
}

function typeOf(ruleId: string | undefined): FindingType {
  if (ruleId?.startsWith('secrets:')) return 'SECRET_FINDING'
  const isIac = /^(?:terraform|cloudformation|kubernetes|docker|azureresourcemanager|ansible):/.test(ruleId ?? '')
  return isIac ? 'IAC_FINDING' : 'SAST_FINDING'
}
