// Reads files of the Open Threat Model format, versions 0.1 and 0.2, by the schema that IriusRisk publishes.

import { strideOf } from './stride.ts'
import {
  type LeftOut,
  MOST_ITEMS,
  type ModelItem,
  type ModelThreat,
  type ThreatModel,
  ThreatModelFault,
} from './types.ts'
import {
  type Entry,
  entriesOf,
  entryOf,
  keyOf,
  nameOf,
  noThreatsIn,
  numbersNamed,
  plain,
  textOf,
  textsOf,
} from './values.ts'

/** Whether a file says that it is an Open Threat Model. */
export const isOpenThreatModel = (file: Entry): boolean => textOf(file.otmVersion) !== null

/** A threat at a component, data flow or trust zone, with the state that it and its mitigations have there. */
type Instance = { place: string; state: string | null; mitigations: { id: string; state: string | null }[] }

/** Reads the threats that the file describes, with the places that name them; ThreatModelFault for too many of those. */
export function readOpenThreatModel(file: Entry): ThreatModel {
  const version = textOf(file.otmVersion, 50)
  if (version === null || !/^0\.[12](\.|$)/.test(version)) {
    throw new ThreatModelFault(`Open Threat Model 0.1 and 0.2 are read; the file says ${version}`)
  }
  const project = entryOf(file.project)
  const title = nameOf(project.name) ?? 'Threat model'
  const instances = readInstances(file)
  const mitigations = new Map(entriesOf(file.mitigations).map((entry) => [textOf(entry.id) ?? '', entry]))
  const threats: ModelThreat[] = []
  const leftOut: LeftOut[] = noThreatsIn(file.threats, 'threats')
  const described = new Set<string>()
  for (const threat of entriesOf(file.threats)) {
    const [id, name] = [textOf(threat.id), nameOf(threat.name)]
    if (id !== null) described.add(id)
    const at = (id === null ? undefined : instances.get(id)) ?? []
    if (name === null) leftOut.push({ threat: id ?? 'a threat', reason: 'It has no name' })
    else if (at.length > 0 && at.every(({ state }) => state !== null && outside.has(plain(state)))) {
      leftOut.push({ threat: name, reason: 'The model says that it does not apply anywhere' })
    } else threats.push(threatOf(threat, keyOf(id ?? name), name, at, mitigations))
  }
  for (const id of instances.keys()) {
    if (!described.has(id))
      leftOut.push({ threat: id, reason: 'Components name it, but the model does not describe it' })
  }
  return {
    format: 'OPEN_THREAT_MODEL',
    version,
    key: keyOf(textOf(project.id) ?? title),
    title,
    threats,
    items: readItems(file),
    leftOut,
  }
}

const outside = new Set(['notapplicable', 'na', 'hidden', 'hide'])

const lists = [
  { list: 'trustZones', kind: 'Trust zone' },
  { list: 'components', kind: 'Component' },
  { list: 'dataflows', kind: 'Data flow' },
] as const

function readInstances(file: Entry): Map<string, Instance[]> {
  const found = new Map<string, Instance[]>()
  let count = 0
  for (const { list, kind } of lists) {
    for (const element of entriesOf(file[list])) {
      const place = `${kind} “${nameOf(element.name) ?? nameOf(element.id) ?? ''}”`
      for (const instance of entriesOf(element.threats)) {
        const mitigations = entriesOf(instance.mitigations).flatMap((mitigation) => {
          const id = textOf(mitigation.mitigation)
          return id === null ? [] : [{ id, state: nameOf(mitigation.state) }]
        })
        count += 1 + mitigations.length
        if (count > MOST_ITEMS) throw new ThreatModelFault(`Threats stand at no more than ${MOST_ITEMS} places`)
        const id = textOf(instance.threat)
        if (id === null) continue
        const known = found.get(id) ?? []
        known.push({ place, state: nameOf(instance.state), mitigations })
        found.set(id, known)
      }
    }
  }
  return found
}

function threatOf(
  threat: Entry,
  key: string,
  title: string,
  at: readonly Instance[],
  mitigations: ReadonlyMap<string, Entry>,
): ModelThreat {
  const description = textOf(threat.description)
  const [categories, tags] = [textsOf(threat.categories), textsOf(threat.tags)]
  const cwes = textsOf(threat.cwes).map((text) => (/^\d+$/.test(text) ? `CWE-${text}` : text))
  const texts = [...cwes, ...categories, ...tags, title, description]
  return {
    key,
    title,
    description,
    categories,
    stride: strideOf(categories),
    cweIds: numbersNamed('CWE', texts),
    capecIds: numbersNamed('CAPEC', texts),
    severity: severityOf(entryOf(threat.risk)),
    status: joined(at.map(({ state }) => state)),
    mitigations: mitigationsOf(at, mitigations),
    places: [...new Set(at.map(({ place, state }) => (state === null ? place : `${place} (${state})`)))],
  }
}

/** Likelihood and impact as the format has them, from 0 to 100. */
function severityOf(risk: Entry): string | null {
  const parts = [textOf(risk.likelihood, 50), textOf(risk.impact, 50)]
  const [likelihood, impact] = parts
  if (impact === null) return null
  return likelihood === null ? `impact ${impact} of 100` : `likelihood ${likelihood} and impact ${impact} of 100`
}

function mitigationsOf(at: readonly Instance[], described: ReadonlyMap<string, Entry>): string[] {
  const states = new Map<string, (string | null)[]>()
  for (const { id, state } of at.flatMap((instance) => instance.mitigations)) {
    const known = states.get(id) ?? []
    known.push(state)
    states.set(id, known)
  }
  return [...states].map(([id, known]) => {
    const mitigation = described.get(id) ?? {}
    const state = joined(known)
    const name = nameOf(mitigation.name) ?? nameOf(id) ?? ''
    const description = nameOf(mitigation.description)
    return `${name}${state === null ? '' : ` (${state})`}${description === null ? '' : `: ${description}`}`
  })
}

const joined = (texts: readonly (string | null)[]): string | null =>
  [...new Set(texts.filter((text) => text !== null))].slice(0, 10).join(', ') || null

function readItems(file: Entry): ModelItem[] {
  const items = lists.flatMap(({ list, kind }) =>
    entriesOf(file[list]).map((element): ModelItem => {
      const id = keyOf(textOf(element.id) ?? nameOf(element.name) ?? '')
      const parent = entryOf(element.parent)
      return {
        id,
        kind: nameOf(element.type) === null ? kind : `${kind}: ${nameOf(element.type)}`,
        name: nameOf(element.name) ?? id,
        description: textOf(element.description) ?? undefined,
        within: nameOf(parent.trustZone ?? parent.component) ?? undefined,
        source: nameOf(element.source) ?? undefined,
        target: nameOf(element.destination) ?? undefined,
      }
    }),
  )
  if (items.length > MOST_ITEMS) throw new ThreatModelFault(`A model has at most ${MOST_ITEMS} parts`)
  return items
}
