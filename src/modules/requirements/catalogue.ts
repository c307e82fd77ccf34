// Attack patterns (MITRE CAPEC) and weaknesses (MITRE CWE): names, and which weaknesses a pattern uses.

import { readFileSync } from 'node:fs'

type Weakness = { id: number; name: string }
type Pattern = { id: number; name: string }

type PatternRecord = [id: number, name: string, childOf: number[], cwes: number[]]
type WeaknessRecord = [id: number, name: string, childOf: number[]]

type Catalogue = {
  patterns: ReadonlyMap<number, { name: string; childOf: readonly number[]; cwes: readonly number[] }>
  weaknesses: ReadonlyMap<number, { name: string; childOf: readonly number[] }>
  children: ReadonlyMap<number, readonly number[]>
  /** pattern → its weaknesses with their descendants; filled on demand */
  reached: Map<number, readonly number[]>
  /** the reverse: weakness → the patterns that use it; made on first use */
  users: ReadonlyMap<number, readonly number[]> | null
}

let read: Catalogue | null = null

/** The committed catalogue files, read on first use and then kept. */
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
    patterns: new Map(patterns.map(([id, name, childOf, cwes]) => [id, { name, childOf, cwes }])),
    weaknesses: new Map(weaknesses.map(([id, name, childOf]) => [id, { name, childOf }])),
    children,
    reached: new Map(),
    users: null,
  }
}

const readRecords = <T>(file: string): T[] =>
  JSON.parse(readFileSync(new URL(`catalogue/${file}`, import.meta.url), 'utf8'))

/** Reads `66` or `CAPEC-66`, ignoring case, as the number of a pattern in the catalogue; null if there is none. */
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
  const found = catalogue().weaknesses.get(id)
  return found ? { id, name: found.name } : null
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

/** The patterns that use one of these weaknesses or an ancestor of one: all p whose cwesOf(p) has one of them. */
export function patternsUsing(cweIds: readonly number[]): number[] {
  const all = catalogue()
  all.users ??= usersOf([...all.patterns.keys()])
  const { users } = all
  return [...new Set(cweIds.flatMap((id) => users.get(id) ?? []))]
}

function usersOf(patterns: readonly number[]): Map<number, number[]> {
  const users = new Map<number, number[]>()
  for (const pattern of patterns) {
    for (const id of cwesOf(pattern)) {
      const known = users.get(id)
      if (known) known.push(pattern)
      else users.set(id, [pattern])
    }
  }
  return users
}

const MOST_PATTERNS = 3

/**
 * At most three attack patterns that represent a weakness: of the patterns that name it the broadest, and of these the ones with the
 * fewest other weaknesses. If no pattern names it, those of its parent weaknesses, whose checks it violates as well.
 */
export function patternsOf(cweId: number): number[] {
  const { weaknesses } = catalogue()
  const seen = new Set<number>()
  for (let level = [cweId]; level.length > 0; ) {
    const naming = patternsNaming(level)
    if (naming.length > 0) return broadest(naming)
    for (const id of level) seen.add(id)
    level = level.flatMap((id) => weaknesses.get(id)?.childOf ?? []).filter((id) => !seen.has(id))
  }
  return []
}

const patternsNaming = (cwes: readonly number[]): number[] =>
  [...catalogue().patterns].filter(([, pattern]) => pattern.cwes.some((id) => cwes.includes(id))).map(([id]) => id)

function broadest(ids: readonly number[]): number[] {
  const { patterns } = catalogue()
  const isBelow = (id: number): boolean =>
    (patterns.get(id)?.childOf ?? []).some((parent) => ids.includes(parent) || isBelow(parent))
  const width = (id: number): number => patterns.get(id)?.cwes.length ?? 0
  return ids
    .filter((id) => !isBelow(id))
    .toSorted((left, right) => width(left) - width(right) || left - right)
    .slice(0, MOST_PATTERNS)
}
