// OpenAPI 3.0 and 3.1, and Swagger 2, as operations.

import { isObject } from '../json-leaves.ts'
import type { Body, Field, Json, Operation, Parameter, ParameterPlace, Schema } from '../types.ts'
import { type Document, deref, listIn, objectIn, textIn } from './document.ts'
import { asksForReset, isDestructive, kindOf, showsMore } from './names.ts'
import { changesPassword, type Sent, withoutPassword } from './passwords.ts'
import { asText, readSchema, sampleOf } from './schemas.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const MOST_OPERATIONS = 3_000
/** Methods of a path from which on they may be those of one handler. */
const MANY_METHODS = 6

export const isOpenApi = (document: Document): boolean =>
  /^[23]/.test(asText(document.openapi ?? document.swagger ?? '')) && isObject(document.paths)

/** The operations of a description, at the target: its own host stands in for those that the description names. */
export function fromOpenApi(document: Document, target: URL): Operation[] {
  const base = basePathOf(document, target)
  return Object.entries(objectIn(document.paths))
    .flatMap(([path, given]) => {
      const item = deref(document, given)
      return methodsOf(item).map((method) =>
        operationOf(document, target, base + path, method.toUpperCase(), item, objectIn(item[method])),
      )
    })
    .slice(0, MOST_OPERATIONS)
}

/** Those of a path; GET and POST alone where nearly every method is described alike, as of one handler that takes any. */
function methodsOf(item: Document): string[] {
  const given = METHODS.filter((method) => isObject(item[method]))
  const kinds = new Set(
    given.map((method) => JSON.stringify([objectIn(item[method]).parameters, objectIn(item[method]).requestBody])),
  )
  return given.length >= MANY_METHODS && kinds.size === 1
    ? given.filter((method) => /^(get|post)$/.test(method))
    : given
}

/** What stands before the paths: the description's base, unless the target's own address ends in it already. */
function basePathOf(document: Document, target: URL): string {
  const server = deref(document, listIn(document.servers)[0])
  const variables = objectIn(server.variables)
  const url = textIn(server.url).replace(/\{([^{}]{1,100})\}/g, (_, name: string) =>
    asText(objectIn(variables[name]).default ?? ''),
  )
  const described = document.swagger ? textIn(document.basePath) : (URL.parse(url, target.href)?.pathname ?? '')
  const base = withoutSlash(described)
  const own = withoutSlash(target.pathname)
  return base === '' ? own : base
}

const withoutSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path)

function operationOf(
  document: Document,
  target: URL,
  path: string,
  method: string,
  item: Document,
  given: Document,
): Operation {
  const all = [...listIn(given.parameters), ...listIn(item.parameters)].map((one) => deref(document, one))
  const seen = new Set<string>()
  const own = all.filter((one) => {
    const key = `${textIn(one.in)} ${textIn(one.name)}`
    return !seen.has(key) && seen.add(key)
  })
  const parameters = own.flatMap((one) => parameterOf(document, one))
  for (const [, name = ''] of path.matchAll(/\{([^{}]{1,100})\}/g)) {
    if (!parameters.some((one) => one.place === 'path' && one.name === name)) {
      parameters.push({ place: 'path', name, value: asText(sampleOf({}, name)), required: true, schema: {} })
    }
  }
  if (method === 'GET') for (const [index, one] of parameters.entries()) parameters[index] = shownWhole(one)
  const words = `${path} ${textIn(given.operationId)}`
  const described = { method, path, parameters, body: bodyOf(document, own, given), kind: kindOf(method, words) }
  const sent = spared(described, document)
  return {
    ...sent,
    key: `${method} ${path}`,
    origin: target.origin,
    isDestructive: isDestructive(method, words) || changesPassword(sent),
    isForForgotten: asksForReset(words),
    requiresAuth: authOf(document, given),
    source: 'openapi',
    answers: answersOf(document, given),
  }
}

/** Passwords that a request may leave out stay out of it, where the description says of other requests that they have to have one. */
function spared<T extends Sent>(sent: T, document: Document): T {
  // a PUT without it would take the password away
  if (sent.method === 'PUT' || !changesPassword(sent) || !requiresPassword(document)) return sent
  const body = withoutPassword(sent.body)
  return body !== null && !changesPassword({ ...sent, body }) ? { ...sent, body } : sent
}

/** Without a list of what is required somewhere, nothing says what may be left out. */
const requiresPassword = (document: Document): boolean =>
  [...Object.values(objectIn(objectIn(document.components).schemas)), ...Object.values(objectIn(document.definitions))]
    .flatMap((schema) => listIn(objectIn(schema).required).map(textIn))
    .some((name) => /passw(or)?d/i.test(name))

const places: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie']

