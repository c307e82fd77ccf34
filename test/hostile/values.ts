/** Valid operations with extreme values: the longest lists, the ends of ranges, patterns, forged cursors. */
import { type GraphQLLeafType, getNullableType, isEnumType, isListType, OperationTypeNode } from 'graphql'
import { type Make, type Material, request, times } from './material.ts'
import { operationText, usualValues, type Values, validOperation } from './operations.ts'
import type { Random } from './random.ts'

/** Classes whose document is valid, but whose variables may be expensive for the database or the service. */
export const extremeValues = {
  'lists at their bounds': (material) => withValues(material, { ...usualValues, ...longLists }),
  'lists of one value': (material) => {
    const chosen = new Map<string, unknown>()
    return withValues(material, {
      ...longLists,
      leaf(type, random, name) {
        if (!chosen.has(type.name)) chosen.set(type.name, usualValues.leaf(type, random, name))
        return chosen.get(type.name)
      },
    })
  },
  'values at their ends': (material) => withValues(material, leaves(endOf)),
  'patterns to search for': (material) => withValues(material, { ...leaves(patternOf), wants: named(SEARCHED) }),
  'long texts': (material) => withValues(material, leaves(longTextOf)),
  'forged cursors': (material) => withValues(material, { ...leaves(forgedOf), wants: named(CURSOR) }),
  'names of values that are nearly right': (material) =>
    withValues(material, {
      ...longLists,
      leaf: (type, random, name) =>
        isEnumType(type) ? `${random.pick(type.getValues())?.name}S` : usualValues.leaf(type, random, name),
    }),
} satisfies Record<string, Make>

type Leaf = (type: GraphQLLeafType, random: Random, name: string) => unknown

/** The usual value where the maker has none for the type. */
const leaves = (leaf: Leaf): Values => ({
  ...usualValues,
  leaf: (type, random, name) => leaf(type, random, name) ?? usualValues.leaf(type, random, name),
})

const longLists = {
  length: (random) => random.pick([100, 1_000, 10_000, 40_000]),
  wants: (_, type) => isListType(getNullableType(type)),
} satisfies Partial<Values>

const CURSOR = /after|cursor/i
const SEARCHED = /search|filter|params|title|name|text/i
const named = (names: RegExp) => (name: string) => names.test(name)

function withValues({ schema, random, operation, text }: Material, values: Values): string {
  const made = validOperation(schema, random, OperationTypeNode.QUERY, values)
  return made ? request(operationText(made), made) : request(text, operation)
}

const isText = ({ name }: GraphQLLeafType): boolean => name === 'String' || name === 'JSON'

function endOf(type: GraphQLLeafType, random: Random): unknown {
  switch (type.name) {
    case 'Int':
      return random.pick([-2_147_483_648, 2_147_483_647, 0, -1, 1_000, 1_001])
    case 'Float':
      return random.pick([1.797_693_134_862_315_7e308, -1.797e308, 5e-324, 0])
    case 'ID':
      return random.pick(['9223372036854775807', '9223372036854775808', '0', '-1', '00001', ' 1', '1e3', '٣', ''])
    case 'ISO8601DateTime':
    case 'ISO8601Date':
      return random.pick([
        '0001-01-01T00:00:00Z',
        '0001-01-01T00:00:00+14:00',
        '9999-12-31T23:59:59.999999999Z',
        '9999-12-31T23:59:59-12:00',
        '2024-02-29',
        '1582-10-10',
        '2016-12-31T23:59:60Z',
        '+275760-09-13T00:00:00Z',
        'infinity',
      ])
    default:
      return isText(type)
        ? random.pick(['', ' ', '\u200b', 'a'.repeat(255), 'a'.repeat(256), '💥'.repeat(128)])
        : undefined
  }
}

/** Patterns for LIKE, regular expressions, text search, and our own filters. */
function patternOf(type: GraphQLLeafType, random: Random): unknown {
  if (!isText(type)) return undefined
  const piece = random.pick([
    '%',
    '_',
    '%_',
    '\\',
    '\\%',
    '(a+)+$',
    '[[:alpha:]]*',
    'a & ! | b:* ',
    ' a',
    'é%',
    '*',
    'e',
  ])
  return piece.repeat(random.pick([1, 10, 100, 1_000]))
}

function longTextOf(type: GraphQLLeafType, random: Random): unknown {
  if (!isText(type)) return undefined
  const piece = random.pick(['a', ' ', '-', '/', '.', 'a.', '://', 'é', '\n', '{{', '[](', '"', '0', 'a@', ',', 'aA1'])
  return piece.repeat(random.pick([1_000, 20_000, 50_000]))
}

function forgedOf(type: GraphQLLeafType, random: Random, name: string): unknown {
  if (!isText(type) || !CURSOR.test(name)) return undefined
  const inside = random.pick([
    '[]',
    '[null]',
    '{}',
    '["1"]',
    '["1","2","3"]',
    '[1e400,-1]',
    '["9999-12-31","9223372036854775808"]',
    '["\u0000","1"]',
    `[${times(10_000, String, ',')}]`,
    '['.repeat(5_000),
  ])
  return random.pick([Buffer.from(inside).toString('base64url'), Buffer.from(inside).toString('base64'), inside])
}
