// Infers the types of variables in recorded GraphQL from introspection, or from the error messages of the target.

import { SendFailed } from '../outcome.ts'
import { requestOf } from '../points.ts'
import type { Send } from '../requests.ts'
import type { Operation } from '../types.ts'
import { introspect } from './graphql.ts'
import { type GraphqlBody, retyped, typedBySchema } from './graphql-request.ts'

/** Operations whose complaint is asked for, where the target does not tell its schema. */
const MOST_ASKED = 100
/** As libraries of GraphQL say it after its rule "All Variable Usages Are Allowed". */
const COMPLAINT =
  /Variable \\?["'`]?\$(\w{1,100})\\?["'`]? of type \\?["'`]?[\w[\]!]{1,200}\\?["'`]? used in position expecting (?:type )?\\?["'`]?([\w[\]!]{1,200})/g

const UNKNOWN = /Unknown type \\?["'`]?(\w{1,100})/g
/** What else takes a literal of that look. */
const similar: Readonly<Record<string, string>> = { Int: 'Float', Float: 'ID', String: 'ID' }
const MOST_ROUNDS = 4

/** The operations, those of GraphQL with types that the target takes. `mayAsk`: whether an operation may be sent for it. */
export async function withTypes(
  operations: readonly Operation[],
  send: Send,
  mayAsk: (operation: Operation) => boolean,
): Promise<Operation[]> {
  const schemas = new Map<string, ReturnType<typeof introspect>>()
  const typed: Operation[] = []
  let asked = 0
  for (const operation of operations) {
    const { body, source, origin, path } = operation
    if (body?.type !== 'graphql' || source === 'graphql') {
      typed.push(operation)
      continue
    }
    const endpoint = `${origin}${path}`
    const telling = schemas.get(endpoint) ?? introspect(endpoint, send).catch(noneWhenSilent)
    schemas.set(endpoint, telling)
    const schema = await telling
    if (schema) typed.push({ ...operation, body: typedBySchema(body, schema) })
    else if (mayAsk(operation) && asked++ < MOST_ASKED)
      typed.push({ ...operation, body: await byComplaint(operation, body, send) })
    else typed.push(operation)
  }
  return typed
}

async function byComplaint(operation: Operation, body: GraphqlBody, send: Send): Promise<GraphqlBody> {
  let now = body
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const exchange = await send(requestOf({ ...operation, body: now })).catch(noneWhenSilent)
    const wanted = wantedIn(exchange?.text ?? '', now)
    if (wanted.size === 0) break
    now = retyped(now, wanted)
  }
  return now
}

/** Types of variables as an answer wants them; a type that the schema does not use at all is unknown to it. */
function wantedIn(text: string, { types }: GraphqlBody): Map<string, string> {
  const wanted = new Map([...text.matchAll(COMPLAINT)].map(([, name = '', type = '']) => [name, type] as const))
  for (const [, unknown = ''] of text.matchAll(UNKNOWN)) {
    for (const [name, type] of Object.entries(types)) {
      const other = similar[type.replaceAll('!', '')]
      if (type.replaceAll('!', '') === unknown && other && !wanted.has(name)) wanted.set(name, other)
    }
  }
  return wanted
}

function noneWhenSilent(error: unknown): null {
  if (error instanceof SendFailed) return null
  throw error
}
