// Collects the operations of a target: from its description, its pages, or both.

import { nothingAllowed } from '../../core/outbound-address.ts'
import type { Context, SendOptions } from '../check.ts'
import type { ScanOptions, SeedFormat } from '../options.ts'
import { quietly } from '../probing.ts'
import { isInScope } from '../scope.ts'
import type { Session } from '../session.ts'
import type { Exchange, HttpRequest, Identity, Operation, Scope } from '../types.ts'
import { browse } from './browser.ts'
import { type Asked, type Crawling, openCrawl } from './crawl.ts'
import { describedBy, discover } from './discover.ts'
import { readDocument } from './document.ts'
import { SeedFault } from './fault.ts'
import { fromGraphql, introspect, readGraphqlSchema, schemaAt } from './graphql.ts'
import { withTypes } from './graphql-typed.ts'
import { fromHar, isHar } from './har.ts'
import { fromOpenApi, isOpenApi } from './openapi.ts'
import { fromPostman, identityOfPostman, isPostman } from './postman.ts'
import { signInsOf, withSignIns, withSignUps } from './sign-ins.ts'
import { fromWsdl } from './soap.ts'
import { withoutTakenOver } from './taken-over.ts'
import { type Ask, type Imported, importsOf } from './wsdl-imports.ts'

type SeedInput = {
  options: ScanOptions
  target: URL
  scope: Scope
  /** the sessions, whose sign-in forms are scanned as well */
  sessions: readonly Session[]
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  /** the headers and cookies of the first identity, for the browser */
  credentials: () => { headers: Record<string, string>; cookies: readonly (readonly [string, string])[] }
  signal: AbortSignal
  /** fetches documents that the description imports, without credentials */
  ask: Ask
  /** notes which parts of the description were left out, and why */
  note: (sentence: string) => void
}

export type Seeds = {
  operations: Operation[]
  /** Further operations that the responses of forms lead to; none if pages are not followed. */
  further: (asked: readonly Asked[], ask: Context['attempt']) => Promise<Operation[]>
}

type Described = NonNullable<ScanOptions['schema']>

/** Operations in the order in which they were described; those of the description come before those of pages. */
export async function seedsOf(input: SeedInput): Promise<Seeds> {
  const { profile, allowDestructive } = input.options
  const mayAsk = ({ kind, isDestructive }: Operation) =>
    (kind === 'read' || profile !== 'BASIC') && (!isDestructive || allowDestructive === true)
  const { crawling, operations } = await untyped(input)
  // left-out ones are known as well, so that following pages does not add them again
  const known = new Set(operations.map(({ key }) => key))
  const sent = await withoutTakenOver(operations, input.send)
  return {
    operations: withSignIns(await withTypes(sent, input.send, mayAsk), input.sessions),
    async further(asked, ask) {
      await crawling?.follow(asked, ask)
      const found = (crawling?.operations() ?? []).filter(({ key }) => !known.has(key))
      for (const { key } of found) known.add(key)
      return withSignUps(await withoutTakenOver(found, input.send), input.send)
    },
  }
}

type Untyped = { crawling: Crawling | null; operations: Operation[] }

