/** Bodies that are not a GraphQL request: batches, junk, broken JSON, nothing. */
import { junkJson, nestedJson } from './junk.ts'
import { type Make, members, request, times } from './material.ts'

/** Classes whose body must be rejected before its document is parsed. */
export const wrongBodies = {
  'query that is no string': ({ random }) =>
    members({ query: random.pick(['null', '1', '[]', '{}', 'true', '["{ __typename }"]', '""', '" "']) }),
  'no query': ({ random }) =>
    random.pick([
      '{}',
      '{"variables":{}}',
      '{"Query":"{ a }"}',
      '{"operationName":"A"}',
      '{"__proto__":{"query":"{ __typename }"}}',
    ]),
  batch: ({ random, operation, text }) =>
    `[${times(random.pick([0, 1, 2, 500]), () => request(text, operation), ',')}]`,
  'junk body': ({ random }) => junkJson(random),
  'deep body': ({ random }) => nestedJson(random, random.pick([100, 10_000, 200_000])),
  'body cut short': ({ random, operation, text }) => {
    const body = request(text, operation)
    return body.slice(0, random.int(body.length))
  },
  'broken JSON': ({ random, operation, text }) => {
    const body = request(text, operation)
    const at = random.int(body.length)
    return body.slice(0, at) + random.pick(['"', '}', ',', '\u0000', '\\', '\n', "'", '//']) + body.slice(at)
  },
  'not JSON': ({ random, text }) =>
    random.pick([text, `query=${encodeURIComponent(text)}`, '<a/>', 'NaN', '\uFEFF{}', '--x\r\n\r\n--x--']),
  empty: ({ random }) => random.pick(['', ' ', '\n', '\u0000', 'null']),
} satisfies Record<string, Make>
