// Writes SARIF 2.1.0: one run of Merlon, each scanner an extension of it with its rules.

import { arrayItems, compact } from './json.ts'
import type { ExportDocument, ExportedFinding, ExportedPlace, ExportWriter } from './types.ts'

export const sarif: ExportWriter = {
  format: 'sarif',
  label: 'SARIF 2.1.0',
  mediaType: 'application/sarif+json',
  extension: '.sarif',
  write,
}

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

type Rule = { id: string; title: string; cweIds: readonly number[]; score: number | null }
type Tools = Map<string, { index: number; rules: Map<string, Rule> }>

/** The rules are known when the results are told: they stand behind them. */
async function* write(document: ExportDocument): AsyncGenerator<string> {
  const tools: Tools = new Map()
  yield `{"version":"2.1.0","$schema":${JSON.stringify(schema)},"runs":[{"columnKind":"utf16CodeUnits","results":[`
  yield* arrayItems(resultsOf(document, tools))
  const extensions = [...tools].map(([name, { rules }]) => ({
    name: name || 'unnamed',
    rules: [...rules.values()].map(ruleOf),
  }))
  const driver = { name: 'Merlon', version: document.version, informationUri: document.address }
  yield `],\n"tool":${JSON.stringify(compact({ driver, extensions }))}}]}\n`
}

async function* resultsOf(document: ExportDocument, tools: Tools): AsyncGenerator<unknown> {
  for await (const finding of document.findings('BY_ID')) {
    const tool = tools.get(finding.toolName) ?? { index: tools.size, rules: new Map<string, Rule>() }
    tools.set(finding.toolName, tool)
    const { rule, title, cweIds, cvssScore } = finding
    if (!tool.rules.has(rule)) tool.rules.set(rule, { id: rule, title: title.slice(0, 200), cweIds, score: cvssScore })
    yield resultOf(finding, tool.index, document.address)
  }
}

const levels = { CRITICAL: 'error', HIGH: 'error', MEDIUM: 'warning', LOW: 'note', NOTIFICATION: 'note' } as const

/** Statuses that are somebody's word that the finding need not be fixed. */
const accepted: readonly string[] = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']

function resultOf(finding: ExportedFinding, toolIndex: number, address: string) {
  const { detail, status } = finding
  const fingerprints = compact({
    'merlon/fingerprint': finding.fingerprint,
    'merlon/tool-id': finding.originalIssueIdFromTool,
  })
  return compact({
    ruleId: finding.rule,
    rule: { id: finding.rule, toolComponent: { index: toolIndex } },
    level: levels[finding.severity],
    kind: 'fail',
    message: { text: finding.description || finding.title },
    locations: finding.places
      .filter(({ path }) => path !== null)
      .slice(0, 1)
      .map(locationOf),
    relatedLocations: finding.places
      .filter(({ path }) => path !== null)
      .slice(1)
      .map(locationOf),
    fingerprints: Object.keys(fingerprints).length > 0 ? fingerprints : undefined,
    partialFingerprints:
      finding.partialFingerprint === null ? undefined : { 'merlon/partial': finding.partialFingerprint },
    suppressions: accepted.includes(status)
      ? [compact({ kind: 'external', status: 'accepted', justification: finding.statusReason })]
      : undefined,
    baselineState: status === 'FIX_ACCEPTED' ? 'absent' : undefined,
    webRequest: typeof detail.url === 'string' ? compact({ target: detail.url, method: detail.method }) : undefined,
    hostedViewerUri: `${address}/issues/${finding.id}`,
    properties: compact({
      id: finding.id,
      title: finding.title,
      type: finding.type,
      severity: finding.severity,
      status,
      asset: finding.asset,
      'security-severity': finding.cvssScore === null ? undefined : String(finding.cvssScore),
      cvssVector: finding.cvssVector,
      vulnerabilityIds: finding.vulnerabilityIds,
      tags: finding.patterns,
      solution: finding.solution,
      detail: Object.keys(detail).length > 0 ? detail : undefined,
      createdAt: finding.createdAt,
      updatedAt: finding.updatedAt,
    }),
  })
}

function locationOf({ path, line, column, firstLine, snippet, branch }: ExportedPlace) {
  const region = line === null ? undefined : compact({ startLine: line, startColumn: column })
  const context =
    snippet === null || firstLine === null ? undefined : { startLine: firstLine, snippet: { text: snippet } }
  const uri = (path ?? '').split('/').map(encodeURIComponent).join('/')
  const artifactLocation = /^[a-z][a-z0-9+.-]*:\/\//i.test(path ?? '') ? { uri: encodeURI(path ?? '') } : { uri }
  return compact({
    physicalLocation: compact({ artifactLocation, region, contextRegion: context }),
    properties: branch === '' ? undefined : { branch },
  })
}

const ruleOf = ({ id, title, cweIds, score }: Rule) =>
  compact({
    id,
    shortDescription: { text: title },
    properties: compact({
      tags: ['security', ...cweIds.map((cwe) => `external/cwe/cwe-${cwe}`)],
      'security-severity': score === null ? undefined : String(score),
    }),
  })
