/** Small documents that cause much work: repeated fields, conditions, fragments, and endless names. */
import { type Make, type Material, members, query, request, times } from './material.ts'
import { operationText } from './operations.ts'

/** Classes whose document parses, and often validates. */
export const storms = {
  'storm of skip and include': (material) => {
    const { random } = material
    return inEach(
      material,
      random.pick([2, 12, 60]),
      (selection) => `... @include(if: true) @skip(if: false) ${selection}`,
    )
  },
  'fields that merge': (material) =>
    inEach(material, material.random.pick([2, 20, 150]), (selection) => `... ${selection}`),
  'fields that merge in fragments': ({ random, operation, schema }) => {
    const count = random.pick([2, 20, 150])
    const on = schema.getRootType(operation.type)?.name ?? 'Query'
    const fragments = times(count, (n) => `fragment F${n} on ${on} { ...F${n + 1} ${inner(operation.selection)} }`)
    const whole = operationText({ ...operation, selection: `{ ${times(count, (n) => `...F${n}`)} }` })
    return request(`${whole} ${fragments} fragment F${count} on ${on} { __typename }`, operation)
  },
  'aliases in fragments': (material) => {
    const { random } = material
    const levels = random.pick([2, 5, 30])
    return query(
      `{ ...F0 } ${times(levels, (n) => `fragment F${n} on ${queryName(material)} { a${n}: __typename b${n}: __typename ...F${n + 1} }`)} fragment F${levels} on ${queryName(material)} { __typename }`,
    )
  },
  'conditions on each field': ({ random, operation }) => {
    const condition = random.pick([
      '@include(if: true)',
      '@skip(if: $v)',
      '@include(if: $v) @skip(if: $v)',
      '@include(if: true) @include(if: true)',
    ])
    const fields = times(random.pick([10, 150, 400]), () => `__typename ${condition}`)
    return members({
      query: JSON.stringify(`query ($v: Boolean!) { ${fields} }`),
      variables: random.pick(['{"v":true}', '{"v":null}', '{}', JSON.stringify(operation.variables)]),
    })
  },
  'block strings': ({ random }) => {
    const line = random.pick(['\n', '\n  a', '\n\t', '\r\n ', '\n\\"""', '\n" '])
    return query(`{ company(id: """${line.repeat(random.pick([10, 1_000, 12_000]))}""") { id } }`)
  },
  'names of great length': ({ random, operation }) => {
    const name = random.pick(['a', '_', 'Query', 'x1']).repeat(random.pick([100, 2_000, 10_000]))
    return members({
      query: JSON.stringify(
        random.pick([
          `query ${name} { __typename }`,
          `{ ${name}: __typename }`,
          `query ($${name}: ID) { __typename }`,
          `{ ...${name} } fragment ${name} on Query { __typename }`,
          `{ __typename @${name} }`,
          `{ ... on ${name} { __typename } }`,
          `query ($v: ${name}) { __typename }`,
        ]),
      ),
      variables: JSON.stringify(operation.variables),
    })
  },
  'names that are nearly right': ({ random, schema }) => {
    const names = Object.keys(schema.getQueryType()?.getFields() ?? {})
    return query(
      `{ ${times(random.pick([1, 30, 400]), () => `${random.pick(names)}${random.pick(['s', 'x', '_', '1'])}`)} }`,
    )
  },
  'many variables that are declared': ({ random }) => {
    const count = random.pick([10, 100, 450])
    const type = random.pick(['ID', '[[[ID!]!]!]', 'Boolean = true', 'Nothing', 'Query'])
    return query(`query (${times(count, (n) => `$v${n}: ${type}`)}) { __typename }`)
  },
  'introspection in fragments': ({ random }) => {
    const levels = random.pick([2, 6, 9])
    const fields = random.pick([
      'name',
      'kind name description',
      'name enumValues { name }',
      'name inputFields { name }',
    ])
    return query(
      `{ __schema { types { ...T0 } } } ${times(levels, (n) => `fragment T${n} on __Type { ${fields} ofType { ...T${n + 1} } }`)} fragment T${levels} on __Type { name fields { name } }`,
    )
  },
} satisfies Record<string, Make>

function inEach({ operation }: Material, count: number, each: (selection: string) => string): string {
  const selection = `{ ${times(count, () => each(operation.selection))} }`
  return request(operationText({ ...operation, selection }), operation)
}

const inner = (selection: string): string => selection.slice(1, -1)

const queryName = ({ schema }: Material): string => schema.getQueryType()?.name ?? 'Query'