function parameterOf(document: Document, given: Document): Parameter[] {
  const place = places.find((one) => one === given.in)
  const name = textIn(given.name)
  if (!place || name === '' || (place === 'header' && /^(accept|content-type|authorization)$/i.test(name))) return []
  const content = deref(document, Object.values(objectIn(given.content))[0])
  const schema = readSchema(document, given.schema ?? content.schema ?? given)
  const example = given.example ?? firstExample(document, given.examples) ?? schema.example
  const described: Schema = example === undefined ? schema : { ...schema, example }
  return [
    { place, name, value: asText(sampleOf(described, name)), required: given.required === true, schema: described },
  ]
}

/** What a reading may be asked to show besides: nobody loses anything by it, and what it shows may be too much. */
function shownWhole(parameter: Parameter): Parameter {
  const { place, name, schema = {} } = parameter
  const isOpen = schema.example === undefined && schema.enum === undefined && (schema.default ?? false) === false
  const isFlag = schema.type === undefined || schema.type === 'string' || schema.type === 'boolean'
  const asks = place === 'query' && isOpen && isFlag && showsMore(name)
  return asks ? { ...parameter, value: 'true' } : parameter
}

function firstExample(document: Document, examples: Json | undefined): Json | undefined {
  const first = isObject(examples) ? Object.values(examples)[0] : undefined
  return isObject(first) ? deref(document, first).value : undefined
}

function bodyOf(document: Document, parameters: readonly Document[], given: Document): Body | null {
  const inBody = parameters.find((one) => one.in === 'body')
  if (inBody) {
    const schema = readSchema(document, inBody.schema)
    return { type: 'json', mediaType: 'application/json', value: sampleOf(schema), schema }
  }
  const fields = parameters.filter((one) => one.in === 'formData')
  if (fields.length > 0) {
    const isMultipart =
      fields.some((one) => one.type === 'file') || listIn(given.consumes).includes('multipart/form-data')
    const list = fields.map((one) =>
      fieldOf(textIn(one.name), one.type === 'file' ? { format: 'binary' } : readSchema(document, one)),
    )
    return { type: isMultipart ? 'multipart' : 'form', fields: list }
  }
  const content = objectIn(deref(document, given.requestBody).content)
  const types = Object.keys(content)
  const type = ['json', 'urlencoded', 'multipart', 'xml', '']
    .map((word) => types.find((one) => one.includes(word)))
    .find(Boolean)
  return type ? bodyOfType(document, type, deref(document, content[type])) : null
}

function bodyOfType(document: Document, mediaType: string, content: Document): Body {
  const schema = readSchema(document, content.schema)
  const example = content.example ?? firstExample(document, content.examples)
  const described: Schema = example === undefined ? schema : { ...schema, example }
  const value = sampleOf(described)
  const members = isObject(value) ? Object.entries(value) : []
  const fields = () =>
    members.map(([name, one]) => ({
      ...fieldOf(name, schema.properties?.[name] ?? {}),
      ...(isBinary(schema.properties?.[name]) ? {} : { value: asText(one) }),
    }))
  if (mediaType.includes('urlencoded')) return { type: 'form', fields: fields() }
  if (mediaType.includes('multipart')) return { type: 'multipart', fields: fields() }
  if (mediaType.includes('xml'))
    return { type: 'xml', mediaType, text: typeof value === 'string' ? value : xmlOf(schema.name ?? 'root', value) }
  if (mediaType.includes('json') || mediaType === '*/*')
    return { type: 'json', mediaType: mediaType.includes('*') ? 'application/json' : mediaType, value, schema }
  return { type: 'raw', mediaType, text: asText(value) }
}

const isBinary = (schema: Schema | undefined) => schema?.format === 'binary' || schema?.items?.format === 'binary'

function fieldOf(name: string, schema: Schema): Field {
  if (isBinary(schema)) return { name, value: 'merlon', fileName: 'merlon.txt', mediaType: 'text/plain', schema }
  return { name, value: asText(sampleOf(schema, name)), schema }
}

/** A value as XML, by the names of its members. */
export function xmlOf(name: string, value: Json): string {
  const tag = name.replace(/[^\w.-]/g, '') || 'item'
  if (Array.isArray(value)) return value.map((one) => xmlOf(tag, one)).join('')
  if (isObject(value))
    return `<${tag}>${Object.entries(value)
      .map(([key, one]) => xmlOf(key, one))
      .join('')}</${tag}>`
  const text = asText(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<${tag}>${text}</${tag}>`
}

function authOf(document: Document, given: Document): boolean | null {
  const security = given.security ?? document.security
  if (security === undefined) return null
  const ways = listIn(security)
  return ways.length > 0 && !ways.some((way) => isObject(way) && Object.keys(way).length === 0)
}

function answersOf(document: Document, given: Document): Record<string, Schema | null> {
  return Object.fromEntries(
    Object.entries(objectIn(given.responses)).map(([status, one]) => {
      const answer = deref(document, one)
      const content = objectIn(answer.content)
      const json = Object.entries(content).find(([type]) => type.includes('json'))?.[1]
      const schema = answer.schema ?? (json === undefined ? undefined : deref(document, json).schema)
      return [status, schema === undefined ? null : readSchema(document, schema)]
    }),
  )
}
