// Interprets Veracode's flaws, and the components of its composition analysis.

import { withoutCredentials } from '../credentials.ts'
import { htmlText } from '../html-text.ts'
import type { CodeObservation, Row, Severity } from '../types.ts'
import { between, cwesIn, headline, some, text, uniq, vulnerabilityIdsIn, whole } from '../values.ts'
import type { GivenElement } from '../xml-rows.ts'
import { childOf, childrenOf, type Element } from '../xml-walk.ts'

type Attributes = Readonly<Record<string, string>>
type Decision = CodeObservation['decision']

const TOOL = 'Veracode'

/** Of 5 to 0, which Veracode calls very high to informational. */
const severities: readonly Severity[] = ['NOTIFICATION', 'LOW', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']

const severityIn = (value: string | undefined): Severity | undefined => severities[whole(value, 0) ?? 6]

export function flawRow(
  { element, ancestors, at, path }: GivenElement,
  solution: string | undefined,
  app: string,
): Row {
  const { attributes } = element
  const cwe = ancestors.findLast(({ name }) => name === 'cwe')?.attributes ?? {}
  const category = text(attributes.categoryname)
  const rule = text(attributes.cweid ?? cwe.cweid)
  if (rule === undefined && category === undefined) return { kind: 'LEFT_OUT', at, reason: 'It names no weakness' }
  if (/^fixed$/i.test(attributes.remediation_status ?? '')) return { kind: 'PASSED_OVER', at, reason: 'It is fixed' }
  const name = text(cwe.cwename) ?? category
  const issue = text(attributes.issueid)
  const common = {
    toolName: TOOL,
    ruleId: rule === undefined ? category : `CWE-${rule}`,
    title: headline(name, category ?? `CWE-${rule}`),
    description: withoutCredentials(htmlText(attributes.description)),
    severity: severityIn(attributes.severity),
    cweIds: cwesIn(rule),
    solution,
    tags: some(uniq([category, text(attributes.module, 300)])),
    originalIssueIdFromTool: issue === undefined ? undefined : [app, issue].filter(Boolean).join(':'),
    decision: decisionOf(element),
  }
  if (path.includes('dynamicflaws')) {
    const [url, parameters] = [withoutCredentials(text(attributes.url)), text(attributes.vuln_parameter)]
    return {
      kind: 'OBSERVATION',
      at,
      observation: { kind: 'EXCHANGE', type: 'DAST_FINDING', ...common, url, parameters },
    }
  }
  const sink = text(attributes.type)
  return {
    kind: 'OBSERVATION',
    at,
    observation: {
      kind: 'CODE',
      type: 'SAST_FINDING',
      ...common,
      fileName: fileOf(attributes),
      line: whole(attributes.line),
      sink,
    },
  }
}

/** The folder of a file that was compiled without its place is empty. */
function fileOf({ sourcefilepath, sourcefile }: Attributes): string | undefined {
  const [folder, file] = [text(sourcefilepath), text(sourcefile)]
  if (file === undefined || folder === undefined) return file ?? folder
  return `${folder.replace(/[\\/]$/, '')}/${file}`
}

/** A mitigation holds once it is accepted; of its actions the newest that says what it is, and who said so in their words. */
function decisionOf(flaw: Element): Decision {
  if (flaw.attributes.mitigation_status?.toLowerCase() !== 'accepted') return undefined
  const actions = childrenOf(childOf(flaw, 'mitigations'), 'mitigation').map(({ attributes }) => attributes)
  const proposed = actions.findLast(({ action }) => !/accept|reject|comment|no action/i.test(action ?? ''))
  const said = [proposed, actions.at(-1)]
    .map((each) => text(each?.description, 2000))
    .find((each) => each !== undefined)
  return mitigated(proposed?.action, said)
}

function mitigated(kind: string | undefined, said: string | undefined): Decision {
  const isFalse = /false positive/i.test(kind ?? '')
  const reason = [text(kind, 200), said].filter(Boolean).join(': ') || 'Its mitigation is accepted in Veracode.'
  return { status: isFalse ? 'FALSE_POSITIVE' : 'RISK_ACCEPTED', reason }
}

export function* componentRows({ element, at }: GivenElement): Iterable<Row> {
  const { attributes } = element
  const name = text(attributes.library) ?? text(attributes.file_name)
  const vulnerabilities = childrenOf(childOf(element, 'vulnerabilities'), 'vulnerability')
  for (const [index, each] of vulnerabilities.entries()) {
    const place = `${at}, vulnerability ${index + 1}`
    const id = text(each.attributes.cve_id)
    if (name === undefined || id === undefined)
      yield { kind: 'LEFT_OUT', at: place, reason: 'It names no component, or no vulnerability' }
    else yield vulnerabilityRow(each.attributes, id, element, name, place)
  }
}

function vulnerabilityRow(vulnerability: Attributes, id: string, component: Element, name: string, at: string): Row {
  const { attributes } = component
  const files = childrenOf(childOf(component, 'file_paths'), 'file_path')
  const isMitigated = vulnerability.mitigation === 'true'
  return {
    kind: 'OBSERVATION',
    at,
    observation: {
      kind: 'COMPONENT',
      type: 'SCA_FINDING',
      toolName: `${TOOL} SCA`,
      ruleId: id,
      title: `${id} in ${name}`,
      description: text(vulnerability.cve_summary),
      severity: severityIn(vulnerability.severity),
      cvssScore: between(vulnerability.cvss_score, 0.1, 10),
      cweIds: cwesIn(vulnerability.cwe_id),
      vulnerabilityIds: vulnerabilityIdsIn(id),
      package: packageOf(attributes, name),
      affectedVersion: text(attributes.version),
      fileName: text(files[0]?.attributes.value),
      decision: isMitigated ? mitigated(vulnerability.mitigation_type, undefined) : undefined,
    },
  }
}

/** Maven's group is the vendor where it looks like one. */
const packageOf = ({ vendor }: Attributes, name: string): string =>
  vendor !== undefined && /^[a-z][\w-]*(?:\.[\w-]+)+$/i.test(vendor) && !name.includes(':') ? `${vendor}:${name}` : name
