// Checks what GraphQL discloses (schema, suggestions, consoles, traces), and whether other sites can trigger mutations.

import type { Context, PassiveCheck, Sighting, TargetCheck } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Exchange, Operation } from '../types.ts'
import { dataOf, type Endpoint, endpointsOf, get, post } from './graphql-endpoint.ts'

type Seen = { detail: string; exchange: Exchange; proof: string[]; cause?: string; operation?: Operation }
type Facts = Pick<TargetCheck, 'id' | 'title' | 'cwes' | 'solution'> & Partial<TargetCheck>

const exposure = (facts: Facts, probe: (endpoint: Endpoint, context: Context) => AsyncIterable<Seen>): TargetCheck => ({
  severity: 'LOW',
  profile: 'BASIC',
  ...facts,
  kind: 'target',
  async *probe(context): AsyncGenerator<Sighting> {
    for (const endpoint of await endpointsOf(context)) {
      for await (const seen of probe(endpoint, context)) yield { operation: endpoint.operation, ...seen }
    }
  },
})

/** Fields that many schemas have, misspelled with a doubled letter so that none of them is executed. */
const USUAL = ['user', 'users', 'node', 'products', 'search', 'orders', 'posts', 'login', 'items', 'account']

const WORKBENCH =
  /graphiql|graphql-playground|GraphQL Playground|altair-graphql|altair GraphQL|graphql-voyager|embeddable-sandbox|ApolloServerPluginLandingPage/i
const WORKBENCHES = ['/graphiql', '/playground', '/altair', '/voyager', '/graphql/console', '/graphql-playground']

const introspection = exposure(
  {
    id: 'graphql-introspection',
    title: 'GraphQL introspection enabled',
    cwes: [200],
    solution: 'Turn introspection off unless the schema is meant to be public.',
  },
  async function* ({ ask }, { identities }) {
    for (const identity of [null, ...identities.slice(0, 1)]) {
      const exchange = await ask({ query: 'query{__schema{queryType{name} types{name}}}' }, identity)
      const schema = exchange === null ? undefined : dataOf(exchange)?.__schema
      if (exchange === null || !isObject(schema) || !isList(schema.types) || schema.types.length === 0) continue
      const whom = identity === null ? 'anyone' : `${identity.name}, who is signed in`
      yield { detail: `Introspection returns ${schema.types.length} types to ${whom}.`, exchange, proof: ['__schema'] }
      return
    }
  },
)

