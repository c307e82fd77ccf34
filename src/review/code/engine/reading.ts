// The state of one reading of a piece of code: its rules, classes, bounds, and findings so far.

import type { Sink } from '../rule-file.ts'
import type { Fault, Harm, Rule, Rulebook } from '../rules.ts'
import type { Expression, Place, Routine, Statement } from '../tree.ts'
import { checkedOf, type Environment, lookup } from './environment.ts'
import { entryOf, type Ledger, noteEffect, noteRead } from './ledger.ts'
import type { Reaching } from './reach.ts'
import { DEEPEST, type Memory } from './recall.ts'
import { type Closure, type Flow, isOutside, newFlow, type Step, UNBOUND, type Value } from './value.ts'

/** Lines and columns count from 0; `flow` is null if the code is wrong by itself. */
export type Hit = { rule: Rule; line: number; column: number; flow: Flow | null; isPreparing: boolean }

export type ClassFacts = {
  name: string
  parent: string | null
  methods: Map<string, Routine>
  fields: Statement[]
  environment: Environment
  /** the piece that declared it last */
  part: number
}

/** One call that is being read: what it has returned so far, and the states in which its innermost loop or switch was left. */
export type Frame = {
  routine: Routine | null
  returns: Value | null
  guards: Environment['guards'] | null
  leaves: Environment[]
}

export type Reading = {
  book: Rulebook
  /** functions of the piece by which harm is reached */
  reaching: Reaching
  classes: Map<string, ClassFacts>
  frames: Frame[]
  /** expressions that may still be read */
  budget: number
  origins: number
  /** name of a source → its number */
  numbers: Map<string, number>
  hits: Map<string, Hit>
  /** functions that are yet to be read as if anything called them */
  waiting: Closure[]
  /** functions that were read for a call */
  entered: Set<Routine>
  ledger: Ledger
  memory: Memory
  /** classes that were declared so far */
  classCount: number
  /** of the pieces that are read together, the one whose statements are run, counted from 1 */
  part: number
}

/** Expressions of one piece of code that are read at most, those of called functions each time. */
const BUDGET = 400_000

export const openReading = (book: Rulebook, reaching: Reaching, ledger: Ledger): Reading => ({
  book,
  reaching,
  classes: new Map(),
  frames: [{ routine: null, returns: null, guards: null, leaves: [] }],
  budget: BUDGET,
  origins: 0,
  numbers: new Map(),
  hits: new Map(),
  waiting: [],
  entered: new Set(),
  ledger,
  memory: new Map(),
  classCount: 0,
  part: 0,
})

/** Whether a call of the function may be followed: not too deep, and not recursive. */
export function isOpen({ frames, budget, ledger }: Reading, routine: Routine): boolean {
  const isDeep = frames.length >= DEEPEST
  const entry = entryOf(ledger)
  if (entry) {
    entry.asked.add(routine)
    if (isDeep) entry.isBound = true
    else entry.deepest = Math.max(entry.deepest, frames.length)
  }
  return budget > 0 && !isDeep && !frames.some((frame) => frame.routine === routine)
}

export const frameOf = (reading: Reading): Frame => {
  const frame = reading.frames.at(-1)
  if (!frame) throw new Error('A reading has a frame')
  return frame
}

/** A flow that begins here; two reads under the same name have the same origin. */
export function sourceAt(reading: Reading, label: string, at: Place, name: string, whole: boolean): Flow {
  const { line, column } = at.range().start
  return newFlow(label, originOf(reading, `${label}:${name}`), line, column, whole)
}

/** Whether a source of this name holds many values; others are one string. */
export const isCollection = (name: string): boolean => COLLECTION.test(name)

const COLLECTION =
  /(?:^|[.$_])(?:query|body|params|param|headers|header|cookies|signedCookies|args|form|values|files|json|GET|POST|REQUEST|COOKIE|COOKIES|META|FILES|SERVER|Form|PostForm|MultipartForm|Header|query_params|path_params|queryStringParameters|pathParameters|view_args|data|request|attributes)$/

function originOf(reading: Reading, key: string): number {
  const known = reading.numbers.get(key)
  if (known !== undefined) return known
  reading.numbers.set(key, ++reading.origins)
  return reading.origins
}

/** The flows of a part of an outside object; `whole` if the part has parts of its own. */
export function partOf(reading: Reading, flows: readonly Flow[], part: string, whole = false): readonly Flow[] {
  if (!flows.some(({ whole }) => whole)) return flows
  return flows.map((flow) => {
    if (!flow.whole) return flow
    const origin = originOf(reading, `${flow.origin}/${part}`)
    return { ...flow, origin, whole, parent: flow.origin }
  })
}

