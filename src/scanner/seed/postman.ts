// A Postman 2.1 collection as operations, including folders, variables and its own authorization.

import { isObject, readJson } from '../json-leaves.ts'
import type { Field, Identity, Json, Operation } from '../types.ts'
import { type Document, listIn, objectIn, textIn } from './document.ts'
import { withNamedValues } from './named-values.ts'
import { fromObserved } from './observed.ts'
import { asText } from './schemas.ts'

export const isPostman = (document: Document): boolean =>
  Array.isArray(document.item) &&
  /postman|getpostman/i.test(textIn(objectIn(document.info).schema) + textIn(objectIn(document.info)._postman_id))

/** The requests of a collection; those of unknown hosts (an unset variable) go to the target. */
export function fromPostman(document: Document, target: URL): Operation[] {
  const fill = fillerOf(document)
  const operations: Operation[] = []
  const walk = (items: readonly Json[], auth: Json | undefined, depth: number) => {
    for (const given of items) {
      const item = objectIn(given)
      const inherited = item.auth ?? auth
      if (depth < 20) walk(listIn(item.item), inherited, depth + 1)
      if (item.request === undefined) continue
      const operation = operationOf(
        isObject(item.request) ? item.request : { url: item.request, method: 'GET' },
        inherited,
        fill,
        target,
      )
      if (operation) operations.push(operation)
    }
  }
  walk(listIn(document.item), document.auth, 0)
  return operations
}

/** Puts the collection's variables in the place of their names. */
function fillerOf(document: Document): (text: string) => string {
  const pairs = listIn(document.variable).map((one): [string, string] => {
    const { key, value } = objectIn(one)
    return [textIn(key), asText(value ?? '')]
  })
  const variables = new Map(pairs)
  return (text) => {
    let filled = text
    for (let turn = 0; turn < 5 && filled.includes('{{'); turn += 1) {
      filled = filled.replace(
        /\{\{([^{}]{1,100})\}\}/g,
        (whole, name: string) => variables.get(name.trim()) ?? dynamic(name) ?? whole,
      )
    }
    return filled
  }
}

/**
 * Who sends the collection's requests, by its own authorization: of the collection, of a folder or of a request, the first of each name, as
 * parts of an interface may ask for another key. Null when it has none that is whole.
 */
export function identityOfPostman(document: Document): Identity | null {
  const fill = fillerOf(document)
  const [headers, query]: [Named, Named] = [new Map(), new Map()]
  const keep = (auth: Json | undefined) => {
    const found = credentialOf(auth, fill)
    if (found === null) return
    const among = found.isQuery ? query : headers
    const name = found.isQuery ? found.name : found.name.toLowerCase()
    if (!among.has(name)) among.set(name, [found.name, found.value])
  }
  const walk = (items: readonly Json[], depth: number) => {
    for (const item of items.map(objectIn)) {
      keep(item.auth ?? objectIn(item.request).auth)
      if (depth < 20) walk(listIn(item.item), depth + 1)
    }
  }
  keep(document.auth)
  walk(listIn(document.item), 0)
  if (headers.size + query.size === 0) return null
  return {
    name: 'collection',
    isNameMadeUp: true,
    headers: [...headers.values()],
    cookies: [],
    query: [...query.values()],
  }
}

/** By the name as it is compared. */
type Named = Map<string, [name: string, value: string]>

const dynamic = (name: string): string | undefined =>
  ({
    $guid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    $timestamp: '1768471200',
    $randomInt: '7',
    $randomEmail: 'merlon.scan@example.com',
  })[name.trim()]

function operationOf(
  request: Document,
  inherited: Json | undefined,
  fill: (text: string) => string,
  target: URL,
): Operation | null {
  const url = addressOf(request.url, fill, target)
  const headers = listIn(request.header).flatMap((one): [string, string][] => {
    const { key, value, disabled } = objectIn(one)
    const [name, filled] = [textIn(key), fill(asText(value ?? ''))]
    // whoever asks brings the value of a variable that the collection does not set
    return disabled === true || name === '' || isVariable(filled) ? [] : [[name, filled]]
  })
  const body = objectIn(request.body)
  const options = objectIn(objectIn(body.options).raw)
  const sent = {
    raw: () => ({
      body: filledIn(fill(textIn(body.raw))),
      mediaType:
        headers.find(([name]) => /^content-type$/i.test(name))?.[1] ??
        (options.language === 'xml' ? 'application/xml' : 'application/json'),
    }),
    urlencoded: () => ({ fields: fieldsOf(body.urlencoded, fill), mediaType: 'application/x-www-form-urlencoded' }),
    formdata: () => ({ fields: fieldsOf(body.formdata, fill), mediaType: 'multipart/form-data' }),
    graphql: () => {
      const { query, variables } = objectIn(body.graphql)
      return {
        body: JSON.stringify({ query: textIn(query), variables: variablesIn(fill(asText(variables ?? '{}'))) }),
        mediaType: 'application/json',
      }
    },
  }
  const mode = textIn(body.mode)
  const content = Object.hasOwn(sent, mode) ? sent[mode as keyof typeof sent]() : {}
  const operation = fromObserved({
    method: textIn(request.method) || 'GET',
    url,
    headers,
    ...content,
    source: 'postman',
  })
  if (!operation) return null
  const auth = textIn(objectIn(request.auth ?? inherited).type)
  return { ...operation, requiresAuth: auth === '' || auth === 'noauth' ? null : true }
}

