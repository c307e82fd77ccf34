// Decides what belongs to whom: values that only one identity's responses contain, and names that identify a person.

import type { Context } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import { openSeen, type Seen } from '../seen.ts'
import type { Exchange, Identity, Json, Operation, Point } from '../types.ts'
import { leafName, plainName, resourceOf, singular } from '../values.ts'
import { isAdministrative } from './administrative.ts'
import { isOrdinary } from './ordinary.ts'
import { accountIdsAmong, isAccountId, ownIds } from './own-ids.ts'
import { claimsOf, tokensIn } from './tokens.ts'

/** A leaf of an answer: its normalised name, the kind of its object (`order`), and its sibling values. */
export type Known = { name: string; of: string; value: string; beside: ReadonlySet<string> }

export type Holdings = {
  /** the leaves of all answers to requests without a reference, up to a limit */
  leaves: readonly Known[]
  values: ReadonlySet<string>
  /** those of them that are not from what is for administrators, by its name: that everybody gets it is a flaw of its own */
  rightful: ReadonlySet<string>
  /** ids of the account by sign-ins and answers about oneself, however short, as `user 7` */
  accounts: ReadonlySet<string>
  /** lower-case texts that name the person: user names, addresses, ids of accounts */
  marks: ReadonlySet<string>
}

const MOST_LEAVES = 3_000
const MOST_ASKED = 40

/** Whether a value names a thing or a person, so that another's could stand in its place. */
export function isReference({ place, name, schema }: Point): boolean {
  if (place === 'path') return true
  if (place === 'header' || place === 'cookie' || place === 'file') return false
  if (schema?.format === 'uuid') return true
  return /(id|uuid|guid|username|login|email|account|owner|number|slug|key|code|vin|ref|reference)s?$/.test(
    plainName(name),
  )
}

/** A token among the values says who asks, whoever sends it. */
const isToken = ({ value }: Point): boolean => typeof value === 'string' && claimsOf(value) !== null

const memos = new WeakMap<Context, Map<string, Promise<unknown>>>()
const answersOf = new WeakMap<Context, Seen>()

/** The result of the first call for that name in this scan. */
export function once<T>(context: Context, name: string, make: () => Promise<T>): Promise<T> {
  const memo = memos.get(context) ?? new Map<string, Promise<unknown>>()
  memos.set(context, memo)
  const known = memo.get(name)
  // The name says of what type the promise is: each is asked for in one place only.
  if (known !== undefined) return known as Promise<T>
  const made = make()
  memo.set(name, made)
  return made
}

/** What the operation answers with its own values to that identity (null: nobody); asked once in a scan. */
export async function answerFor(
  context: Context,
  operation: Operation,
  identity: Identity | null,
): Promise<Exchange | null> {
  const seen = context.seen(operation, identity)
  if (seen !== undefined) return seen
  const answers = answersOf.get(context) ?? openSeen()
  answersOf.set(context, answers)
  await once(context, `answer ${identity?.name ?? ''} ${identity === null} ${operation.key}`, async () => {
    const exchange = await context.attempt(operation, [], { identity })
    if (exchange) answers.keep(operation, identity?.name ?? null, exchange)
  })
  return answers.find(operation, identity) ?? null
}

export const isFine = (exchange: Exchange | null | undefined): exchange is Exchange =>
  exchange !== null && exchange !== undefined && exchange.answer.status >= 200 && exchange.answer.status < 300