const suggestions = exposure(
  {
    id: 'graphql-suggestions',
    title: 'GraphQL field suggestions enabled',
    cwes: [200, 209],
    solution: 'Turn suggestions in validation errors off where introspection is off.',
  },
  async function* ({ ask }, context) {
    const known = context.operations.flatMap(({ key }) => /#Query\.(\w{4,60})$/.exec(key)?.[1] ?? [])
    for (const name of [...known.slice(0, 3), ...USUAL].slice(0, 8)) {
      const exchange = await ask({ query: `query{${name}${name.at(-1)}q}` }, null)
      const told = exchange === null ? null : /did you mean [^?]{1,200}\?/i.exec(exchange.text.slice(0, 20_000))
      if (exchange === null || !told) continue
      yield { detail: 'A wrong field name is answered with a suggestion of existing ones.', exchange, proof: [told[0]] }
      return
    }
  },
)

const workbench = exposure(
  {
    id: 'graphql-workbench',
    title: 'GraphQL IDE exposed',
    cwes: [489, 200],
    solution: 'Serve GraphiQL and similar IDEs on developers’ machines only.',
  },
  async function* ({ url, send, operation }) {
    const { origin } = new URL(url)
    for (const place of [url, ...WORKBENCHES.map((path) => origin + path)]) {
      const exchange = await send(get(place, 'text/html'))
      const text = exchange?.text.slice(0, 100_000) ?? ''
      const sign = WORKBENCH.exec(text)
      if (
        exchange === null ||
        exchange.answer.status !== 200 ||
        !sign ||
        !/<(html|script|div|body|!doctype)/i.test(text)
      )
        continue
      const { pathname } = new URL(place)
      const page = { ...operation, key: `GET ${pathname}`, method: 'GET', path: pathname, body: null }
      yield { detail: `A GraphQL IDE (${sign[0]}) is served.`, exchange, proof: [sign[0]], operation: page }
      return
    }
  },
)

const otherSites = exposure(
  {
    id: 'graphql-csrf',
    title: 'GraphQL cross-site request forgery (CSRF)',
    cwes: [352],
    severity: 'MEDIUM',
    solution: 'Accept mutations only by POST as application/json, or with a header that other sites cannot set.',
  },
  async function* ({ url, send }) {
    // `__typename` of the root of changes changes nothing.
    const query = 'mutation{__typename}'
    const isRun = (exchange: Exchange | null): exchange is Exchange => {
      const name = exchange === null ? undefined : dataOf(exchange)?.__typename
      return typeof name === 'string' && name !== ''
    }
    const plain = await send(post(url, 'application/json', JSON.stringify({ query })))
    if (!isRun(plain)) return
    const byGet = await send(get(`${url}?query=${encodeURIComponent(query)}`))
    if (isRun(byGet))
      yield { detail: 'A mutation sent by GET is run.', exchange: byGet, proof: ['__typename'], cause: `GET ${url}` }
    const byForm = await send(post(url, 'application/x-www-form-urlencoded', `query=${encodeURIComponent(query)}`))
    if (isRun(byForm))
      yield {
        detail: 'A mutation sent as a form is run.',
        exchange: byForm,
        proof: ['__typename'],
        cause: `form ${url}`,
      }
    else {
      const byText = await send(post(url, 'text/plain', JSON.stringify({ query })))
      if (isRun(byText))
        yield {
          detail: 'A mutation sent as text/plain is run.',
          exchange: byText,
          proof: ['__typename'],
          cause: `form ${url}`,
        }
    }
  },
)

const TRACE = /^(stacktrace|stack|trace|tracing|debug|debugmessage|debuginfo|exception)$/i

/** The first member of `extensions`, of the answer or of an error, that exposes internals. */
function traceOf(text: string): string | null {
  const json = readJson(text)
  if (!isObject(json)) return null
  const errors = isList(json.errors) ? json.errors.slice(0, 20) : []
  const extensions = [json.extensions, ...errors.flatMap((error) => (isObject(error) ? [error.extensions, error] : []))]
  for (const one of extensions) {
    if (!isObject(one)) continue
    for (const [name, value] of Object.entries(one)) {
      if (!TRACE.test(name) || value === null || value === false || value === '') continue
      if (/exception/i.test(name) && !/stack|trace|\bat /i.test(JSON.stringify(value))) continue
      return name
    }
  }
  return null
}

const traces: PassiveCheck = {
  kind: 'passive',
  id: 'graphql-traces',
  title: 'GraphQL debug information disclosed',
  cwes: [209, 1295],
  severity: 'LOW',
  solution: 'Turn debugging and tracing off, and mask errors that are not meant for clients.',
  profile: 'BASIC',
  *look(exchange) {
    const start = exchange.text.slice(0, 200)
    if (!/^\s*\{/.test(start) || !/"(errors|extensions|data)"/.test(exchange.text.slice(0, 5_000))) return
    const name = traceOf(exchange.text)
    if (name === null) return
    yield {
      detail: `The response contains ${name}: a trace or debugging data.`,
      proof: [`"${name}"`],
      exchange,
      cause: `${exchange.operation.split('#')[0]} ${name}`,
    }
  },
}

export const graphqlExposure: readonly (TargetCheck | PassiveCheck)[] = [
  introspection,
  suggestions,
  workbench,
  otherSites,
  traces,
]
