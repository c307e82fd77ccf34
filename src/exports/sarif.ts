// Writes SARIF 2.1.0: one run of Merlon, each scanner an extension of it with its rules.

import { pages } from '../core/console-links.ts'
import { isWebAddress, pathAddressOf } from './addresses.ts'
import { arrayItems, compact } from './json.ts'
import { restOf } from './rest.ts'
import type { ExportDocument, ExportedFinding, ExportedPlace, ExportWriter } from './types.ts'

export const sarif: ExportWriter = {
  format: 'sarif',
  label: 'SARIF 2.1.0',
  mediaType: 'application/sarif+json',
  extension: '.sarif',
  ofComponentsOnly: false,
  needsOne: false,
  write,
}

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

async function* write(document: ExportDocument): AsyncGenerator<string> {
  const driver = { name: 'Merlon', version: document.version, informationUri: document.address }
  yield `{"version":"2.1.0","$schema":${JSON.stringify(schema)},"runs":[{"columnKind":"utf16CodeUnits",\n`
  yield `"tool":{"driver":${JSON.stringify(driver)},"extensions":[`
  yield* toolsOf(document)
  yield ']},\n"results":['
  yield* arrayItems(resultsOf(document))
  yield ']}]}\n'
}

/** The tools with the rules that findings name: those of one tool follow each other. */
async function* toolsOf(document: ExportDocument): AsyncGenerator<string> {
  let tool: string | null = null
  for await (const finding of document.findings('FIRST_OF_RULE')) {
    const name = toolNameOf(finding)
    const opening = `${tool === null ? '' : ']},'}\n{"name":${JSON.stringify(name)},"rules":[\n`
    yield `${name === tool ? ',\n' : opening}${JSON.stringify(ruleOf(finding))}`
    tool = name
  }
  if (tool !== null) yield ']}'
}

const toolNameOf = ({ toolName }: ExportedFinding): string => toolName || 'unnamed'

const ruleOf = ({ rule, title, cweIds, cvssScore }: ExportedFinding) =>
  compact({
    id: rule,
    shortDescription: { text: title.slice(0, 200).toWellFormed() },
    properties: compact({
      tags: ['security', ...cweIds.map((cwe) => `external/cwe/cwe-${cwe}`)],
      'security-severity': cvssScore === null ? undefined : String(cvssScore),
    }),
  })

async function* resultsOf(document: ExportDocument): AsyncGenerator<unknown> {
  for await (const finding of document.findings('BY_ID')) yield resultOf(finding, document)
}

const levels = { CRITICAL: 'error', HIGH: 'error', MEDIUM: 'warning', LOW: 'note', NOTIFICATION: 'note' } as const

/** Statuses that are somebody's word that the finding need not be fixed. */
const accepted: readonly string[] = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']

function resultOf(finding: ExportedFinding, { address, company }: ExportDocument) {
  const { status } = finding
  const { flow, url, method } = finding.detail
  const fingerprints = compact({
    'merlon/fingerprint': finding.fingerprint,
    'merlon/tool-id': finding.originalIssueIdFromTool,
  })
  const [location, ...others] = locationsOf(finding)
  return compact({
    ruleId: finding.rule,
    rule: { id: finding.rule, toolComponent: { name: toolNameOf(finding) } },
    level: levels[finding.severity],
    kind: 'fail',
    message: { text: finding.description || finding.title },
    locations: location ? [location] : [],
    relatedLocations: others,
    codeFlows: codeFlowsOf(flow),
    fingerprints: Object.keys(fingerprints).length > 0 ? fingerprints : undefined,
    partialFingerprints: finding.partialFingerprint ? { 'merlon/partial': finding.partialFingerprint } : undefined,
    suppressions: accepted.includes(status)
      ? [compact({ kind: 'external', status: 'accepted', justification: finding.statusReason })]
      : undefined,
    baselineState: status === 'FIX_ACCEPTED' ? 'absent' : undefined,
    webRequest: isWebAddress(url) ? compact({ target: url, method }) : undefined,
    hostedViewerUri: `${address}${pages.finding({ companyId: company.id, issueId: finding.id })}`,
    properties: compact({
      id: finding.id,
      title: finding.title,
      description: finding.description,
      type: finding.type,
      severity: finding.severity,
      status,
      statusReason: finding.statusReason,
      riskAcceptedUntil: finding.riskAcceptedUntil,
      asset: finding.asset,
      toolName: finding.toolName,
      'security-severity': finding.cvssScore === null ? undefined : String(finding.cvssScore),
      cvssScore: finding.cvssScore,
      cvssVector: finding.cvssVector,
      cweIds: finding.cweIds,
      vulnerabilityIds: finding.vulnerabilityIds,
      patterns: finding.patterns,
      tags: [...new Set(['security', ...finding.cweIds.map((cwe) => `external/cwe/cwe-${cwe}`)])],
      solution: finding.solution,
      reference: finding.reference,
      createdAt: finding.createdAt,
      updatedAt: finding.updatedAt,
      merlon: restOf(finding),
    }),
  })
}

/** An exchange is at its address; anything else where it stands on each branch. */
function locationsOf({ detail, places }: ExportedFinding) {
  if (isWebAddress(detail.url)) {
    return [{ physicalLocation: { artifactLocation: { uri: pathAddressOf(detail.url) } } }]
  }
  return places.flatMap((place) => (place.path ? [locationOf(place.path, place)] : []))
}

/** The steps of a data flow, each with its words as the message. */
function codeFlowsOf(flow: unknown) {
  if (!Array.isArray(flow) || flow.length === 0) return undefined
  const locations = (flow as readonly FlowStep[]).map(({ path, line, text }) => {
    const region = line === undefined ? undefined : { startLine: line }
    const physicalLocation = path ? compact({ artifactLocation: { uri: pathAddressOf(path) }, region }) : undefined
    return { location: compact({ physicalLocation, message: text === undefined ? undefined : { text } }) }
  })
  return [{ threadFlows: [{ locations }] }]
}

type FlowStep = { path?: string; line?: number; text?: string }

function locationOf(path: string, { line, column, firstLine, snippet, branch, commit }: ExportedPlace) {
  const region =
    line === null || line < 1
      ? undefined
      : compact({ startLine: line, startColumn: column !== null && column > 0 ? column : undefined })
  const hasContext = snippet !== null && firstLine !== null && firstLine > 0
  const context = hasContext ? { startLine: firstLine, snippet: { text: snippet } } : undefined
  const properties = compact({ branch, commit })
  return compact({
    physicalLocation: compact({ artifactLocation: { uri: pathAddressOf(path) }, region, contextRegion: context }),
    properties: Object.keys(properties).length > 0 ? properties : undefined,
  })
}