/** Whether an answer with status 200 reports an error. */
export const hasErrors = ({ text }: Exchange): boolean =>
  /^\s*\{\s*"(errors|error)"\s*:\s*[[{"]/.test(text.slice(0, 200)) ||
  /"data"\s*:\s*(null|\{\s*"\w{1,100}"\s*:\s*null\s*\})/.test(text.slice(0, 2_000))

/** Everything that an identity can read without naming an object. */
export function holdingsOf(context: Context, identity: Identity | null): Promise<Holdings> {
  return once(context, `holdings ${identity?.name ?? ''} ${identity === null}`, async () => {
    const leaves: Known[] = []
    const administrative = new Set<Known>()
    const accounts = new Set<string>()
    const marks = new Set(identity === null ? [] : marksOf(identity))
    const isPlainUser = identity === null || isOrdinary(identity, context)
    const open = context.operations.filter(
      (operation) =>
        operation.kind === 'read' && !context.pointsOf(operation).some((point) => isReference(point) || isToken(point)),
    )
    const asked = [...open.filter(({ path }) => SELF.test(path)), ...open.filter(({ path }) => !SELF.test(path))]
    for (const operation of asked.slice(0, MOST_ASKED)) {
      const exchange = await answerFor(context, operation, identity)
      if (!isFine(exchange)) continue
      if (identity !== null) for (const token of tokensIn(exchange.request)) addClaims(token.text, marks)
      const json = readJson(exchange.text)
      if (json === undefined) continue
      const from = leaves.length
      collect(json, resourceOf(operation), leaves)
      if (isPlainUser && isAdministrative(operation)) for (const leaf of leaves.slice(from)) administrative.add(leaf)
      if (identity === null || !isAboutSelf(operation, json)) continue
      addNames(json, marks)
      for (const id of accountIdsAmong(leaves.slice(from))) accounts.add(id)
    }
    // What a sign-in tells is of whoever signed in.
    const opened = identity === null ? null : context.signedIn(identity)
    const told = opened === null ? undefined : readJson(opened.text)
    if (told !== undefined) {
      const from = leaves.length
      collect(told, 'user', leaves)
      for (const id of accountIdsAmong(leaves.slice(from))) accounts.add(id)
    }
    // What an identity made is its own, and only the first one makes.
    if (identity !== null && identity === context.identities[0]) {
      for (const operation of context.operations.filter(({ kind }) => kind === 'create')) {
        const made = context.seen(operation, identity)
        const json = isFine(made) ? readJson(made.text) : undefined
        if (json !== undefined) collect(json, resourceOf(operation), leaves)
      }
    }
    const valuesOf = (some: readonly Known[]) => new Set(some.map(({ value }) => value))
    const rightful = valuesOf(leaves.filter((leaf) => !administrative.has(leaf)))
    return { leaves, values: valuesOf(leaves), rightful, accounts, marks }
  })
}

const SELF = /(^|[/._-])(me|self|whoami|profile|account|current|dashboard|userinfo|my[-_]?\w{0,20})($|[/._-])|\/user$/i

/** Whether an answer is about who asks. */
export const isAboutSelf = (operation: Operation, json: Json): boolean =>
  SELF.test(operation.path) || (isObject(json) && /#Query\.(me|viewer|self|currentUser|profile)$/i.test(operation.key))

/** What the target may know somebody by: the name and the user name. */
export const namesOf = ({ name, isNameMadeUp, login }: Identity): string[] => [
  ...(isNameMadeUp ? [] : [name]),
  ...(login && 'username' in login ? [login.username] : []),
]

function marksOf(identity: Identity): string[] {
  const marks = namesOf(identity)
  for (const [name, value] of identity.headers) {
    const basic = /^basic +([\w+/=]{4,400})$/i.exec(name.toLowerCase() === 'authorization' ? value : '')?.[1]
    if (basic !== undefined) marks.push(Buffer.from(basic, 'base64').toString().split(':')[0] ?? '')
  }
  return marks.filter((mark) => mark.length > 2).map((mark) => mark.toLowerCase())
}

const NAMES =
  /^(sub|email|mail|username|login|userid|useruuid|uid|upn|preferredusername|name|uuid|phone|phonenumber|accountid|customerid|memberid|id)$/

function addClaims(token: string, marks: Set<string>): void {
  const claims = claimsOf(token)
  if (claims !== null) addNames(claims, marks)
}

/** Names of the person in an object about them; short numbers identify nobody. */
function addNames(json: Json, marks: Set<string>, depth = 0): void {
  if (!isObject(json) || depth > 3) return
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'object') addNames(value, marks, depth + 1)
    else if (NAMES.test(plainName(name)) && isTelling(value)) marks.add(String(value).toLowerCase())
  }
}

const isTelling = (value: Json): boolean => typeof value === 'string' && value.length > 2 && !/^\d{1,5}$/.test(value)

/** The leaves of an answer, with what each is of. */
export function collect(json: Json, resource: string, into: Known[]): void {
  const walk = (value: Json, of: string, depth: number): void => {
    if (into.length >= MOST_LEAVES || depth > 10) return
    if (isList(value)) {
      for (const one of value.slice(0, 50)) walk(one, singular(of), depth + 1)
      return
    }
    if (!isObject(value)) return
    const beside = new Set<string>()
    for (const one of Object.values(value)) if (isPlain(one)) beside.add(String(one).toLowerCase())
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'object' && one !== null) {
        walk(one, isWrapper(name) ? of : singular(plainName(name)), depth + 1)
      } else if (isPlain(one)) {
        into.push({ name: plainName(name), of, value: String(one), beside })
      }
    }
  }
  walk(json, resource, 0)
}

const isPlain = (value: Json): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length < 400)

