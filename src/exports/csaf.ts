// Writes CSAF 2.0 in its VEX profile: each vulnerability once, with the products that it affects and those that it does not.

import { actionOf, componentOf, impactOf, type VulnerableComponent, vexStatus } from './components.ts'
import { arrayItems, beginning, compact } from './json.ts'
import { type ExportDocument, type ExportedFinding, ExportFault, type ExportWriter } from './types.ts'

export const csaf: ExportWriter = {
  format: 'csaf',
  label: 'CSAF 2.0 VEX',
  mediaType: 'application/json',
  extension: '.csaf.json',
  ofComponentsOnly: true,
  needsOne: true,
  write,
}

async function* write(document: ExportDocument): AsyncGenerator<string> {
  const products = arrayItems(productsOf(document))
  const head = () => `{"document":${JSON.stringify(headOf(document))},"product_tree":{"full_product_names":[`
  const { isEmpty } = yield* beginning(head, products)
  if (isEmpty) throw new ExportFault('No finding names a vulnerability in a component, and CSAF needs one product')
  yield ']},\n"vulnerabilities":['
  yield* arrayItems(vulnerabilitiesOf(document))
  yield ']}\n'
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

/** One for each component of an asset. */
const productIdOf = ({ asset }: ExportedFinding, { ref }: VulnerableComponent): string => `${asset.id}/${ref}`

async function* productsOf(document: ExportDocument): AsyncGenerator<unknown> {
  let told = new Set<string>()
  let ref = ''
  for await (const finding of document.findings('FIRST_OF_COMPONENT')) {
    const component = componentOf(finding)
    if (!component) continue
    if (component.ref !== ref) told = new Set()
    ref = component.ref
    const id = productIdOf(finding, component)
    if (told.has(id)) continue
    told.add(id)
    const version = component.version === null ? '' : ` ${component.version}`
    yield {
      product_id: id,
      name: `${component.name}${version} in ${finding.asset.name}`,
      product_identification_helper: { purl: component.purl },
    }
  }
}

/** What is told of a vulnerability: of each product the most urgent status; texts once, with the products that they are of. */
type Group = {
  component: VulnerableComponent
  title: string
  description: string
  aliases: Set<string>
  statuses: Map<string, Status>
  remediations: Map<string, { category: string; details: string; product: string }[]>
  threats: Map<string, { details: string; product: string }[]>
}

type Status = ReturnType<typeof vexStatus>

/** Product → how urgent; a product that several findings speak of has the status of the first here. */
const urgency = ['affected', 'under_investigation', 'fixed', 'not_affected'] as const satisfies readonly Status[]

async function* vulnerabilitiesOf(document: ExportDocument): AsyncGenerator<unknown> {
  let group: Group | null = null
  for await (const finding of document.findings('BY_VULNERABILITY')) {
    const component = componentOf(finding)
    if (!component) continue
    if (group && group.component.vulnerability !== component.vulnerability) {
      yield vulnerabilityOf(group)
      group = null
    }
    group ??= {
      component,
      title: finding.title,
      description: finding.description || finding.title,
      aliases: new Set(),
      statuses: new Map(),
      remediations: new Map(),
      threats: new Map(),
    }
    add(group, finding, component)
  }
  if (group) yield vulnerabilityOf(group)
}

function add(group: Group, finding: ExportedFinding, component: VulnerableComponent): void {
  for (const alias of component.aliases) group.aliases.add(alias)
  const product = productIdOf(finding, component)
  const status = vexStatus(finding.status)
  const known = group.statuses.get(product)
  if (known && urgency.indexOf(known) <= urgency.indexOf(status)) return
  group.statuses.set(product, status)
  if (status === 'affected') {
    const [category, details] = [categoryOf(finding), actionOf(finding)]
    listIn(group.remediations, `${category} ${details}`).push({ category, details, product })
  }
  if (status === 'not_affected') {
    const details = impactOf(finding)
    listIn(group.threats, details).push({ details, product })
  }
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function categoryOf({ status, solution }: ExportedFinding): string {
  if (status === 'RISK_ACCEPTED' || status === 'SUPPRESSED') return 'no_fix_planned'
  return solution ? 'vendor_fix' : 'none_available'
}

const lists = {
  affected: 'known_affected',
  not_affected: 'known_not_affected',
  fixed: 'fixed',
  under_investigation: 'under_investigation',
} as const satisfies Record<Status, string>

function vulnerabilityOf({ component, title, description, aliases, statuses, remediations, threats }: Group) {
  const { vulnerability } = component
  const isCve = /^CVE-[0-9]{4}-[0-9]{4,}$/.test(vulnerability)
  const others = isCve ? [...aliases] : [vulnerability, ...aliases]
  const ids = [...new Set(others)].map((text) => ({ system_name: text.split('-')[0] || text, text }))
  const byStatus = Map.groupBy(statuses, ([, status]) => status)
  const status = [...byStatus].map(([name, products]) => [lists[name], products.map(([product]) => product)])
  return compact({
    cve: isCve ? vulnerability : undefined,
    ids,
    title: title.slice(0, 1000).toWellFormed(),
    notes: [{ category: 'description', text: description }],
    product_status: Object.fromEntries(status),
    remediations: [...remediations.values()].flatMap((same) => {
      const product_ids = same.map(({ product }) => product).filter((product) => statuses.get(product) === 'affected')
      const [first] = same
      return first && product_ids.length > 0
        ? [{ category: first.category, details: first.details, product_ids: [...new Set(product_ids)] }]
        : []
    }),
    threats: [...threats.values()].flatMap((same) => {
      const those = same.map(({ product }) => product).filter((product) => statuses.get(product) === 'not_affected')
      const [first] = same
      return first && those.length > 0
        ? [{ category: 'impact', details: first.details, product_ids: [...new Set(those)] }]
        : []
    }),
  })
}
