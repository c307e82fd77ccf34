// Looks for a description that the target publishes in one of the usual places: OpenAPI, GraphQL, WSDL.

import { quietly } from '../probing.ts'
import { get, type Send } from '../requests.ts'
import { isInScope } from '../scope.ts'
import type { Exchange, Operation, Scope } from '../types.ts'
import { readDocument } from './document.ts'
import { fromGraphql, schemaAt } from './graphql.ts'
import { fromOpenApi, isOpenApi } from './openapi.ts'
import { fromWsdl } from './soap.ts'
import { importsOf } from './wsdl-imports.ts'

type Discover = {
  target: URL
  scope: Scope
  send: Send
  /** what pages led to, which tells of further places */
  known: readonly Operation[]
  /** tells what of a description was left out, and why */
  note: (sentence: string) => void
}

const OPENAPI = [
  'openapi.json',
  'swagger.json',
  'api-docs',
  'v3/api-docs',
  'v2/api-docs',
  'swagger/v1/swagger.json',
  'openapi.yaml',
  'openapi.yml',
  'swagger.yaml',
  'api/openapi.json',
  'api/swagger.json',
  'api/openapi.yaml',
  'api/v1/openapi.json',
  'api/docs/openapi.json',
  'docs/openapi.json',
  'api-docs.json',
  'openapi3.yml',
  'api/schema/',
  'swagger/doc.json',
  'static/swagger.json',
  'static/openapi.json',
  'openapi',
  'api/swagger.yaml',
  'docs/swagger.json',
  'api-docs/swagger.json',
] as const
const GRAPHQL = ['graphql', 'api/graphql', 'v1/graphql', 'query', 'graphql/v1', 'gql', 'api/gql', 'api'] as const
const MOST_WSDL = 10
/** Documents that scripts load which are looked at. */
const MOST_LOADED = 20

/** What documents among those that scripts load describe. */
export async function describedBy(
  loaded: readonly Operation[],
  { target, scope, send }: Pick<Discover, 'target' | 'scope' | 'send'>,
): Promise<Operation[]> {
  const plain = loaded.filter(
    ({ method, parameters }) => method === 'GET' && parameters.every(({ place }) => place === 'header'),
  )
  for (const { origin, path } of plain.slice(0, MOST_LOADED)) {
    const described = openApiIn(await askIn(origin + path, { scope, send }), target)
    if (described !== null) return described
  }
  return []
}

export async function discover({ target, scope, send, known, note }: Discover): Promise<Operation[]> {
  const bases = [...new Set([target.href.replace(/[^/]*$/, ''), new URL('/', target).href])]
  const ask = (url: string) => askIn(url, { scope, send })
  const found: Operation[] = []

  for (const address of OPENAPI.flatMap((path) => bases.map((base) => new URL(path, base).href))) {
    const described = openApiIn(await ask(address), target)
    if (described === null) continue
    found.push(...described)
    break
  }

  const endpoints = new Set([
    target.href,
    ...known.filter(({ path }) => /graphql|gql/i.test(path)).map(({ origin, path }) => origin + path),
  ])
  for (const path of GRAPHQL) for (const base of bases) endpoints.add(new URL(path, base).href)
  for (const endpoint of endpoints) {
    if (!isInScope(endpoint, scope)) continue
    const schema = await quietly(schemaAt(endpoint, send))
    if (!schema) continue
    found.push(...fromGraphql(schema, new URL(endpoint)))
    break
  }

  const services = [
    target.href,
    ...known.map(({ origin, path }) => origin + path).filter((url) => /wsdl|soap|service|\.asmx|\.svc/i.test(url)),
  ]
  for (const service of [...new Set(services)].slice(0, MOST_WSDL)) {
    const place = `${service.split('?', 1).join('')}?wsdl`
    const exchange = await ask(place)
    if (!exchange || !/<(\w+:)?definitions/.test(exchange.text)) continue
    const answerOf = async (url: string) => (await ask(url))?.answer ?? null
    const imported = await importsOf(exchange.text, new URL(place), answerOf, note)
    found.push(...(fromWsdl(exchange.text, new URL(service), imported) ?? []))
  }
  return found
}

const askIn = async (url: string, { scope, send }: Pick<Discover, 'scope' | 'send'>): Promise<Exchange | null> =>
  isInScope(url, scope) ? quietly(send(get(url))) : null

function openApiIn(exchange: Exchange | null, target: URL): Operation[] | null {
  const text = exchange && exchange.answer.status === 200 ? exchange.text : ''
  const isLikely = /["']?(openapi|swagger)["']?\s{0,5}:/.test(text) && !/^\s*</.test(text)
  const document = isLikely ? readDocument(text) : null
  return document && isOpenApi(document) ? fromOpenApi(document, new URL('/', target)) : null
}