const isWrapper = (name: string) =>
  /^(data|results?|items|rows|records|list|content|nodes?|edges|payload|response|body|hits)$/i.test(name)

/** A value for a reference; `isOwn`: the identity's answers have it under that name, and the others' have not. */
export type Reference = { value: string; isOwn: boolean }

/** The values that an identity has for a reference, its own first, then those beside its name, then the operation's own value. */
export function ownReferences(
  point: Point,
  operation: Operation,
  own: Holdings,
  others: readonly Holdings[],
): Reference[] {
  const plain = leafName(point.name)
  const resource = resourceOf(operation, point.place === 'path' ? point.name : undefined)
  const isGeneral = /^(id|ids|uuid|guid|number|key|code|slug|name|ref|reference|pk)$/.test(plain)
  const fits = ({ name, of }: Known) =>
    (name === plain && (!isGeneral || of === resource)) ||
    `${of}${name}` === plain ||
    (of === resource && (name === 'id' || name === 'uuid') && /(id|uuid|guid|number)$/.test(plain))
  const candidates = own.leaves.filter(fits)
  const isElsewhere = (value: string) => others.some(({ values }) => values.has(value))
  const ranked: Reference[] = [
    ...ownIds(plain, resource, own.accounts).map((value) => ({ value, isOwn: true })),
    ...candidates.filter(({ value }) => !isElsewhere(value)).map(({ value }) => ({ value, isOwn: true })),
    ...candidates
      .filter(({ beside }) => [...own.marks].some((mark) => beside.has(mark)))
      .map(({ value }) => ({ value, isOwn: false })),
  ]
  if (point.value !== null && typeof point.value !== 'object') {
    const value = String(point.value)
    ranked.push({ value, isOwn: isAccountId(value, own.accounts) })
  }
  return ranked.filter(({ value }, index) => ranked.findIndex((other) => other.value === value) === index)
}

/** A reference in the type that the operation expects, because a text is refused where it takes a number. */
export const asTaken = ({ value: own }: Point, value: string): Json =>
  typeof own === 'number' && /^-?\d{1,15}$/.test(value) ? Number(value) : value

/** Whether an answer names the person: a leaf, or a word of a page, is one of the marks. */
export function names(text: string, marks: ReadonlySet<string>): string | null {
  const json = readJson(text)
  if (json !== undefined) {
    const leaves: Known[] = []
    collect(json, '', leaves)
    return leaves.find(({ value }) => marks.has(value.toLowerCase()))?.value ?? null
  }
  const lower = text.toLowerCase()
  for (const mark of marks) {
    for (let at = lower.indexOf(mark); at >= 0; at = lower.indexOf(mark, at + mark.length)) {
      if (!/\w/.test(lower[at - 1] ?? ' ') && !/\w/.test(lower[at + mark.length] ?? ' ')) return mark
    }
  }
  return null
}
