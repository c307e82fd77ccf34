// Finds the target's GraphQL endpoints, and sends the requests of the GraphQL checks.

import type { Context } from '../check.ts'
import { isObject, readJson } from '../json-leaves.ts'
import type { Exchange, HttpRequest, Identity, Json, Operation } from '../types.ts'
import { once } from './ownership.ts'

export type Endpoint = {
  url: string
  /** the operation of findings about the whole endpoint: `POST /graphql` */
  operation: Operation
  ask: (body: Json, identity?: Identity | null) => Promise<Exchange | null>
  send: (request: HttpRequest) => Promise<Exchange | null>
}

const PLACES = ['/graphql', '/api/graphql', '/v1/graphql', '/graphql/v1', '/api/gql', '/gql', '/query']

/** The endpoints of the described operations, or else the usual paths that answer GraphQL. */
export function endpointsOf(context: Context): Promise<Endpoint[]> {
  return once(context, 'graphql endpoints', async () => {
    const described = context.operations
      .filter(({ body, source }) => body?.type === 'graphql' || source === 'graphql')
      .map(({ origin, path }) => origin + path)
    const known = [...new Set(described)]
    if (known.length > 0) return known.slice(0, 3).map((url) => endpoint(url, context))

    const found: Endpoint[] = []
    const passed = context.operations
      .filter(({ path }) => /\/(graphql|gql)$/i.test(path))
      .map(({ origin, path }) => origin + path)
    for (const url of new Set([...passed, ...PLACES.map((place) => context.target.origin + place)])) {
      const candidate = endpoint(url, context)
      const exchange = await candidate.ask({ query: 'query{__typename}' })
      if (exchange !== null && typeNameOf(exchange) !== null) found.push(candidate)
      if (found.length > 0) break
    }
    return found
  })
}

function endpoint(url: string, context: Context): Endpoint {
  const { origin, pathname } = new URL(url)
  const operation: Operation = {
    key: `POST ${pathname}`,
    method: 'POST',
    origin,
    path: pathname,
    parameters: [],
    body: { type: 'json', mediaType: 'application/json', value: { query: '{__typename}' } },
    kind: 'read',
    isDestructive: false,
    requiresAuth: null,
    isBeside: true,
    source: 'graphql',
    answers: {},
  }
  const send = (request: HttpRequest, identity?: Identity | null): Promise<Exchange | null> =>
    context.send(request, { operation, ...(identity === undefined ? {} : { identity }) }).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SendFailed') return null
      throw error
    })
  return {
    url,
    operation,
    send,
    ask: (body, identity) => send(post(url, 'application/json', JSON.stringify(body)), identity),
  }
}

/** A request with such a body; `Accept` asks for JSON. */
export function post(url: string, mediaType: string, body: string): HttpRequest {
  const headers = [
    ['Host', new URL(url).host],
    ['Accept', 'application/json'],
    ['Content-Type', mediaType],
    ['Content-Length', String(Buffer.byteLength(body))],
  ] as const
  return { method: 'POST', url, headers, body }
}

export const get = (url: string, accept = 'application/json'): HttpRequest => ({
  method: 'GET',
  url,
  headers: [
    ['Host', new URL(url).host],
    ['Accept', accept],
  ],
  body: null,
})

/** The data of an answer without errors; null otherwise. */
export function dataOf({ text }: Exchange): { readonly [name: string]: Json } | null {
  const json = readJson(text)
  if (!isObject(json) || !isObject(json.data)) return null
  return Array.isArray(json.errors) && json.errors.length > 0 ? null : json.data
}

/** The root's `__typename`; null if the answer has none. */
function typeNameOf(exchange: Exchange): string | null {
  const name = dataOf(exchange)?.__typename
  return typeof name === 'string' && name !== '' ? name : null
}