function hit(reading: Reading, rule: Rule, at: Place, flow: Flow | null, isPreparing = false): void {
  noteEffect(reading.ledger, () => hit(reading, rule, at, flow, isPreparing))
  const { line, column } = at.range().start
  const key = `${rule.id}:${line}`
  const known = reading.hits.get(key)
  if (known && (known.flow === null || (flow && depthOf(known.flow.last) <= depthOf(flow.last)))) return
  reading.hits.set(key, { rule, line, column, flow, isPreparing })
}

/** Withdraws findings about something that was only prepared with data that is checked now. */
export function withdraw(reading: Reading, origin: number, kinds: readonly string[]): void {
  noteEffect(reading.ledger, () => withdraw(reading, origin, kinds))
  for (const [key, { rule, flow, isPreparing }] of reading.hits) {
    if (isPreparing && flow?.origin === origin && (kinds.includes(rule.kind) || kinds.includes('*')))
      reading.hits.delete(key)
  }
}

/** Something that was prepared with this data is used now, so a later check cannot withdraw the finding. */
export function confirm(reading: Reading, flows: readonly Flow[]): void {
  if (flows.length === 0) return
  noteEffect(reading.ledger, () => confirm(reading, flows))
  for (const hit of reading.hits.values())
    if (hit.isPreparing && flows.some(({ origin }) => origin === hit.flow?.origin)) hit.isPreparing = false
}

function depthOf(step: Step): number {
  let depth = 0
  for (let at: Step | null = step; at; at = at.before) depth++
  return depth
}

/** Stands for an origin in guards: a check that holds for all data. */
export const EVERYTHING = -1

/** Whether the rule covers arguments of unseen callers, and the text before this one is as the rule requires. */
const mayBeGiven = ({ given }: Rule, { opening }: Value): boolean =>
  given !== undefined && expressionOf(given).test(opening ?? '')

/** A name in the style of constants. */
const CONSTANT = /^[A-Z][A-Z\d_]*$/

/** A constant of a class of this piece of code, by its qualified name, unless it was assigned to since. */
export function classConstant(
  reading: Reading,
  { object, name }: Expression & { k: 'member' },
  environment: Environment,
): Value | null {
  const facts = object.k === 'name' && CONSTANT.test(name) ? reading.classes.get(object.name) : undefined
  if (!facts || lookup(environment, facts.name)?.items?.has(name)) return null
  const value = facts.environment.names.get(name)
  const entry = entryOf(reading.ledger)
  if (entry) noteRead(entry, facts.environment, name, value, facts.environment)
  return value?.constant === undefined ? null : value
}

const expressions = new Map<string, RegExp>()
export function expressionOf(source: string): RegExp {
  const known = expressions.get(source) ?? new RegExp(source, 'i')
  expressions.set(source, known)
  return known
}

/** Whether the flow does harm by this rule, at this point of the code. */
function harms(flow: Flow, { rule, sink }: Harm, value: Value, environment: Environment): boolean {
  if (!rule.sources.includes(flow.label) && (isOutside(flow) || !mayBeGiven(rule, value))) return false
  if (flow.label === UNBOUND && !rule.unbound) return false
  if (sink.answer && environment.guards.get(EVERYTHING)?.has(rule.kind)) return false
  if (flow.cleaned.has(rule.kind)) return false
  const checked = checkedOf(flow, environment)
  if (checked?.has('*') || checked?.has(rule.kind)) return false
  return true
}

/** If a string starts like this, outside data can change neither its host nor the root of its path. */
const FIXED = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/\\?#]+[/?#]|^\/[^/\\]|^[?#]|\ufffc|^[\w.-]+[/?=]/i

const leads = (prefix: string | null): boolean =>
  prefix === null || !FIXED.test(prefix.replace(/^\s*location:\s*/i, ''))

/** Reports the first flow of the value that harms. */
export function reportFlow(
  reading: Reading,
  { rule, sink }: Harm,
  value: Value,
  flows: readonly Flow[],
  environment: Environment,
  at: Place,
): void {
  if (!isDangerous(sink, value)) return
  const flow = flows.find(
    (each) =>
      !(sink.text && each.whole) &&
      (sink.given || isOutside(each)) &&
      (each.whole || !sink.whole) &&
      harms(each, { rule, sink }, value, environment),
  )
  if (flow) hit(reading, rule, at, flow, sink.preparing)
}

const isDangerous = (sink: Sink, value: Value): boolean => !sink.leading || leads(value.prefix)

export function reportFlaw(reading: Reading, { rule }: Fault, at: Place, { guards }: Environment): void {
  if (!guards.get(EVERYTHING)?.has(rule.kind)) hit(reading, rule, at, null)
}
