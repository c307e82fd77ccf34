// Pages that respond for every path below theirs: those of programs, and the one for what is not found.

import type { Context } from '../check.ts'
import { mediaTypeOf } from '../http.ts'
import type { Exchange, Operation } from '../types.ts'

/** Programs that are asked with something behind their path, and those that are taken: they often show it by the same code. */
const MOST_ASKED = 40
const MOST_TAKEN = 6
/** Programs that a server also runs where the path goes on behind their name. */
const PROGRAM = /\.(php\d?|phtml|cgi|pl|jspx?|aspx?|cfm)$/i

type Asked = { operation: Operation; exchange: Exchange }
type Asking = Pick<Context, 'attempt' | 'word' | 'signal' | 'target'>

/** The operations that take what stands behind a path as a value. */
export async function behindPathsOf(asked: readonly Asked[], context: Asking): Promise<Operation[]> {
  // what a description alone tells of is no page
  if (!asked.some(({ operation }) => operation.source === 'crawl')) return []
  const nowhere = notFound(context.target)
  const pages = new Map<string, Operation>([[nowhere.path, nowhere]])
  for (const { operation, exchange } of asked) {
    const { path, method, origin } = operation
    if (method !== 'GET' || !PROGRAM.test(path) || pages.size > MOST_ASKED || exchange.answer.status >= 400) continue
    pages.set(path, asks(origin, `${path}/`))
  }
  return showingThePart([...pages.values()], context)
}

/** The page for what is not found, for a target that has no other: it may be all that there is. */
export const notFoundPageOf = (context: Asking): Promise<Operation[]> =>
  showingThePart([notFound(context.target)], context)

const notFound = ({ origin, pathname }: URL): Operation => asks(origin, pathname.replace(/[^/]*$/, ''))

async function showingThePart(pages: readonly Operation[], { attempt, word, signal }: Asking): Promise<Operation[]> {
  const found: Operation[] = []
  for (const operation of pages) {
    if (signal.aborted || found.length >= MOST_TAKEN) break
    const [point] = operation.parameters
    const value = word()
    const exchange = point ? await attempt(operation, [{ point, value }]) : null
    if (exchange === null || mediaTypeOf(exchange.answer) !== 'text/html') continue
    // what answers every path as a page of its own takes a part of it, which is found elsewhere
    const isExpected = exchange.answer.status < 400 === PROGRAM.test(operation.path.replace(/\/\{part\}$/, ''))
    if (isExpected && exchange.text.includes(value)) found.push(operation)
  }
  return found
}

/** What is asked by a path and a part behind it. */
const asks = (origin: string, before: string): Operation => ({
  key: `GET ${before}{part}`,
  method: 'GET',
  origin,
  path: `${before}{part}`,
  parameters: [{ place: 'path', name: 'part', value: 'merlon', required: true }],
  body: null,
  kind: 'read',
  isDestructive: false,
  requiresAuth: null,
  source: 'guess',
  answers: {},
})
