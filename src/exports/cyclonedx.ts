// Writes CycloneDX 1.6: a bill of materials with its vulnerabilities, or these alone with what they affect (VEX).

import { isWebAddress } from './addresses.ts'
import { actionOf, componentOf, reportedPurl, type VulnerableComponent } from './components.ts'
import { arrayItems, compact } from './json.ts'
import type { ExportDocument, ExportedComponent, ExportedFinding, ExportWriter } from './types.ts'

const MEDIA_TYPE = 'application/vnd.cyclonedx+json'

export const cyclonedx: ExportWriter = {
  format: 'cyclonedx',
  label: 'CycloneDX 1.6 bill of materials',
  mediaType: MEDIA_TYPE,
  extension: '.cdx.json',
  ofComponentsOnly: true,
  needsOne: false,
  write: (document) => write(document, document.components('BY_PURL')),
}

export const cyclonedxVex: ExportWriter = {
  format: 'cyclonedx-vex',
  label: 'CycloneDX 1.6 VEX',
  mediaType: MEDIA_TYPE,
  extension: '.vex.cdx.json',
  ofComponentsOnly: true,
  needsOne: false,
  write: (document) => write(document, none()),
}

async function* none(): AsyncGenerator<ExportedComponent> {}

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
  yield `${JSON.stringify(head).slice(0, -1)},"components":[`
  yield* arrayItems(allComponents(listed, document.findings('FIRST_OF_COMPONENT')))
  yield '],\n"vulnerabilities":['
  yield* arrayItems(vulnerabilitiesOf(document))
  yield ']}\n'
}

/** Components of bills of materials, and those that only findings name: both come by purl, so that each is told once. */
async function* allComponents(
  listed: AsyncIterable<ExportedComponent>,
  findings: AsyncIterable<ExportedFinding>,
): AsyncGenerator<unknown> {
  const named = distinct(namedComponents(findings))
  try {
    let next = await named.next()
    for await (const component of distinct(listedComponents(listed))) {
      while (!next.done && next.value.sort !== null && isBefore(next.value, component)) {
        yield next.value.written
        next = await named.next()
      }
      if (!next.done && next.value.ref === component.ref) next = await named.next()
      yield component.written
    }
    for (; !next.done; next = await named.next()) yield next.value.written
  } finally {
    await named.return(undefined)
  }
}

/** `sort`: the purl, as the stream is ordered by it. */
type Listed = { ref: string; sort: string | null; written: unknown }

const isBefore = (one: Listed, other: Listed): boolean =>
  other.sort === null || (one.sort !== null && Buffer.compare(Buffer.from(one.sort), Buffer.from(other.sort)) < 0)

/** Of equal ones that follow each other the first. */
async function* distinct(all: AsyncIterable<Listed>): AsyncGenerator<Listed, undefined> {
  let last: string | null = null
  for await (const one of all) {
    if (one.ref !== last) yield one
    last = one.ref
  }
}

async function* listedComponents(listed: AsyncIterable<ExportedComponent>): AsyncGenerator<Listed> {
  for await (const { id, name, version, purl, license, packageManager } of listed) {
    const reported = reportedPurl(purl)
    const ref = reported === null || purl === null ? `component/${id}` : purl
    const licenses = license === null ? undefined : [{ license: { name: license } }]
    const properties = packageManager === null ? undefined : [{ name: 'merlon:packageManager', value: packageManager }]
    const written = { type: 'library', 'bom-ref': ref, name, version, purl: reported, licenses, properties }
    yield { ref, sort: purl, written: compact(written) }
  }
}

async function* namedComponents(findings: AsyncIterable<ExportedFinding>): AsyncGenerator<Listed> {
  for await (const finding of findings) {
    const component = componentOf(finding)
    if (!component) continue
    const { ref, sort, purl, name, version } = component
    yield { ref, sort, written: compact({ type: 'library', 'bom-ref': ref, name, version, purl }) }
  }
}

async function* vulnerabilitiesOf(document: ExportDocument): AsyncGenerator<unknown> {
  for await (const finding of document.findings('BY_VULNERABILITY')) {
    const component = componentOf(finding)
    if (component) yield vulnerabilityOf(finding, component)
  }
}

const severities = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low', NOTIFICATION: 'info' } as const

function vulnerabilityOf(finding: ExportedFinding, { vulnerability, aliases, ref }: VulnerableComponent) {
  const { cvssScore, cvssVector } = finding
  const links = new Set((finding.reference ?? '').split(/\s+/).filter(isWebAddress))
  return compact({
    'bom-ref': `issue/${finding.id}`,
    id: vulnerability,
    references: aliases.map((id) => ({ id, source: { name: id.split('-')[0] || id } })),
    ratings: [
      compact({
        severity: severities[finding.severity],
        score: cvssScore,
        method: methodOf(cvssVector),
        vector: cvssVector,
      }),
    ],
    cwes: finding.cweIds.filter((id) => id > 0),
    description: finding.description || finding.title,
    recommendation: finding.solution,
    advisories: [...links].map((url) => ({ url })),
    created: finding.createdAt,
    updated: finding.updatedAt,
    analysis: analysisOf(finding),
    affects: [{ ref }],
    properties: [
      { name: 'merlon:title', value: finding.title },
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
