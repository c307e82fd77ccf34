// A review of a change as text for people, and as SARIF 2.1.0 with the data flow as code flows.

import type { CodeObservation, ComponentObservation, Severity } from '../../reports/types.ts'
import { type Note, REVIEW_TOOL } from '../../review/types.ts'
import { printable } from '../output.ts'
import { plain } from '../plain.ts'

/** The result of a review; `unread` and `sensitive` are its notes. */
export type Reviewed = {
  findings: (CodeObservation | ComponentObservation)[]
  sensitive: Note[]
  unread: Note[]
  files: number
  packages: number
}

type Finding = Reviewed['findings'][number]

const order: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION']
const severityOf = ({ severity }: Finding): Severity => severity ?? 'MEDIUM'

/** Where it stands; a component has no line of its own. */
function placeOf(finding: Finding): { path: string; line: number | null } {
  const line = finding.kind === 'CODE' ? (finding.line ?? null) : null
  return { path: finding.fileName ?? '', line }
}

const shown = ({ path, line }: { path: string; line: number | null }) =>
  printable(line === null ? path : `${path}:${line}`)

/** The worst first, then by place. */
const sorted = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((one, other) => {
    const [a, b] = [placeOf(one), placeOf(other)]
    const severity = order.indexOf(severityOf(one)) - order.indexOf(severityOf(other))
    return severity || a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0)
  })

export function asText({ findings, sensitive, unread, files }: Reviewed): string {
  const parts = sorted(findings).map(paragraphOf)
  if (sensitive.length > 0) {
    const lines = sensitive.map(
      ({ path, area, reason }) => `  ${area.padEnd(14)}  ${printable(path)}  ${printable(reason)}`,
    )
    parts.push(['Sensitive changes to review manually:', ...lines].join('\n'))
  }
  if (unread.length > 0) {
    const lines = unread.map(({ path, area, reason }) => `  ${printable(path ?? area)}: ${printable(reason)}`)
    parts.push(['Not read:', ...lines].join('\n'))
  }
  const counts = order
    .map((severity) => ({ severity, count: findings.filter((each) => severityOf(each) === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
  const total = findings.length === 1 ? '1 finding' : `${findings.length || 'No'} findings`
  const sum = counts.length > 0 ? ` (${counts.join(', ')})` : ''
  return [...parts, `${total}${sum} in ${files} changed ${files === 1 ? 'file' : 'files'}.`].join('\n\n')
}

function paragraphOf(finding: Finding): string {
  const cwe = (finding.cweIds ?? []).map((id) => `CWE-${id}`).join(', ')
  const rule = [finding.ruleId, cwe].filter(Boolean).join(', ')
  const head = `${severityOf(finding).padEnd(8)}  ${shown(placeOf(finding))}  ${printable(finding.title)}${rule === '' ? '' : ` (${printable(rule)})`}`
  const way =
    finding.kind === 'CODE' && finding.source !== undefined
      ? [
          ...(finding.otherPlaces ?? []).map(({ fileName, line }) => `by ${fileName}:${line ?? ''}`),
          `to ${finding.sink ?? ''}`,
        ]
      : []
  const [first, ...others] = way
  const steps = first === undefined || finding.kind !== 'CODE' ? [] : [`from ${finding.source ?? ''}`, ...others]
  const solution = finding.solution ? [finding.solution] : []
  return [head, ...[...steps, ...solution].map((line) => `          ${printable(line)}`)].join('\n')
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
const levels = { CRITICAL: 'error', HIGH: 'error', MEDIUM: 'warning', LOW: 'note', NOTIFICATION: 'note' } as const

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function asSarif({ findings, sensitive, unread }: Reviewed) {
  const rules = [...new Map(findings.map((finding) => [ruleOf(finding), finding])).entries()]
  const ids = rules.map(([id]) => id)
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: REVIEW_TOOL, rules: rules.map(([id, finding]) => descriptorOf(id, finding)) } },
        automationDetails: { id: 'merlon/review/' },
        columnKind: 'utf16CodeUnits',
        results: sorted(findings).map((finding) => ({
          ruleId: ruleOf(finding),
          ruleIndex: ids.indexOf(ruleOf(finding)),
          level: levels[severityOf(finding)],
          message: { text: plain(finding.description?.split('\n\n')[0] ?? finding.title, 4000) || finding.title },
          locations: [locationOf(placeOf(finding))],
          ...flowOf(finding),
          ...(finding.fingerprint ? { fingerprints: { 'merlon/fingerprint': finding.fingerprint } } : {}),
          properties: { severity: severityOf(finding), type: finding.type },
        })),
        properties: { sensitiveChanges: sensitive.map(({ path, area, reason }) => ({ path, area, reason })), unread },
      },
    ],
  }
}

const ruleOf = ({ ruleId, title }: Finding): string => plain(ruleId ?? title, 255) || 'unnamed'

const descriptorOf = (id: string, { title, solution, cweIds = [] }: Finding) => ({
  id,
  shortDescription: { text: title },
  ...(solution ? { help: { text: solution } } : {}),
  properties: { tags: ['security', ...cweIds.map((cwe) => `external/cwe/cwe-${cwe}`)] },
})

function locationOf({ path, line }: { path: string; line: number | null }) {
  const uri = path.toWellFormed().replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')
  const region = line === null || line < 1 ? {} : { region: { startLine: line } }
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...region } }
}

function flowOf(finding: Finding) {
  if (finding.kind !== 'CODE' || finding.source === undefined) return {}
  const places = [
    ...(finding.otherPlaces ?? []).map(({ fileName, line }) => ({ path: fileName, line: line ?? null })),
    placeOf(finding),
  ]
  return { codeFlows: [{ threadFlows: [{ locations: places.map((place) => ({ location: locationOf(place) })) }] }] }
}
