// Writes OpenVEX 0.2.0: a statement for each vulnerability in a component of an asset.

import { actionOf, componentOf, impactOf, vexStatus } from './components.ts'
import { arrayItems, beginning, compact } from './json.ts'
import { type ExportDocument, type ExportedFinding, ExportFault, type ExportWriter } from './types.ts'

export const openvex: ExportWriter = {
  format: 'openvex',
  label: 'OpenVEX 0.2.0',
  mediaType: 'application/json',
  extension: '.openvex.json',
  ofComponentsOnly: true,
  needsOne: true,
  write,
}

async function* write(document: ExportDocument): AsyncGenerator<string> {
  const { address, company, serial, at, version } = document
  const head = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `${address}/vex/${serial}`,
    author: company.label,
    timestamp: at,
    version: 1,
    tooling: `Merlon ${version}`,
  }
  const statements = arrayItems(statementsOf(document, head['@id']))
  const { isEmpty } = yield* beginning(() => `${JSON.stringify(head).slice(0, -1)},"statements":[`, statements)
  if (isEmpty) throw new ExportFault('No finding names a vulnerability in a component, and OpenVEX needs one statement')
  yield ']}\n'
}

async function* statementsOf(document: ExportDocument, id: string): AsyncGenerator<unknown> {
  for await (const finding of document.findings('BY_VULNERABILITY')) {
    const statement = statementOf(finding, id, document.address)
    if (statement) yield statement
  }
}

function statementOf(finding: ExportedFinding, id: string, address: string) {
  const component = componentOf(finding)
  if (!component) return null
  const status = vexStatus(finding.status)
  return compact({
    '@id': `${id}/${finding.id}`,
    vulnerability: compact({ name: component.vulnerability, aliases: [...new Set(component.aliases)] }),
    timestamp: finding.createdAt,
    last_updated: finding.updatedAt,
    products: [{ '@id': `${address}/assets/${finding.asset.id}`, subcomponents: [{ '@id': component.purl }] }],
    status,
    impact_statement: status === 'not_affected' ? impactOf(finding) : undefined,
    action_statement: status === 'affected' ? actionOf(finding) : undefined,
    status_notes: status === 'fixed' ? finding.statusReason : undefined,
  })
}
