// Records what a call reads from its surroundings and what it changes there, so that an equal call need not be read again.

import type { Routine } from '../tree.ts'
import type { Environment } from './environment.ts'
import type { Value } from './value.ts'

/** One call that is being read. Environments opened before `start` lie outside of it. */
export type Entry = {
  start: number
  /** names that were looked up, by the first environment outside of the call; undefined if the name was not found */
  reads: Map<Environment, Map<string, Value | undefined>>
  writes: Map<Environment, Set<string>>
  /** findings that were reported and withdrawn, in order */
  effects: (() => void)[]
  /** functions that it tried to enter */
  asked: Set<Routine>
  /** depth of the deepest call that was entered */
  deepest: number
  /** whether the result depends on the depth, because something was too deep to be followed */
  isBound: boolean
  size: number
  /** whether it did something that cannot be recorded */
  isLost: boolean
}

/** The entries of the calls that are open, the innermost last, and the number of environments opened so far. */
export type Ledger = { opened: number; entries: Entry[] }

export const openLedger = (): Ledger => ({ opened: 0, entries: [] })

/** The most names and effects that are recorded for one call. */
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

/** Records that a name was looked up from `outside` on and found in `holder`, or nowhere. The call's own writes are not recorded as reads. */
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

/** Marks the open calls as not reusable, after a change that affects the whole piece of code. */
export function forget({ entries }: Ledger): void {
  for (const entry of entries) entry.isLost = true
}

/** Adds the reads, writes and effects of an inner call to the call around it. */
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
