// Records what a call reads from its surroundings and what it changes there, so that an equal call need not be read again.

import type { Routine } from '../tree.ts'
import type { Environment } from './environment.ts'
import type { Value } from './value.ts'

/** One call that is being read. What was opened before `start` lies outside of it. */
export type Entry = {
  start: number
  /** by the first environment outside of the call in which a name was sought: what it was, undefined where there was none */
  reads: Map<Environment, Map<string, Value | undefined>>
  writes: Map<Environment, Set<string>>
  /** what was reported and taken back, in order */
  effects: (() => void)[]
  /** functions that it asked to enter */
  asked: Set<Routine>
  /** calls within calls at the deepest place where one was entered */
  deepest: number
  /** whether something was left out for being too deep, or counted on how deep it was */
  isBound: boolean
  size: number
  /** whether it did what cannot be told */
  isLost: boolean
}

/** The entries of the calls that are open, the innermost last, and the number of environments opened so far. */
export type Ledger = { opened: number; entries: Entry[] }

export const openLedger = (): Ledger => ({ opened: 0, entries: [] })

/** Names and effects of one call that are written down at most. */
const LARGEST = 600

export function beginEntry(ledger: Ledger): Entry {
  const entry: Entry = {
    start: ledger.opened,
    reads: new Map(),
    writes: new Map(),
    effects: [],
    asked: new Set(),
    deepest: 0,
    isBound: false,
    size: 0,
    isLost: false,
  }
  ledger.entries.push(entry)
  return entry
}

export const entryOf = ({ entries }: Ledger): Entry | undefined => entries.at(-1)

function grow(entry: Entry): boolean {
  entry.size += 1
  if (entry.size > LARGEST) entry.isLost = true
  return !entry.isLost
}

/** A name was sought from `outside` on, and found in `holder` or nowhere. What the call itself put there is no news. */
export function noteRead(
  entry: Entry,
  outside: Environment,
  name: string,
  value: Value | undefined,
  holder: Environment | null,
): void {
  if (entry.isLost || (holder && entry.writes.get(holder)?.has(name))) return
  let names = entry.reads.get(outside)
  if (!names) {
    names = new Map()
    entry.reads.set(outside, names)
  }
  if (!names.has(name) && grow(entry)) names.set(name, value)
}

export function noteWrite(entry: Entry, holder: Environment, name: string): void {
  if (entry.isLost || holder.born >= entry.start) return
  const names = entry.writes.get(holder)
  if (names?.has(name) || !grow(entry)) return
  if (names) names.add(name)
  else entry.writes.set(holder, new Set([name]))
}

export function noteEffect(ledger: Ledger, effect: () => void): void {
  const entry = entryOf(ledger)
  if (entry && grow(entry)) entry.effects.push(effect)
}

/** What is done to all of the piece of code at once is not told: the open calls are read again each time. */
export function forget({ entries }: Ledger): void {
  for (const entry of entries) entry.isLost = true
}

/** Makes what an inner call took and did a part of the call around it. */
export function absorb(entry: Entry, inner: Omit<Entry, 'start' | 'size' | 'isLost'>): void {
  for (const [outside, names] of inner.reads) for (const [name, value] of names) absorbRead(entry, outside, name, value)
  for (const [holder, names] of inner.writes) for (const name of names) noteWrite(entry, holder, name)
  for (const effect of inner.effects) if (grow(entry)) entry.effects.push(effect)
  for (const routine of inner.asked) entry.asked.add(routine)
  entry.deepest = Math.max(entry.deepest, inner.deepest)
  entry.isBound ||= inner.isBound
}

function absorbRead(entry: Entry, from: Environment, name: string, value: Value | undefined): void {
  let outside: Environment | null = null
  for (let at: Environment | null = from; at; at = at.outer) {
    if (at.born < entry.start) outside ??= at
    if (!at.names.has(name)) continue
    if (outside) noteRead(entry, outside, name, value, at)
    return
  }
  if (outside) noteRead(entry, outside, name, value, null)
}
