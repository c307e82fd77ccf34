// Turns a recorded request into an operation: ids in its path, its query and its body become values that can be changed.

import { percentDecoded } from '../../core/percent.ts'
import { isObject, readJson } from '../json-leaves.ts'
import type { Body, Field, Operation, OperationSource, Parameter } from '../types.ts'
import { singular } from '../values.ts'
import { graphqlBody } from './graphql-request.ts'
import { fieldsOfMultipart } from './multipart.ts'
import { asksForReset, isDestructive, isFormToken, kindOf } from './names.ts'
import { changesPassword } from './passwords.ts'

export type Observed = {
  method: string
  url: string
  headers?: readonly (readonly [name: string, value: string])[]
  body?: string | null
  fields?: readonly Field[]
  mediaType?: string
  /** words on the button that sends it */
  says?: string
  source: OperationSource
  foundOn?: string
}

/** Headers that the scanner writes itself, or that carry credentials, which identities bring. */
const OWN_HEADER =
  /^(host|content-|connection|accept|user-agent|cookie|authorization|origin|referer|sec-|te$|upgrade|cache-control|pragma|if-|dnt|priority|:|keep-alive|proxy-|transfer-encoding|x-scan-id|x-requested-with)/i

const ID_SEGMENT = /^(\d{1,32}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24}|[0-9a-f]{32}|[\w-]{0,40}@[\w.-]{1,60})$/i

/** A text in base64, such as a document: no name of a page decodes to printable characters alone. */
function isEncodedText(segment: string): boolean {
  if (!/^[A-Za-z0-9+_-]{16,}={0,2}$/.test(segment)) return false
  return /^[\x20-\x7e\s]+$/.test(Buffer.from(segment, 'base64').toString('latin1'))
}

/** Null when the address is none of HTTP's. */
export function fromObserved(observed: Observed): Operation | null {
  const url = URL.parse(observed.url)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.pathname = withoutSession(url.pathname)
  const method = observed.method.toUpperCase()
  const { path, parameters } = templateOf(url.pathname)
  const names = new Set<string>()
  for (const [name, value] of url.searchParams) {
    if (name === '' || names.has(name)) continue
    names.add(name)
    parameters.push({ place: 'query', name, value, required: false })
  }
  for (const [name, value] of observed.headers ?? []) {
    if (OWN_HEADER.test(name) || parameters.length > 40) continue
    parameters.push({ place: 'header', name, value, required: false })
  }
  const body = bodyOf(observed)
  const root = body?.type === 'graphql' ? rootOf(body.query) : null
  const isMutation = root?.startsWith('Mutation.')
  const words = `${url.pathname}${url.search} ${body?.type === 'graphql' && isMutation ? body.query.slice(0, 200) : ''}`
  const marks = root !== null ? `#${root}` : body && 'fields' in body ? fieldMark(body.fields) : ''
  const kind = root === null ? kindOf(method, words) : isMutation ? kindOf('POST', root) : 'read'
  const asked = [...names].filter((name) => !/csrf|xsrf/i.test(name))
  const sent = { method, path, parameters, body, kind }
  return {
    ...sent,
    key: `${method} ${path}${asked.length > 0 ? `?${asked.sort().join('&')}` : ''}${marks}`,
    origin: url.origin,
    isDestructive:
      isDestructive(method, `${words} ${observed.says ?? ''}`) || changesPassword(sent, root?.split('.')[1]),
    isForForgotten: asksForReset(`${words} ${observed.says ?? ''}`),
    requiresAuth: null,
    source: observed.source,
    answers: {},
    foundOn: observed.foundOn,
  }
}

/** Two forms of one address are told apart by their fields; one that is given a token against forged requests is the same form. */
const fieldMark = (fields: readonly Field[]) => {
  const asked = fields.filter(({ name, value }) => !isFormToken(name, value))
  return `#${[...new Set(asked.map(({ name }) => name))].sort().join('&')}`.slice(0, 120)
}

const rootOf = (query: string) => {
  const field = /\{\s{0,200}(?:\w{1,100}\s{0,20}:\s{0,20})?(\w{1,100})/.exec(query)?.[1] ?? ''
  return `${/^\s*mutation/.test(query) ? 'Mutation' : 'Query'}.${field}`
}

/** Servlets write the session into links until its cookie has come back: the same page under another address each time. */
export const withoutSession = (path: string): string => path.replace(/;jsessionid=[^/;?#]{1,200}/gi, '')

/** `/users/12/orders` → `/users/{userId}/orders`. */
function templateOf(pathname: string): { path: string; parameters: Parameter[] } {
  const parameters: Parameter[] = []
  const segments = pathname.split('/')
  const path = segments
    .map((segment, index) => {
      const plain = percentDecoded(segment)
      if (!ID_SEGMENT.test(plain) && !isEncodedText(plain)) return segment.replaceAll('{', '%7B').replaceAll('}', '%7D')
      const before = singular((segments[index - 1] ?? '').replace(/[^A-Za-z0-9]/g, '').toLowerCase())
      let name = `${before}Id`
      while (parameters.some((one) => one.name === name)) name += '2'
      parameters.push({ place: 'path', name, value: plain, required: true })
      return `{${name}}`
    })
    .join('/')
  return { path, parameters }
}

function bodyOf({ body, mediaType = '', fields }: Observed): Body | null {
  if (fields) return { type: mediaType.includes('multipart') ? 'multipart' : 'form', fields }
  if (!body) return null
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  const json = type.includes('json') || type === '' || type === 'text/plain' ? readJson(body) : undefined
  if (isObject(json) && typeof json.query === 'string' && /[{]/.test(json.query)) {
    return graphqlBody(json.query, isObject(json.variables) ? json.variables : {})
  }
  if (json !== undefined && typeof json === 'object')
    return { type: 'json', mediaType: type || 'application/json', value: json }
  if (type.includes('urlencoded')) {
    return { type: 'form', fields: [...new URLSearchParams(body)].map(([name, value]) => ({ name, value })) }
  }
  const parts = type.startsWith('multipart/') ? fieldsOfMultipart(body, mediaType) : null
  if (parts) return { type: 'multipart', fields: parts }
  if (type.includes('xml') || /^\s*<\?xml/.test(body))
    return { type: 'xml', mediaType: type || 'application/xml', text: body }
  return { type: 'raw', mediaType: type || 'text/plain', text: body }
}
