// Attack patterns (MITRE CAPEC) and weaknesses (MITRE CWE): names, and which weaknesses a pattern uses.

import { readFileSync } from 'node:fs'

export type Weakness = { id: number; name: string }
export type Pattern = { id: number; name: string }

type PatternRecord = [id: number, name: string, childOf: number[], cwes: number[]]
type WeaknessRecord = [id: number, name: string, childOf: number[]]

type Catalogue = {
  patterns: ReadonlyMap<number, { name: string; cwes: readonly number[] }>
  weaknesses: ReadonlyMap<number, string>
  children: ReadonlyMap<number, readonly number[]>
  /** pattern → its weaknesses with their descendants, filled as they are asked for */
  reached: Map<number, readonly number[]>
}

let read: Catalogue | null = null

/** The committed files, read when the first pattern is asked for and kept. */
function catalogue(): Catalogue {
  read ??= readCatalogue()
  return read
}

function readCatalogue(): Catalogue {
  const patterns = readRecords<PatternRecord>('capec.json')
  const weaknesses = readRecords<WeaknessRecord>('cwe.json')
  const children = new Map<number, number[]>()
  for (const [id, , childOf] of weaknesses) {
    for (const parent of childOf) children.set(parent, [...(children.get(parent) ?? []), id])
  }
  return {
    patterns: new Map(patterns.map(([id, name, , cwes]) => [id, { name, cwes }])),
    weaknesses: new Map(weaknesses.map(([id, name]) => [id, name])),
    children,
    reached: new Map(),
  }
}

const readRecords = <T>(file: string): T[] =>
  JSON.parse(readFileSync(new URL(`catalogue/${file}`, import.meta.url), 'utf8'))

/** Reads `66` or `CAPEC-66` (in any case) as the number of a pattern of the catalogue, or null. */
export function parseCapecId(text: string): number | null {
  const digits = /^(?:CAPEC-)?([1-9]\d{0,5})$/i.exec(text)?.[1]
  return digits !== undefined && catalogue().patterns.has(Number(digits)) ? Number(digits) : null
}

/** The pattern with this number, or null. */
export function capec(id: number): Pattern | null {
  const found = catalogue().patterns.get(id)
  return found ? { id, name: found.name } : null
}

/** The weakness with this number, or null. */
export function cwe(id: number): Weakness | null {
  const name = catalogue().weaknesses.get(id)
  return name === undefined ? null : { id, name }
}

/** The weaknesses that a pattern uses and all their descendants, ascending; none for a pattern that names none. */
export function cwesOf(capecId: number): readonly number[] {
  const { patterns, children, reached } = catalogue()
  const known = reached.get(capecId)
  if (known) return known
  const found = new Set<number>()
  const open = [...(patterns.get(capecId)?.cwes ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...(children.get(id) ?? []))
  }
  const all = [...found].sort((left, right) => left - right)
  reached.set(capecId, all)
  return all
}
