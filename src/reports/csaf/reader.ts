// Reads CSAF 2.0 and 2.1: which products of an advisory a vulnerability affects, and which it does not (VEX).

import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import { readPurl } from '../purl.ts'
import { type ComponentObservation, ReportFault, type ReportReader, type ReportSource, type Row } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  object,
  objects,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  uniq,
} from '../values.ts'

export const csaf: ReportReader = {
  format: 'csaf',
  label: 'CSAF',
  recognises: ({ text: head }) => /"csaf_version"\s*:/.test(head),
  read,
}

type Product = { name: string; purl?: string; version?: string }

const MOST_PRODUCTS = 500_000
const DEEPEST = 60

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const first = await firstValues(source, ['document', 'product_tree'])
  const version = textAt(first.get('document'), 'csaf_version')
  if (version !== undefined && !/^2\.[01]$/.test(version)) {
    throw new ReportFault(`CSAF of version ${version.slice(0, 20)} is not read; 2.0 and 2.1 are`)
  }
  const products = new Map<string, Product>()
  learn(products, first.get('product_tree'), undefined, 0)
  const tool = textAt(first.get('document'), 'publisher', 'name') ?? 'CSAF'
  yield* jsonRows(source, ['vulnerabilities[]'], ({ value, at }: Given) => rowsOf(object(value), at, products, tool))
}

/** Names of products by id: of branches in branches, of plain lists, and of relationships between them. */
function learn(products: Map<string, Product>, node: unknown, version: string | undefined, depth: number) {
  if (!isObject(node) || depth > DEEPEST || products.size > MOST_PRODUCTS) return
  const here = text(node.category) === 'product_version' ? text(node.name) : version
  for (const each of [
    node.product,
    ...objects(node.full_product_names),
    ...objects(node.relationships).map(({ full_product_name }) => full_product_name),
  ]) {
    const [id, name] = [textAt(each, 'product_id'), textAt(each, 'name')]
    const purl = textAt(each, 'product_identification_helper', 'purl')
    if (id !== undefined && name !== undefined) products.set(id, { name, purl, version: here })
  }
  for (const branch of objects(node.branches)) learn(products, branch, here, depth + 1)
}

const open = ['known_affected', 'first_affected', 'last_affected']
const closed = { known_not_affected: 'FALSE_POSITIVE', fixed: 'FIX_ACCEPTED', first_fixed: 'FIX_ACCEPTED' } as const

function* rowsOf(
  vulnerability: Fields,
  place: string,
  products: ReadonlyMap<string, Product>,
  tool: string,
): Iterable<Row> {
  const id = text(vulnerability.cve) ?? textAt(objects(vulnerability.ids)[0], 'text')
  const status = object(vulnerability.product_status)
  if (id === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no vulnerability' }
    return
  }
  const listed = [...open, ...Object.keys(closed)].flatMap((name) =>
    texts(status[name]).map((product) => ({ name, product })),
  )
  const asked = texts(status.under_investigation)
  if (listed.length === 0) {
    const reason = asked.length > 0 ? 'It is still under investigation' : 'It says of no product whether it is affected'
    yield { kind: 'LEFT_OUT', at: place, reason }
  }
  const seen = new Set<string>()
  for (const { name, product } of listed) {
    if (seen.has(product)) continue
    seen.add(product)
    const known = products.get(product) ?? { name: product }
    const observation = observed(vulnerability, id, product, known, tool)
    const decided =
      name in closed
        ? { status: closed[name as keyof typeof closed], reason: reasonOf(vulnerability, name, product) }
        : undefined
    yield { kind: 'OBSERVATION', at: `${place}, ${product}`, observation: { ...observation, decision: decided } }
  }
}

function observed(
  vulnerability: Fields,
  id: string,
  product: string,
  known: Product,
  tool: string,
): ComponentObservation {
  const purl = readPurl(known.purl)
  const speaksOf = (each: Fields) => !Array.isArray(each.product_ids) || texts(each.product_ids).includes(product)
  const score = objects(vulnerability.scores).find(({ products }) => texts(products).includes(product))
  const rating = object(score?.cvss_v4 ?? score?.cvss_v3 ?? score?.cvss_v2)
  const remediations = objects(vulnerability.remediations).filter(speaksOf)
  return {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: tool,
    ruleId: id,
    title: headline(text(vulnerability.title), `${id} in ${known.name}`),
    description: paragraphs(...objects(vulnerability.notes).map((note) => text(note.text))),
    severity: severityOf(rating.baseSeverity),
    cvssScore: between(rating.baseScore, 0.1, 10),
    cvssVector: cvssVectorOf(rating.vectorString),
    cweIds: cwesIn(
      at(vulnerability.cwe, 'id'),
      objects(vulnerability.cwes).map((cwe) => cwe.id),
    ),
    vulnerabilityIds: uniq([id, ...objects(vulnerability.ids).map((each) => text(each.text))]),
    reference: links(...objects(vulnerability.references).map(({ url }) => text(url))),
    solution: paragraphs(...remediations.map((each) => text(each.details))),
    package: purl?.name ?? known.name,
    affectedVersion: purl?.version ?? known.version,
    packageManager: purl?.type,
    purl: known.purl,
  }
}

function reasonOf(vulnerability: Fields, name: string, product: string): string {
  const speaksOf = (each: Fields) => !Array.isArray(each.product_ids) || texts(each.product_ids).includes(product)
  const flags = objects(vulnerability.flags)
    .filter(speaksOf)
    .map(({ label }) => text(label)?.replaceAll('_', ' '))
  const impacts = objects(vulnerability.threats)
    .filter((threat) => text(threat.category) === 'impact' && speaksOf(threat))
    .map(({ details }) => text(details))
  return [name.replaceAll('_', ' '), ...flags, ...impacts].filter(Boolean).join('; ')
}
