// Writes CSAF 2.0 in its VEX profile: each vulnerability once, with the products that it affects and those that it does not.

import { actionOf, componentOf, type VulnerableComponent, vexStatus } from './components.ts'
import { arrayItems, compact } from './json.ts'
import { type ExportDocument, type ExportedFinding, ExportFault, type ExportWriter } from './types.ts'

export const csaf: ExportWriter = {
  format: 'csaf',
  label: 'CSAF 2.0 VEX',
  mediaType: 'application/json',
  extension: '.csaf.json',
  write,
}

type Products = Map<string, { name: string; purl: string }>
type Group = { component: VulnerableComponent; findings: { finding: ExportedFinding; product: string }[] }

/** The products are known when the vulnerabilities are told: they stand behind them. */
async function* write(document: ExportDocument): AsyncGenerator<string> {
  const products: Products = new Map()
  let isEmpty = true
  for await (const piece of arrayItems(vulnerabilitiesOf(document, products))) {
    if (isEmpty) yield `{"document":${JSON.stringify(headOf(document))},"vulnerabilities":[`
    isEmpty = false
    yield piece
  }
  if (isEmpty) throw new ExportFault('No finding names a vulnerability in a component, and CSAF needs one product')
  const names = [...products].map(([id, { name, purl }]) => ({
    product_id: id,
    name,
    product_identification_helper: { purl },
  }))
  yield `],\n"product_tree":${JSON.stringify({ full_product_names: names })}}\n`
}

const headOf = ({ company, address, serial, at, version }: ExportDocument) => ({
  category: 'csaf_vex',
  csaf_version: '2.0',
  title: `Vulnerabilities of ${company.label}`,
  publisher: { category: 'user', name: company.label, namespace: address },
  tracking: {
    id: serial,
    status: 'final',
    version: '1',
    initial_release_date: at,
    current_release_date: at,
    revision_history: [{ date: at, number: '1', summary: 'Exported.' }],
    generator: { engine: { name: 'Merlon', version } },
  },
})

async function* vulnerabilitiesOf(document: ExportDocument, products: Products): AsyncGenerator<unknown> {
  let group: Group | null = null
  for await (const finding of document.findings('BY_VULNERABILITY')) {
    const component = componentOf(finding)
    if (!component) continue
    if (group && group.component.vulnerability !== component.vulnerability) {
      yield vulnerabilityOf(group)
      group = null
    }
    group ??= { component, findings: [] }
    group.findings.push({ finding, product: productOf(products, finding, component) })
  }
  if (group) yield vulnerabilityOf(group)
}

/** One for each component of an asset. */
function productOf(
  products: Products,
  { asset }: ExportedFinding,
  { purl, name, version }: VulnerableComponent,
): string {
  const id = `${asset.id}/${purl}`
  const label = `${name}${version === null ? '' : ` ${version}`} in ${asset.name}`
  if (!products.has(id)) products.set(id, { name: label, purl })
  return id
}

const lists = {
  affected: 'known_affected',
  not_affected: 'known_not_affected',
  fixed: 'fixed',
  under_investigation: 'under_investigation',
} as const

/** A product that several findings speak of is in one list: affected before all others. */
const order = ['affected', 'under_investigation', 'fixed', 'not_affected'] as const

function vulnerabilityOf({ component, findings }: Group) {
  const { vulnerability, aliases } = component
  const isCve = /^CVE-[0-9]{4}-[0-9]{4,}$/.test(vulnerability)
  const ids = [...(isCve ? [] : [vulnerability]), ...aliases].map((text) => ({
    system_name: text.split('-')[0] ?? text,
    text,
  }))
  const told = new Set<string>()
  const byStatus = order.map((status) => {
    const those = findings.filter(({ finding, product }) => vexStatus(finding.status) === status && !told.has(product))
    const first = new Map(those.map((each) => [each.product, each]))
    for (const product of first.keys()) told.add(product)
    return { status, those: [...first.values()] }
  })
  const of = (status: (typeof order)[number]) => byStatus.find((each) => each.status === status)?.those ?? []
  const status = byStatus.flatMap(({ status, those }) =>
    those.length > 0 ? [[lists[status], those.map(({ product }) => product)]] : [],
  )
  const [{ finding } = { finding: null }] = findings
  return compact({
    cve: isCve ? vulnerability : undefined,
    ids,
    title: finding?.title.slice(0, 1000),
    notes: [{ category: 'description', text: finding?.description || finding?.title || vulnerability }],
    product_status: Object.fromEntries(status),
    remediations: of('affected').map(({ finding, product }) => ({
      category:
        finding.status === 'RISK_ACCEPTED' || finding.status === 'SUPPRESSED'
          ? 'no_fix_planned'
          : finding.solution === null
            ? 'none_available'
            : 'vendor_fix',
      details: actionOf(finding),
      product_ids: [product],
    })),
    threats: of('not_affected').map(({ finding, product }) => ({
      category: 'impact',
      details: finding.statusReason ?? 'It was found to be a false positive.',
      product_ids: [product],
    })),
  })
}
