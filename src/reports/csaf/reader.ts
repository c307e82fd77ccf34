// Reads CSAF 2.0 and 2.1: which products of an advisory a vulnerability affects, and which it does not (VEX).

import { readCpe } from '../cpe.ts'
import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import { readPurl } from '../purl.ts'
import {
  type ComponentObservation,
  ReportFault,
  type ReportReader,
  type ReportSource,
  type Row,
  type Statement,
} from '../types.ts'
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

type Known = {
  products: ReadonlyMap<string, Product>
  groups: ReadonlyMap<string, readonly string[]>
  tool: string
  /** when the document was released */
  saidAt: string | undefined
}

type Product = { name: string; purl?: string; cpe?: string; version?: string }

const MOST_PRODUCTS = 500_000
const DEEPEST = 60

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const first = await firstValues(source, ['document', 'product_tree'])
  const version = textAt(first.get('document'), 'csaf_version')
  if (version !== undefined && !/^2\.[01]$/.test(version)) {
    throw new ReportFault(`CSAF of version ${version.slice(0, 20)} is not read; 2.0 and 2.1 are`)
  }
  if (version === undefined && first.has('document'))
    throw new ReportFault('The document does not say its CSAF version')
  const products = new Map<string, Product>()
  learn(products, first.get('product_tree'), undefined, 0)
  const publisher = textAt(first.get('document'), 'publisher', 'name')
  const saidAt = textAt(first.get('document'), 'tracking', 'current_release_date')
  const known: Known = { products, groups: groupsOf(first.get('product_tree')), tool: publisher ?? 'CSAF', saidAt }
  if (publisher !== undefined) yield { kind: 'TOOL', toolName: publisher }
  yield* jsonRows(source, ['vulnerabilities[]'], ({ value, at }: Given) => rowsOf(object(value), at, known))
}

/** Product names by id, from nested branches, plain lists and relationships. */
function learn(products: Map<string, Product>, node: unknown, version: string | undefined, depth: number) {
  if (!isObject(node) || depth > DEEPEST || products.size > MOST_PRODUCTS) return
  // a range is kept as it is written: it equals no version, and must not pass for all of them
  const here = /^product_version(?:_range)?$/.test(text(node.category) ?? '') ? text(node.name) : version
  for (const each of [node.product, ...objects(node.full_product_names)]) {
    const [id, name] = [textAt(each, 'product_id'), textAt(each, 'name')]
    const helper = at(each, 'product_identification_helper')
    const purl = textAt(helper, 'purl') ?? texts(at(helper, 'purls'))[0]
    if (id !== undefined && name !== undefined)
      products.set(id, { name, purl, cpe: textAt(helper, 'cpe'), version: here })
  }
  for (const branch of objects(node.branches)) learn(products, branch, here, depth + 1)
  for (const { full_product_name, product_reference } of objects(node.relationships)) {
    const [id, name] = [textAt(full_product_name, 'product_id'), textAt(full_product_name, 'name')]
    const part = products.get(text(product_reference) ?? '')
    const helper = at(full_product_name, 'product_identification_helper')
    // A component as part of a product; the component has the package URL.
    const purl = textAt(helper, 'purl') ?? texts(at(helper, 'purls'))[0] ?? part?.purl
    const cpe = textAt(helper, 'cpe') ?? part?.cpe
    if (id !== undefined && name !== undefined) products.set(id, { name, purl, cpe, version: part?.version })
  }
}

/** Ids of products by the group that names them. */
function groupsOf(tree: unknown): ReadonlyMap<string, readonly string[]> {
  const groups = objects(at(tree, 'product_groups')).slice(0, MOST_PRODUCTS)
  return new Map(groups.map((group) => [text(group.group_id) ?? '', texts(group.product_ids)]))
}

/** What each list of products states; of a product in several lists, the first counts. */
const lists: ReadonlyMap<string, Statement['status']> = new Map([
  ['known_affected', 'AFFECTED'],
  ['first_affected', 'AFFECTED'],
  ['last_affected', 'AFFECTED'],
  ['known_not_affected', 'NOT_AFFECTED'],
  ['fixed', 'FIXED'],
  ['first_fixed', 'FIXED'],
  ['under_investigation', 'UNDER_INVESTIGATION'],
])
const decided = { NOT_AFFECTED: 'FALSE_POSITIVE', FIXED: 'FIX_ACCEPTED' } as const

type SpeaksOf = (each: Fields) => boolean

