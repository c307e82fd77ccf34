// The scalars of the schema: what each accepts, and how it is written.

import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { readUpload } from '../core/uploads.ts'

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/
/** The earliest year, because the database's calendar has no year 0. */
const YEAR = /^(?!0000)\d{4}-/
const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?([Zz]|[+-]\d{2}(:?\d{2})?)?)?$/

/**
 * A moment as ISO 8601 in UTC, to the microsecond, in a year from 1 to 9999. Without a zone it is read as UTC; a date alone as its
 * midnight.
 */
function readDateTime(value: unknown): string {
  const text = typeof value === 'string' && ISO_DATE_TIME.test(value) ? value.replace(',', '.').replace(' ', 'T') : ''
  const zoned = ISO_DATE.test(text) || /([Zz]|[+-]\d{2}(:?\d{2})?)$/.test(text.slice(10)) ? text : `${text}Z`
  const time = Date.parse(
    zoned.replace(/([+-]\d{2})(\d{2})$/, '$1:$2').replace(/^(.{10}[Tt][^+-]*[+-]\d{2})$/, '$1:00'),
  )
  const read = Number.isNaN(time) ? '' : new Date(time).toISOString()
  if (!isDay(text.slice(0, 10)) || !YEAR.test(read)) throw new GraphQLError('This is not an ISO 8601 date and time')
  const [, microseconds] = /\.\d{3}(\d{1,3})/.exec(text) ?? []
  return microseconds ? read.replace('Z', `${microseconds.padEnd(3, '0')}Z`) : read
}

/** Whether the day exists: Date.parse reads 30 February as a day in March. */
function isDay(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}

function readDate(value: unknown): string {
  const text = typeof value === 'string' && ISO_DATE_TIME.test(value) ? value.slice(0, 10) : ''
  if (!isDay(text) || !YEAR.test(text)) throw new GraphQLError('This is not an ISO 8601 date')
  return text
}

/** Reads a value in the document; a fault names its line and column, because graphql-js adds none to what a scalar throws. */
const fromLiteral = (read: (value: unknown) => unknown) => (node: ValueNode) => {
  try {
    return read(node.kind === Kind.STRING ? node.value : undefined)
  } catch (error) {
    throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error
  }
}

const asWritten = (value: unknown) => value

const ISO8601DateTime = new GraphQLScalarType({
  name: 'ISO8601DateTime',
  description: 'An ISO 8601 date and time; answers are in UTC.',
  specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc3339',
  serialize: asWritten,
  parseValue: readDateTime,
  parseLiteral: fromLiteral(readDateTime),
})

const ISO8601Date = new GraphQLScalarType({
  name: 'ISO8601Date',
  description: 'An ISO 8601 date.',
  serialize: asWritten,
  parseValue: readDate,
  parseLiteral: fromLiteral(readDate),
})

const Json = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: asWritten,
  parseValue: asWritten,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

const uploadScalar = (largestInline: number) =>
  new GraphQLScalarType({
    name: 'Upload',
    description:
      'A file: a part of a multipart request (GraphQL multipart request specification), or `{ filename, contentType, base64 }` in a JSON body.',
    serialize: () => {
      throw new GraphQLError('Upload is for input alone')
    },
    parseValue: (value) => readUpload(value, largestInline),
    parseLiteral: (node, variables) => readUpload(valueFromASTUntyped(node, variables), largestInline),
  })

/** `largestInline`: the largest file inside a JSON body, in bytes. */
export const scalars = (largestInline: number): readonly GraphQLScalarType[] => [
  ISO8601DateTime,
  ISO8601Date,
  Json,
  uploadScalar(largestInline),
]