async function untyped(input: SeedInput): Promise<Untyped> {
  const { options, target, scope, send, credentials, signal, note } = input
  const described = options.schema ? await readGiven(options.schema, input) : []
  if (!options.schema && options.format === 'GRAPHQL') {
    const schema = await introspect(target.href, send)
    if (!schema) throw new SeedFault('the target does not reveal its GraphQL schema')
    described.push(...fromGraphql(schema, target))
  }
  if (!(options.crawl ?? described.length === 0)) return { crawling: null, operations: distinct(described) }
  const landings = input.sessions.flatMap(({ landedAt }) => landedAt ?? [])
  const crawling = openCrawl({ target, scope, landings, send, ask: input.ask, signal })
  await crawling.start()
  const known = crawling.operations()
  const discovered = described.length > 0 ? [] : await discover({ target, scope, send, known, note })
  const isWide = described.length + discovered.length === 0
  const entries = await signInsOf(input.sessions, scope, send)
  const first = [...described, ...discovered, ...entries]
  if (options.browser === false)
    return { crawling, operations: await withSignUps(distinct([...first, ...known]), send) }
  const onlyReads = options.profile === 'BASIC'
  const scripted = crawling.scripted()
  const allowed = options.allowed ?? nothingAllowed
  const browsing = { target, scope, allowed, credentials: credentials(), signal }
  const browsed = await browse({ ...browsing, isWide, onlyReads, known, scripted })
  await crawling.further(browsed.pages)
  const loaded = isWide ? await describedBy(browsed.operations, { target, scope, send }) : []
  // the form on the page is already known, with all of its fields and buttons
  const withForms = new Set([...first, ...crawling.operations()].map(placeOf))
  const built = browsed.sent.filter((one) => !withForms.has(placeOf(one)))
  const all = distinct([...first, ...loaded, ...crawling.operations(), ...browsed.operations, ...built])
  return { crawling, operations: await withSignUps(all, send) }
}

const placeOf = ({ method, origin, path }: Operation): string => `${method} ${origin}${path}`

async function readGiven(
  schema: Described,
  { options, target, scope, send, ask, note }: SeedInput,
): Promise<Operation[]> {
  const base = schema.url === undefined ? null : URL.parse(schema.url)
  const imported = isXml(schema.text) ? await importsOf(schema.text, base, ask, note) : []
  const format = options.format ?? null
  const described = readSchema(schema.text, format, target, imported)
  if (described !== null) return described
  // a GraphQL endpoint refuses a plain GET, and returns its schema to an introspection query
  if (base !== null && (format === null || format === 'GRAPHQL') && isInScope(base.href, scope)) {
    const told = await quietly(schemaAt(base.href, send))
    if (told) return fromGraphql(told, base)
  }
  throw schema.status === undefined
    ? noDescription(format)
    : new SeedFault(`${schema.name} answered ${schema.status}, and reveals no GraphQL schema`)
}

/** Removes operations with the same key; the first stays, so that descriptions take precedence over pages. */
function distinct(operations: readonly Operation[]): Operation[] {
  const kept = new Map<string, Operation>()
  for (const operation of operations) if (!kept.has(operation.key)) kept.set(operation.key, operation)
  return [...kept.values()]
}

const noDescription = (format: SeedFormat | null) =>
  new SeedFault(
    format ? `the API description is not in the format ${format}` : 'the API description is not in a known format',
  )

const isXml = (text: string) => /^\s*</.test(text)

/**
 * The operations of a description's text; null when it is of no known format, or not of the one that `format` names.
 * `imported` are the documents that a WSDL file imports.
 */
export function readSchema(
  text: string,
  format: SeedFormat | null,
  target: URL,
  imported: readonly Imported[] = [],
): Operation[] | null {
  const isWanted = (one: SeedFormat) => format === null || format === one
  if (isXml(text)) return isWanted('SOAP') ? fromWsdl(text, target, imported) : null
  const document = format === 'GRAPHQL' ? null : readDocument(text)
  if (document && isOpenApi(document)) return isWanted('OPENAPI') ? fromOpenApi(document, target) : null
  if (document && isPostman(document)) return isWanted('POSTMAN') ? fromPostman(document, target) : null
  if (document && isHar(document)) return isWanted('HAR') ? fromHar(document) : null
  const schema = isWanted('GRAPHQL') ? readGraphqlSchema(text) : null
  return schema && (schema.getQueryType() || schema.getMutationType()) ? fromGraphql(schema, target) : null
}

/** The identity whose credentials a description contains; null if it has none. */
export function identityIn(text: string): Identity | null {
  const document = /^\s*\{/.test(text) ? readDocument(text) : null
  return document && isPostman(document) ? identityOfPostman(document) : null
}