/** An entry without products and groups applies to all. */
function speaking(product: string, { groups }: Known): SpeaksOf {
  return (each) => {
    const named = [...texts(each.product_ids), ...texts(each.group_ids).flatMap((group) => groups.get(group) ?? [])]
    return named.includes(product) || (!Array.isArray(each.product_ids) && !Array.isArray(each.group_ids))
  }
}

function* rowsOf(vulnerability: Fields, place: string, known: Known): Iterable<Row> {
  const id = text(vulnerability.cve) ?? textAt(objects(vulnerability.ids)[0], 'text')
  const status = object(vulnerability.product_status)
  if (id === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no vulnerability' }
    return
  }
  const listed = [...lists].flatMap(([name, stated]) =>
    texts(status[name]).map((product) => ({ name, stated, product })),
  )
  if (listed.length === 0) yield { kind: 'LEFT_OUT', at: place, reason: 'It has no product status' }
  const seen = new Set<string>()
  for (const { name, stated, product } of listed) {
    if (seen.has(product)) continue
    seen.add(product)
    const speaksOf = speaking(product, known)
    const reason = reasonOf(vulnerability, name, speaksOf)
    const observation: ComponentObservation = {
      ...observed(vulnerability, id, product, known, speaksOf),
      decision: stated === 'NOT_AFFECTED' || stated === 'FIXED' ? { status: decided[stated], reason } : undefined,
      statement: { status: stated, reason, saidAt: known.saidAt },
    }
    const at = `${place}, ${product}`
    yield stated === 'UNDER_INVESTIGATION'
      ? { kind: 'LEFT_OUT', at, reason: 'It is still under investigation', isUndecided: true, observation }
      : { kind: 'OBSERVATION', at, observation }
  }
}

function observed(
  vulnerability: Fields,
  id: string,
  product: string,
  { products, tool }: Known,
  speaksOf: SpeaksOf,
): ComponentObservation {
  const known = products.get(product) ?? { name: product }
  const purl = readPurl(known.purl)
  const component = purl ?? readCpe(known.cpe)
  const rating = ratingOf(vulnerability, product)
  const remediations = objects(vulnerability.remediations).filter(speaksOf)
  return {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: tool,
    ruleId: id,
    title: headline(text(vulnerability.title), `${id} in ${known.name}`),
    description: paragraphs(...objects(vulnerability.notes).map((note) => text(note.text))),
    severity: severityOf(rating.baseSeverity) ?? impactOf(vulnerability, speaksOf),
    cvssScore: between(rating.baseScore, 0.1, 10),
    cvssVector: cvssVectorOf(rating.vectorString),
    cweIds: cwesIn(
      at(vulnerability.cwe, 'id'),
      objects(vulnerability.cwes).map((cwe) => cwe.id),
    ),
    vulnerabilityIds: uniq([id, ...objects(vulnerability.ids).map((each) => text(each.text))]),
    reference: links(...objects(vulnerability.references).map(({ url }) => text(url))),
    solution: paragraphs(...remediations.map((each) => text(each.details))),
    package: component?.name ?? known.name,
    affectedVersion: component?.version ?? known.version,
    packageManager: purl?.type,
    purl: known.purl,
  }
}

/** 2.0 has the scores beside the products, 2.1 below `content`; the newest CVSS version wins. */
function ratingOf(vulnerability: Fields, product: string): Fields {
  const scores = [...objects(vulnerability.metrics), ...objects(vulnerability.scores)]
    .filter(({ products }) => texts(products).includes(product))
    .map((score) => object(score.content ?? score))
  const by = (name: string) => scores.map((score) => score[name]).find(isObject)
  return object(by('cvss_v4') ?? by('cvss_v3') ?? by('cvss_v2'))
}

/** Some give only a qualitative rating. */
const impactOf = (vulnerability: Fields, speaksOf: SpeaksOf) =>
  objects(vulnerability.threats)
    .filter((threat) => text(threat.category) === 'impact' && speaksOf(threat))
    .map(({ details }) => severityOf(details))
    .find((severity) => severity !== undefined)

function reasonOf(vulnerability: Fields, name: string, speaksOf: SpeaksOf): string {
  const flags = objects(vulnerability.flags)
    .filter(speaksOf)
    .map(({ label }) => text(label)?.replaceAll('_', ' '))
  const impacts = objects(vulnerability.threats)
    .filter((threat) => text(threat.category) === 'impact' && speaksOf(threat))
    .map(({ details }) => text(details))
  return [name.replaceAll('_', ' '), ...flags, ...impacts].filter(Boolean).join('; ')
}
