/** Documents that are hostile themselves: too deep, too many fields, circular, or with a misplaced token. */
import { junkLiteral } from './junk.ts'
import { type Make, type Material, members, mutated, query, request, times } from './material.ts'
import { operationText } from './operations.ts'

/** Classes whose document parses but must be rejected, or is too large for the parser. */
export const hostileInside = {
  'junk arguments': ({ operation, text, random }) =>
    request(
      text.replace(/: [^,()]+(?=[,)])/g, () => `: ${junkLiteral(random)}`),
      operation,
    ),
  'unknown names': ({ random, operation, text }) =>
    request(
      mutated(text, random, (tokens, at) =>
        tokens.splice(at, 1, random.pick(['nope', '__x', 'constructor', '__proto__', 'on', 'null', 'Ω'])),
      ),
      operation,
    ),
  'exponential fragments': (material) => {
    const { random } = material
    const [on, levels] = [rootName(material), random.pick([10, 30, 100])]
    return query(
      `{ ...F0 } ${times(levels, (n) => `fragment F${n} on ${on} { ...F${n + 1} ...F${n + 1} }`)} fragment F${levels} on ${on} { __typename a: __typename }`,
    )
  },
  'cyclic fragments': (material) => {
    const { random } = material
    const [on, levels] = [rootName(material), random.pick([1, 2, 5, 60])]
    return query(
      `{ ...F0 } ${times(levels, (n) => `fragment F${n} on ${on} { __typename ...F${(n + 1) % levels} ...F${random.int(levels)} }`)}`,
    )
  },
  'flood of aliases': ({ random, operation }) => {
    const one = operation.selection.slice(1, -1).trim()
    const many = random.pick([31, 300, 3_000])
    return request(
      operationText({ ...operation, selection: `{ ${times(many, (n) => `a${n}: __typename`)} ${one} }` }),
      operation,
    )
  },
  'flood of directives': ({ random, operation, text }) =>
    request(
      text.replace(
        '{',
        `${random.pick(['@skip(if: false) ', '@a ', '@include(if: $v0) ']).repeat(random.pick([2, 200, 3_000]))}{`,
      ),
      operation,
    ),
  'flood of one field': ({ random, text, operation }) =>
    request(text.replace('{', `{ ${'__typename '.repeat(random.pick([100, 1_900, 9_000]))}`), operation),
  'many operations': ({ random, operation }) => {
    const named = random.onceIn(2)
    return members({
      query: JSON.stringify(
        times(random.pick([2, 20, 400]), (n) => operationText({ ...operation, name: named ? `Op${n}` : '' })),
      ),
      variables: JSON.stringify(operation.variables),
      operationName: random.pick(['null', '"Op1"', '"Op"']),
    })
  },
  'type definitions': ({ random, operation, text }) =>
    request(
      `${text} ${random.pick(['type Query { a: Int }', 'schema { query: A }', 'scalar A', 'directive @a on FIELD', 'extend type Query { b: Int }'])}`,
      operation,
    ),
  'deep selection': ({ random }) => {
    const [levels, name] = [random.pick([20, 300, 660, 10_000]), random.pick(['a', '__schema', '... on Query', '...'])]
    return query(`${`{ ${name} `.repeat(levels)}{ __typename }${' }'.repeat(levels)}`)
  },
  'deep brackets': ({ random }) => {
    const [levels, open] = [random.pick([20, 300, 900, 30_000]), random.pick(['[', '{a:'])]
    const close = open === '[' ? ']' : '}'
    return query(`{ company(id: ${open.repeat(levels)}${open === '[' ? '' : '1'}${close.repeat(levels)}) { id } }`)
  },
  'deep types': ({ random }) => {
    const levels = random.pick([20, 900, 30_000])
    return query(`query ($a: ${'['.repeat(levels)}Int${']'.repeat(levels)}) { __typename }`)
  },
  'huge string': ({ random, operation }) => {
    const size = random.pick([1_000, 60_000, 70_000, 300_000])
    return request(`{ company(id: "${random.pick(['a', 'é', '\\u0041', ' ']).repeat(size)}") { id } }`, operation)
  },
  'huge name': ({ random }) => query(`{ ${'a'.repeat(random.pick([1_000, 60_000, 70_000]))} }`),
  'huge number': ({ random }) =>
    query(`{ company(id: ${random.pick(['', '-'])}${'9'.repeat(random.pick([20, 400, 60_000]))}) { id } }`),
} satisfies Record<string, Make>

/** Classes whose document differs from a valid one by a token or a character. */
export const mutations = {
  'token deleted': ({ random, operation, text }) =>
    request(
      mutated(text, random, (tokens, at) => tokens.splice(at, 1)),
      operation,
    ),
  'token repeated': ({ random, operation, text }) =>
    request(
      mutated(text, random, (tokens, at) => tokens.splice(at, 0, tokens[at] ?? '')),
      operation,
    ),
  'token moved': ({ random, operation, text }) =>
    request(
      mutated(text, random, (tokens, at) => {
        const moved = tokens.splice(at, 1)
        tokens.splice(random.int(tokens.length + 1), 0, ...moved)
      }),
      operation,
    ),
  'token replaced': ({ random, operation, text }) =>
    request(
      mutated(text, random, (tokens, at) => tokens.splice(at, 1, junkLiteral(random))),
      operation,
    ),
  'document cut short': ({ random, operation, text }) => request(text.slice(0, random.int(text.length)), operation),
  'odd characters': ({ random, text }) => {
    const at = random.int(text.length)
    const odd = random.pick(['\\u0000', '\\ud800', '\\udc00', '\\u202e', '\\ufeff', '\\u001b[2J', '\\r', 'é', '💥'])
    const halves = [text.slice(0, at), text.slice(at)].map((half) => JSON.stringify(half).slice(1, -1))
    return members({ query: `"${halves.join(odd)}"` })
  },
} satisfies Record<string, Make>

function rootName({ schema }: Material): string {
  return schema.getQueryType()?.name ?? 'Query'
}