function variablesIn(text: string): Json {
  const given = readJson(text)
  return given === undefined ? {} : given
}

const isVariable = (text: string) => /^(\w{1,20} )?\{\{[^{}]{1,100}\}\}$/.test(text)

/** Collections leave members empty for whoever sends them: they get values by their names. */
function filledIn(text: string): string {
  const given = readJson(text)
  if (given === undefined) return text
  const filled = withNamedValues(given, ({ value }) => value === '')
  return filled === given ? text : JSON.stringify(filled)
}

function fieldsOf(given: Json | undefined, fill: (text: string) => string): Field[] {
  return listIn(given).flatMap((one): Field[] => {
    const { key, value, type, disabled } = objectIn(one)
    if (disabled === true) return []
    const file = type === 'file' ? { fileName: 'merlon.txt', mediaType: 'text/plain' } : {}
    return [{ name: textIn(key), value: type === 'file' ? 'merlon' : fill(asText(value ?? '')), ...file }]
  })
}

/** A host that is a variable without a value is the target's; what `:name` stands for is in the variables of the address. */
function addressOf(given: Json | undefined, fill: (text: string) => string, target: URL): string {
  const url = isObject(given) ? given : { raw: given ?? '' }
  let raw = fill(textIn(url.raw))
  for (const one of listIn(url.variable)) {
    const { key, value } = objectIn(one)
    const filled = fill(asText(value ?? ''))
    raw = raw.replace(
      new RegExp(`/:${textIn(key).replace(/\W/g, '')}(?=[/?]|$)`),
      () => `/${encodeURIComponent(filled === '' ? '1' : filled)}`,
    )
  }
  raw = atTarget(raw, target)
    .replace(/\{\{[^{}]{1,100}\}\}/g, '1')
    .replace(/\/:\w{1,60}/g, '/1')
  if (/^https?:\/\//i.test(raw)) return raw
  return /^[\w.-]+(:\d+)?\//.test(raw) && !raw.startsWith('/')
    ? `http://${raw}`
    : (URL.parse(raw, target.href)?.href ?? '')
}

/** An address that begins with a variable: the target, or its origin where what follows has the target's path itself. */
function atTarget(raw: string, { href, origin, pathname }: URL): string {
  const rest = /^(https?:\/\/)?\{\{[^{}]{1,100}\}\}(:\{\{[^{}]{1,100}\}\}|:\d{1,5})?(.*)$/is.exec(raw)
  if (!rest) return raw
  const [, scheme, port, path = ''] = rest
  const isHost = scheme !== undefined || port !== undefined
  const folder = pathname.replace(/[^/]*$/, '')
  return (isHost || path.startsWith(folder) ? origin : href.replace(/\/$/, '')) + path
}

type Credential = { name: string; value: string; isQuery: boolean }

function credentialOf(given: Json | undefined, fill: (text: string) => string): Credential | null {
  const auth = objectIn(given)
  const settingOf = (kind: string, name: string) => {
    const list = auth[kind]
    const found = isObject(list)
      ? list[name]
      : listIn(list)
          .map(objectIn)
          .find(({ key }) => key === name)?.value
    return fill(asText(found ?? ''))
  }
  const isUnset = (text: string) => text === '' || text.includes('{{')
  const authorization = (value: string): Credential => ({ name: 'Authorization', value, isQuery: false })
  switch (auth.type) {
    case 'bearer': {
      const token = settingOf('bearer', 'token')
      return isUnset(token) ? null : authorization(`Bearer ${token}`)
    }
    case 'basic': {
      const pair = `${settingOf('basic', 'username')}:${settingOf('basic', 'password')}`
      return isUnset(pair) ? null : authorization(`Basic ${Buffer.from(pair).toString('base64')}`)
    }
    case 'apikey': {
      const [name, value] = [settingOf('apikey', 'key'), settingOf('apikey', 'value')]
      return isUnset(name) || isUnset(value) ? null : { name, value, isQuery: settingOf('apikey', 'in') === 'query' }
    }
    default:
      return null
  }
}
