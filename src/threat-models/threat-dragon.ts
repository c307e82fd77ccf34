// Reads models of OWASP Threat Dragon, versions 1 and 2, by the JSON schemas that the project publishes.

import { strideOf } from './stride.ts'
import {
  type LeftOut,
  MOST_ITEMS,
  type ModelItem,
  type ModelThreat,
  type ThreatModel,
  ThreatModelFault,
} from './types.ts'
import { type Entry, entriesOf, entryOf, keyOf, nameOf, noThreatsIn, numbersNamed, plain, textOf } from './values.ts'

/** Whether a file is one of Threat Dragon's: a summary, and a detail with diagrams. */
export const isThreatDragon = (file: Entry): boolean =>
  Array.isArray(entryOf(file.detail).diagrams) && nameOf(entryOf(file.summary).title) !== null

type Found = { threats: ModelThreat[]; items: ModelItem[]; leftOut: LeftOut[] }

/** Reads the threats of every cell of every diagram; ThreatModelFault for more cells than are taken. */
export function readThreatDragon(file: Entry): ThreatModel {
  const summary = entryOf(file.summary)
  const title = nameOf(summary.title) ?? 'Threat model'
  const found: Found = { threats: [], items: [], leftOut: [] }
  for (const diagram of entriesOf(entryOf(file.detail).diagrams)) readDiagram(diagram, found)
  // 0 is the id of every model that was never saved in a repository
  const id = textOf(summary.id)
  return {
    format: 'THREAT_DRAGON',
    version: nameOf(file.version),
    key: keyOf(id === null || id === '0' ? title : id),
    title,
    ...found,
  }
}

function readDiagram(diagram: Entry, found: Found): void {
  const name = nameOf(diagram.title) ?? 'Diagram'
  // version 1 keeps the cells one step deeper
  const cells = entriesOf(diagram.cells ?? entryOf(diagram.diagramJson).cells)
  for (const cell of cells) {
    const item = itemOf(cell, name)
    if (found.items.push(item) > MOST_ITEMS) throw new ThreatModelFault(`A model has at most ${MOST_ITEMS} cells`)
    const data = entryOf(cell.data)
    const isOutside = (data.outOfScope ?? cell.outOfScope) === true
    const place = `${item.kind} “${item.name}” in the diagram “${name}”`
    const listed = data.threats ?? cell.threats
    found.leftOut.push(...noThreatsIn(listed, `threats of the ${place}`))
    for (const threat of entriesOf(listed)) {
      readThreat(threat, { cell: item.id, place, isOutside, modelType: nameOf(diagram.diagramType) }, found)
    }
  }
}

type Around = { cell: string; place: string; isOutside: boolean; modelType: string | null }

function readThreat(threat: Entry, around: Around, { threats, leftOut }: Found): void {
  const title = nameOf(threat.title)
  const number = textOf(threat.number)
  const named = title ?? (number === null ? `a threat of the ${around.place}` : `threat ${number}`)
  const status = nameOf(threat.status)
  if (title === null) leftOut.push({ threat: named, reason: 'It has no title' })
  else if (around.isOutside) leftOut.push({ threat: named, reason: `The ${around.place} is out of scope` })
  else if (status !== null && ['na', 'notapplicable'].includes(plain(status))) {
    leftOut.push({ threat: named, reason: 'The model says that it does not apply' })
  } else threats.push(threatOf(threat, title, status, around))
}

function threatOf(
  threat: Entry,
  title: string,
  status: string | null,
  { cell, place, modelType }: Around,
): ModelThreat {
  const [type, description, mitigation] = [nameOf(threat.type), textOf(threat.description), textOf(threat.mitigation)]
  const categories = type === null ? [] : [type]
  const texts = [title, description, mitigation]
  const method = nameOf(threat.modelType) ?? modelType
  return {
    // older models give their threats no id: the cell has one, and the title tells its threats apart
    key: keyOf(textOf(threat.id ?? threat.threatId) ?? `${cell}/${type ?? ''}/${title}`),
    title,
    description,
    categories: categories.map((name) => (method === null ? name : `${method}: ${name}`)),
    stride: strideOf(categories),
    cweIds: numbersNamed('CWE', texts),
    capecIds: numbersNamed('CAPEC', texts),
    severity: nameOf(threat.severity),
    status,
    mitigations: mitigation === null ? [] : [mitigation],
    places: [place],
  }
}

const kinds: Readonly<Record<string, string>> = {
  actor: 'Actor',
  boundary: 'Trust boundary',
  boundarybox: 'Trust boundary',
  trustboundarybox: 'Trust boundary',
  trustboundarycurve: 'Trust boundary',
  flow: 'Flow',
  process: 'Process',
  store: 'Store',
  text: 'Text',
}

function itemOf(cell: Entry, diagram: string): ModelItem {
  const data = entryOf(cell.data)
  const word = plain((textOf(data.type) ?? textOf(cell.type) ?? textOf(cell.shape) ?? '').replace(/^tm\./, ''))
  const kind = Object.hasOwn(kinds, word) ? (kinds[word] ?? 'Cell') : 'Cell'
  const [label] = entriesOf(cell.labels)
  const name = nameOf(data.name) ?? textUnder(cell) ?? (label ? textUnder(label) : null) ?? kind
  return {
    id: keyOf(textOf(cell.id) ?? name),
    kind,
    name,
    description: textOf(data.description) ?? textOf(cell.description) ?? undefined,
    within: diagram,
    source: endOf(cell.source),
    target: endOf(cell.target),
  }
}

const textUnder = (cell: Entry): string | null => nameOf(entryOf(entryOf(cell.attrs).text).text)

const endOf = (end: unknown): string | undefined => nameOf(entryOf(end).cell ?? entryOf(end).id) ?? undefined
