// Writes CycloneDX 1.6: a bill of materials with its vulnerabilities, or these alone with what they affect (VEX).

import { actionOf, componentOf, type VulnerableComponent } from './components.ts'
import { arrayItems, compact } from './json.ts'
import type { ExportDocument, ExportedComponent, ExportedFinding, ExportWriter } from './types.ts'

export const cyclonedx: ExportWriter = {
  format: 'cyclonedx',
  label: 'CycloneDX 1.6 bill of materials',
  mediaType: 'application/vnd.cyclonedx+json',
  extension: '.cdx.json',
  write: (document) => write(document, document.components()),
}

export const cyclonedxVex: ExportWriter = {
  format: 'cyclonedx-vex',
  label: 'CycloneDX 1.6 VEX',
  mediaType: 'application/vnd.cyclonedx+json',
  extension: '.vex.cdx.json',
  write: (document) => write(document, none()),
}

async function* none(): AsyncGenerator<ExportedComponent> {}

/** The findings are read twice: components that only they name stand in the list before the vulnerabilities do. */
async function* write(document: ExportDocument, listed: AsyncIterable<ExportedComponent>): AsyncGenerator<string> {
  const metadata = {
    timestamp: document.at,
    tools: { components: [{ type: 'application', name: 'Merlon', version: document.version }] },
    component: { type: 'application', 'bom-ref': `company/${document.company.id}`, name: document.company.label },
  }
  const head = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${document.serial}`,
    version: 1,
    metadata,
  }
  const refs = new Map<string, string>()
  const named = new Set<string>()
  yield `${JSON.stringify(head).slice(0, -1)},"components":[`
  let isFirst = true
  for await (const piece of arrayItems(componentsOf(listed, refs))) {
    yield piece
    isFirst = false
  }
  for await (const finding of document.findings('BY_ID')) {
    const component = componentOf(finding)
    if (!component) continue
    if (!refs.has(component.purl) && !named.has(component.purl)) {
      named.add(component.purl)
      yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(compact(namedComponent(component)))}`
      isFirst = false
    }
  }
  yield '],\n"vulnerabilities":['
  yield* arrayItems(vulnerabilitiesOf(document, refs))
  yield ']}\n'
}

async function* componentsOf(
  listed: AsyncIterable<ExportedComponent>,
  refs: Map<string, string>,
): AsyncGenerator<unknown> {
  for await (const { id, name, version, purl, license } of listed) {
    const ref = `component/${id}`
    if (purl !== null && !refs.has(purl)) refs.set(purl, ref)
    const licenses = license === null ? undefined : [{ license: { name: license } }]
    yield compact({ type: 'library', 'bom-ref': ref, name, version, purl, licenses })
  }
}

const namedComponent = ({ purl, name, version }: VulnerableComponent) => ({
  type: 'library',
  'bom-ref': purl,
  name,
  version,
  purl,
})

async function* vulnerabilitiesOf(
  document: ExportDocument,
  refs: ReadonlyMap<string, string>,
): AsyncGenerator<unknown> {
  for await (const finding of document.findings('BY_ID')) {
    const component = componentOf(finding)
    if (component) yield vulnerabilityOf(finding, component, refs.get(component.purl) ?? component.purl)
  }
}

const severities = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low', NOTIFICATION: 'info' } as const

function vulnerabilityOf(finding: ExportedFinding, { vulnerability, aliases }: VulnerableComponent, ref: string) {
  const { cvssScore, cvssVector } = finding
  const links = (finding.reference ?? '').split('\n').filter((link) => URL.canParse(link))
  return compact({
    'bom-ref': `issue/${finding.id}`,
    id: vulnerability,
    references: aliases.map((id) => ({ id, source: { name: id.split('-')[0] ?? id } })),
    ratings: [
      compact({
        severity: severities[finding.severity],
        score: cvssScore,
        method: methodOf(cvssVector),
        vector: cvssVector,
      }),
    ],
    cwes: finding.cweIds,
    description: finding.description || finding.title,
    recommendation: finding.solution,
    advisories: links.map((url) => ({ url })),
    created: finding.createdAt,
    updated: finding.updatedAt,
    analysis: analysisOf(finding),
    affects: [{ ref }],
    properties: [
      { name: 'merlon:asset', value: finding.asset.name },
      { name: 'merlon:status', value: finding.status },
    ],
  })
}

const methodOf = (vector: string | null): string | undefined => {
  if (vector === null) return undefined
  return { 'CVSS:3.0': 'CVSSv3', 'CVSS:3.1': 'CVSSv31', 'CVSS:4.0': 'CVSSv4' }[vector.slice(0, 8)] ?? 'other'
}

function analysisOf(finding: ExportedFinding) {
  const { status, statusReason } = finding
  if (status === 'FALSE_POSITIVE') return compact({ state: 'false_positive', detail: statusReason })
  if (status === 'FIX_ACCEPTED') return compact({ state: 'resolved', detail: statusReason })
  if (status === 'CREATED' || status === 'DRAFT') return { state: 'in_triage' }
  const isAccepted = status === 'RISK_ACCEPTED' || status === 'SUPPRESSED'
  return compact({
    state: 'exploitable',
    response: isAccepted ? ['will_not_fix'] : undefined,
    detail: actionOf(finding),
  })
}
