// Checks how much a single GraphQL request may ask for: batches, aliases, directives, repeated fields, depth.

import type { Sighting, TargetCheck } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Exchange } from '../types.ts'
import { dataOf, type Endpoint, endpointsOf } from './graphql-endpoint.ts'
import { cycleOf, introspect } from './graphql-types.ts'

const OPERATIONS = 12
const ALIASES = 120
const DIRECTIVES = 120
const REPETITIONS = 600
/** A query depth that no client needs. */
const DEPTH = 24

type Probe = (endpoint: Endpoint) => Promise<{ detail: string; exchange: Exchange; proof?: string[] } | null>

/** A check that sends one request to each endpoint. */
function limit(facts: Pick<TargetCheck, 'id' | 'title' | 'cwes' | 'solution'>, probe: Probe): TargetCheck {
  return {
    kind: 'target',
    severity: 'LOW',
    profile: 'BALANCED',
    ...facts,
    async *probe(context): AsyncGenerator<Sighting> {
      for (const endpoint of await endpointsOf(context)) {
        const seen = await probe(endpoint)
        if (seen === null) continue
        yield { proof: [seen.exchange.text.slice(0, 60)], operation: endpoint.operation, ...seen }
      }
    },
  }
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

export const graphqlLimits: readonly TargetCheck[] = [
  limit(
    {
      id: 'graphql-batch',
      title: 'GraphQL batching without a limit',
      cwes: [770],
      solution: 'Accept one operation per request, or a few, and count each against the limits.',
    },
    async ({ ask }) => {
      const exchange = await ask(many(OPERATIONS, () => ({ query: 'query{__typename}' })))
      const answers = exchange === null ? undefined : readJson(exchange.text)
      if (exchange === null || !isList(answers) || answers.length !== OPERATIONS) return null
      const isRun = answers.every(
        (one) => isObject(one) && isObject(one.data) && typeof one.data.__typename === 'string',
      )
      return isRun ? { detail: `A batch (array) of ${OPERATIONS} operations was run in one request.`, exchange } : null
    },
  ),
  limit(
    {
      id: 'graphql-aliases',
      title: 'GraphQL aliases without a limit',
      cwes: [770],
      solution: 'Limit the aliases of a request, or its cost.',
    },
    async ({ ask }) => {
      const exchange = await ask({ query: `query{${many(ALIASES, (index) => `a${index}:__typename`).join(' ')}}` })
      const data = exchange === null ? null : dataOf(exchange)
      if (exchange === null || data === null || Object.keys(data).length !== ALIASES) return null
      return { detail: `One field was run under ${ALIASES} aliases in one request.`, exchange }
    },
  ),
  limit(
    {
      id: 'graphql-directives',
      title: 'GraphQL directives without a limit',
      cwes: [770],
      solution: 'Limit the directives of a request before it is validated.',
    },
    async ({ ask }) => {
      const fragments = many(DIRECTIVES, () => '...@include(if:true){__typename}').join(' ')
      const exchange = await ask({ query: `query{${fragments}}` })
      if (exchange !== null && dataOf(exchange) !== null) {
        return { detail: `${DIRECTIVES} directives in one request were all processed.`, exchange }
      }
      const unknown = await ask({ query: `query{__typename ${'@zq'.repeat(DIRECTIVES)}}` })
      const errors = unknown === null ? undefined : readJson(unknown.text)
      if (unknown === null || !isObject(errors) || !isList(errors.errors) || errors.errors.length < DIRECTIVES * 0.8)
        return null
      return {
        detail: `${DIRECTIVES} unknown directives on one field were each processed and reported.`,
        exchange: unknown,
      }
    },
  ),
  limit(
    {
      id: 'graphql-repetition',
      title: 'GraphQL field duplication without a limit',
      cwes: [770],
      solution: 'Limit the tokens of a request, and the fields of one selection.',
    },
    async ({ ask }) => {
      const exchange = await ask({ query: `query{${'__typename '.repeat(REPETITIONS)}}` })
      if (exchange === null || dataOf(exchange) === null) return null
      return { detail: `One field, repeated (duplicated) ${REPETITIONS} times in one request, was accepted.`, exchange }
    },
  ),
  limit(
    {
      id: 'graphql-depth',
      title: 'GraphQL query depth without a limit',
      cwes: [674],
      solution: 'Limit the depth of a request, or its cost.',
    },
    async (endpoint) => {
      const types = await introspect(endpoint)
      const cycle = types === null ? null : cycleOf(types)
      if (cycle === null) return null
      let query = cycle.leaf
      for (let level = 0; level < DEPTH; level += 1) {
        const field = cycle.way[(DEPTH - 1 - level) % cycle.way.length] ?? ''
        query = `${field}{${query}}`
      }
      // What is skipped is validated, and measured, but not run: where lists contain lists, running it could end the target.
      const [first = '', ...rest] = [...cycle.start]
        .reverse()
        .reduce((inner, field) => `${field}{${inner}}`, query)
        .split('{')
      const exchange = await endpoint.ask({ query: `query{__typename ${first} @skip(if:true){${rest.join('{')}}` })
      if (exchange === null || !isDone(exchange)) return null
      return { detail: `${DEPTH} levels of ${cycle.way.join(' → ')} were accepted in one request.`, exchange }
    },
  ),
]

/** Whether the query was executed: the answer has data and mentions no limit. */
function isDone({ text, answer }: Exchange): boolean {
  const json = readJson(text)
  if (answer.status >= 400 || !isObject(json) || json.data === undefined) return false
  return !/depth|too deep|complex|cost|limit|nest/i.test(JSON.stringify(json.errors ?? ''))
}
