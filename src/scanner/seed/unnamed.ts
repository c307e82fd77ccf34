// Parameters that a page reads and nothing names: usual names are asked together, and those that change the answer become
// operations of their own.

import type { Context } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import { isTurnedAway } from '../session.ts'
import type { Change, Exchange, Operation } from '../types.ts'
import { isDestructive, valueByName } from './names.ts'

/** Names of values that are read, and none that says to do something. */
const NAMES = `
  id q query search s keyword name value text title message msg comment url uri link src dest to next
  redirect redirectUrl returnTo returnUrl callback file fileName filename path dir folder doc template
  view include image fileurl ip ipaddress host domain user username userId email lang category type
  format sort order data input content xml json key code date color theme error debug`
  .trim()
  .split(/\s+/)
const MOST_OPERATIONS = 200
/** Requests for one page, and names that are kept of it: where more seem to be read, the page shows its whole address. */
const MOST_ASKED = 30
const MOST_KEPT = 3
/** Likeness below which an answer counts as another. */
const OTHER = 0.97

/** For pages without a parameter that answered: the same pages with the parameters that they turn out to read. */
export async function unnamedOf(
  asked: readonly { operation: Operation; exchange: Exchange }[],
  context: Pick<Context, 'attempt' | 'word' | 'signal'>,
): Promise<Operation[]> {
  const found: Operation[] = []
  const beside = namesBeside(asked)
  for (const { operation, exchange } of asked.filter(mayRead).slice(0, MOST_OPERATIONS)) {
    if (context.signal.aborted) break
    const usual = await readBy(operation, exchange, NAMES, context)
    const isEnough = usual.length > 0 || beside.length === 0
    const names = isEnough ? usual : await readBy(operation, exchange, beside, context)
    for (const name of names) found.push(withParameter(operation, name))
  }
  return found
}

const mayRead = ({ operation, exchange }: { operation: Operation; exchange: Exchange }) =>
  !isTurnedAway(exchange) &&
  operation.method === 'GET' &&
  operation.body === null &&
  isMade(operation.path) &&
  operation.parameters.every(({ place }) => place === 'path') &&
  ![401, 403, 404, 405].includes(exchange.answer.status) &&
  /html|json|text\/plain|^$/.test(mediaTypeOf(exchange.answer))

/** Whether a program answers there, by the ending: what has another one is a file. */
const isMade = (path: string): boolean =>
  !path.includes('.') || /\.(php\d?|phtml|jspx?|jsf|do|action|aspx?|ashx|cfm|cgi|pl)\/?$/i.test(path)

/** What links to other pages of the target name in their addresses, and what says to do nothing. */
function namesBeside(asked: readonly { operation: Operation }[]): string[] {
  const names = asked.flatMap(({ operation: { source, parameters } }) =>
    source === 'crawl' ? parameters.flatMap(({ place, name }) => (place === 'query' ? [name] : [])) : [],
  )
  const harmless = names.filter((name) => /^\w{1,30}$/.test(name) && !ACTS.test(name) && !isDestructive('GET', name))
  return [...new Set(harmless)].filter((name) => !NAMES.includes(name)).slice(0, MOST_BESIDE)
}

const MOST_BESIDE = 20
const ACTS =
  /act(ion)?|cmd|command|submit|^do$|^op$|save|send|create|update|add|buy|pay|transfer|approve|accept|reject|confirm|publish|subscri|vote|close|enable/i

async function readBy(
  operation: Operation,
  first: Exchange,
  names: readonly string[],
  { attempt, word }: Pick<Context, 'attempt' | 'word'>,
): Promise<string[]> {
  let left = MOST_ASKED
  const ask = async (names: readonly string[]) => {
    left -= 1
    const changes = names.map((name): Change => {
      const value = word()
      return { point: { place: 'query', name, value }, value }
    })
    const exchange = left < 0 ? null : await attempt(operation, changes)
    const values = changes.map(({ value }) => String(value))
    const given = exchange ? exchange.text + headerOf(exchange.answer, 'location') : ''
    const shown = names.filter((_, index) => given.includes(values[index] ?? ''))
    return exchange && { shown, isOther: likenessOf(exchange, first, values) < OTHER }
  }
  // what a name that nobody reads changes, the address changes
  const control = await ask([word()])
  if (control === null || control.isOther || control.shown.length > 0) return []
  const whole = await ask(names)
  if (whole === null || (!whole.isOther && whole.shown.length === 0)) return []
  if (whole.shown.length > MOST_KEPT) return []
  if (whole.shown.length > 0) return whole.shown
  const narrow = async (names: readonly string[]): Promise<string[]> => {
    const half = Math.ceil(names.length / 2)
    const kept: string[] = []
    for (const part of [names.slice(0, half), names.slice(half)]) {
      const told = await ask(part)
      if (told?.isOther) kept.push(...(part.length === 1 ? part : await narrow(part)))
    }
    return kept
  }
  const kept = await narrow(names)
  return kept.length <= MOST_KEPT ? kept : []
}

function withParameter(operation: Operation, name: string): Operation {
  return {
    ...operation,
    key: `${operation.key}?${name}`,
    parameters: [...operation.parameters, { place: 'query', name, value: valueByName(name), required: false }],
    source: 'guess',
  }
}
