// Fields that an operation accepts but its description omits: those of the object that it changes, or those that its response follows.

import type { Context } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { innermost } from '../current-values.ts'
import { headerOf } from '../http.ts'
import { isObject, readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import { isTurnedAway } from '../session.ts'
import type { Body, Change, Exchange, Json, Operation } from '../types.ts'
import { plainName } from '../values.ts'
import { valueByName } from './names.ts'

type Asked = { operation: Operation; exchange: Exchange }

/** Names of what is told or looked for; none says by itself that something is deleted, reset or given rights. */
const NAMES = `
  id userId productId orderId name title text message msg comment content description subject body note reason
  url uri link href callback image imageUrl file fileName filename path dir folder template
  q query search filter keyword expression code command cmd args action target event type kind status state value
  input data xml format lang category host domain ip address email phone username from to amount quantity price date`
  .trim()
  .split(/\s+/)
const FILES = ['file', 'files', 'image', 'upload', 'photo', 'avatar', 'document', 'attachment']
const TAKES_FILES = /upload|image|photo|avatar|picture|attachment|import|(^|[^a-z])files?([^a-z]|$)/i

const MOST_OPERATIONS = 60
/** Requests for one operation, and names that are kept of it: what shows more of them shows whatever it is sent. */
const MOST_ASKED = 14
const MOST_KEPT = 4
const MOST_MEMBERS = 20
/** Likeness below which an answer counts as another. */
const OTHER = 0.97

/** The operations whose body the description does not describe, with what they take; nothing of those that take nothing. */
export async function undescribedOf(asked: readonly Asked[], context: Context): Promise<Operation[]> {
  const found: Operation[] = []
  for (const one of asked.filter((each) => mayTake(each, context)).slice(0, MOST_OPERATIONS)) {
    if (context.signal.aborted) break
    const taken = ofWhatItChanges(one, asked) ?? (await namesOf(one, context)) ?? (await fileOf(one, context))
    if (taken !== null) found.push(taking(one.operation, taken))
  }
  return found
}

/** What the operation was before, so that it is not asked without its fields any more. */
export const isInstead = (operation: Operation, taken: readonly Operation[]): boolean =>
  taken.some(({ key }) => key === keyOf(operation))

const mayTake = ({ operation, exchange }: Asked, context: Context): boolean =>
  operation.source === 'openapi' &&
  ['POST', 'PUT', 'PATCH'].includes(operation.method) &&
  isEmpty(operation.body) &&
  // what is told in the address needs no document
  operation.parameters.every(({ place, name }) => place !== 'query' || /^(force|confirm|override)$/i.test(name)) &&
  !operation.isDestructive &&
  !operation.isSignIn &&
  mayNameAccounts(operation, context) &&
  !isTurnedAway(exchange) &&
  ![401, 403, 404, 405, 429].includes(exchange.answer.status)

const isEmpty = (body: Body | null): boolean =>
  body === null ||
  (body.type === 'json' && (body.value === null || (isObject(body.value) && Object.keys(body.value).length === 0))) ||
  (body.type === 'multipart' && body.fields.length === 0)

/** Ids and times are the server's; without a name to sign in with, and without a password, nobody loses an account. */
const LEFT_OUT =
  /id$|uuid|guid|^(created|updated|deleted|modified|last).*|at$|passw|pwd|hash|token|secret|salt|key$|^(e?mail|emailaddress|user|username|login|nick|handle)$|role|admin|staff|superuser|permission|verified|active|enabled/

/** The members that the reading of the same address answers with, as they are now: nothing is changed by them. */
function ofWhatItChanges({ operation }: Asked, asked: readonly Asked[]): Body | null {
  if (operation.kind !== 'update' || operation.body?.type === 'multipart') return null
  const reading = asked.find(
    ({ operation: { method, path, origin, parameters }, exchange }) =>
      method === 'GET' &&
      path === operation.path &&
      origin === operation.origin &&
      exchange.answer.status === 200 &&
      parameters.every(
        ({ place, name, value }) =>
          place !== 'path' || operation.parameters.some((one) => one.name === name && one.value === value),
      ),
  )
  const thing = reading && innermost(readJson(reading.exchange.text))
  if (!isObject(thing)) return null
  const members = Object.entries(thing).filter(
    ([name, value]) => value !== null && typeof value !== 'object' && !LEFT_OUT.test(plainName(name)),
  )
  if (members.length === 0) return null
  return jsonBody(Object.fromEntries(members.slice(0, MOST_MEMBERS)))
}

/** Usual names that the answer follows, or shows the values of. */
async function namesOf({ operation }: Asked, context: Context): Promise<Body | null> {
  if (operation.body?.type === 'multipart') return null
  const empty = { ...operation, body: jsonBody({}) }
  let left = MOST_ASKED
  const ask = async (names: readonly string[]) => {
    left -= 1
    const changes = names.map((name): Change => {
      const value = context.word()
      return { point: { place: 'json', name, value }, value }
    })
    const answer = left < 0 ? null : await context.attempt(empty, changes)
    const values = changes.map(({ value }) => String(value))
    const given = answer ? answer.text + headerOf(answer.answer, 'location') : ''
    const shown = names.filter((_, index) => given.includes(values[index] ?? ''))
    return answer && { shown, answer, isOther: (one: Exchange) => likenessOf(answer, one, values) < OTHER }
  }
  // what a name that nobody reads changes, the document as such changes
  const control = await ask([context.word()])
  const whole = control && control.shown.length === 0 ? await ask(NAMES) : null
  if (control === null || whole === null || whole.answer.answer.status === 429) return null
  if (whole.shown.length > MOST_KEPT) return null
  if (whole.shown.length > 0) return named(whole.shown)
  // an answer that changes by itself follows no name
  const again = whole.isOther(control.answer) ? await ask([context.word()]) : null
  if (again === null || again.isOther(control.answer)) return null
  const narrow = async (names: readonly string[]): Promise<string[]> => {
    const half = Math.ceil(names.length / 2)
    const kept: string[] = []
    for (const part of [names.slice(0, half), names.slice(half)]) {
      const told = part.length === 0 ? null : await ask(part)
      if (told?.isOther(control.answer)) kept.push(...(part.length === 1 ? part : await narrow(part)))
    }
    return kept
  }
  const kept = await narrow(NAMES)
  return kept.length > 0 && kept.length <= MOST_KEPT ? named(kept) : null
}

const named = (names: readonly string[]): Body =>
  jsonBody(Object.fromEntries(names.map((name) => [name, valueByName(name)])))

const jsonBody = (value: Json): Body => ({ type: 'json', mediaType: 'application/json', value })

/** A usual name under which a file is taken, where the path says that one is: the answer is another than under a name that nobody reads. */
async function fileOf({ operation }: Asked, context: Context): Promise<Body | null> {
  if (operation.kind === 'update' || !TAKES_FILES.test(operation.path)) return null
  const attempt = (name: string) => {
    const body = fileBody(name, context.word())
    return { body, answer: context.attempt({ ...operation, body }) }
  }
  const control = await attempt(context.word()).answer
  if (control === null || control.answer.status === 429) return null
  for (const name of FILES) {
    const { body, answer } = attempt(name)
    const exchange = await answer
    if (exchange === null) continue
    const isKept = exchange.text.includes(fileNameIn(body)) && !control.text.includes(fileNameIn(body))
    const isTaken = exchange.answer.status < 300 && (control.answer.status >= 400 || isKept)
    if (isTaken) return fileBody(name, 'merlon')
  }
  return null
}

const fileBody = (name: string, word: string): Extract<Body, { type: 'multipart' }> => ({
  type: 'multipart',
  fields: [{ name, value: 'merlon', fileName: `${word}.txt`, mediaType: 'text/plain', schema: { format: 'binary' } }],
})

const fileNameIn = ({ fields }: Extract<Body, { type: 'multipart' }>): string => fields[0]?.fileName ?? ''

/** The same in every scan, whatever is found to be taken. */
const keyOf = ({ key }: Operation): string => `${key}#body`

const taking = (operation: Operation, body: Body): Operation => ({ ...operation, key: keyOf(operation), body })
