// The replaceable values of an operation, and the operation's request with some of them replaced.

import { changeJson, leavesOf } from './json-leaves.ts'
import type { Body, Change, Field, HttpRequest, Json, Operation, Point } from './types.ts'
import { changeXml, xmlLeaves } from './xml-leaves.ts'

/** The most points of one operation. */
const MOST_POINTS = 60

export function pointsOf(operation: Operation): Point[] {
  const parameters = operation.parameters.map(
    ({ place, name, value, schema }): Point => ({ place, name, value, schema }),
  )
  const fixed = new Set(operation.fixed)
  return [...parameters, ...bodyPoints(operation.body)].filter(({ name }) => !fixed.has(name)).slice(0, MOST_POINTS)
}

function bodyPoints(body: Body | null): Point[] {
  switch (body?.type) {
    case 'json':
      return leavesOf(body.value, body.schema).map((leaf) => ({ place: 'json', ...leaf }))
    case 'graphql':
      return leavesOf(body.variables).map((leaf) => ({ place: 'variable', ...leaf }))
    case 'form':
      return body.fields.map(({ name, value, schema }) => ({ place: 'form', name, value, schema }))
    case 'multipart':
      return body.fields.map(({ name, value, fileName, schema }) => ({
        place: fileName === undefined ? 'multipart' : 'file',
        name,
        value,
        schema,
      }))
    case 'xml':
      return xmlLeaves(body.text).map((leaf) => ({ place: 'xml', ...leaf }))
    case 'raw':
      // binary data is not read as text
      return isText(body.mediaType) ? [{ place: 'body', name: 'body', value: body.text }] : []
    default:
      return []
  }
}

const isText = (mediaType: string): boolean => /^text\/|[/+](x-)?(ya?ml|graphql|sql)\b/i.test(mediaType)

/** The Accept header of a browser's navigation: some services only return pages to clients that accept them. */
const PAGES: ReadonlySet<Operation['source']> = new Set(['crawl', 'form', 'guess'])

/** The request of an operation. A space is sent as %20. */
export function requestOf(operation: Operation, changes: readonly Change[] = []): HttpRequest {
  const changeOf = (place: Point['place'], name: string) =>
    changes.find(({ point }) => point.place === place && point.name === name)

  let path = operation.path
  const query: string[] = []
  const cookies: string[] = []
  const host = operation.origin.slice(operation.origin.indexOf('//') + 2)
  const headers: [string, string][] = [
    ['Host', host],
    ['Accept', PAGES.has(operation.source) ? 'text/html,application/json,*/*' : '*/*'],
  ]
  for (const { place, name, value } of operation.parameters) {
    const change = changeOf(place, name)
    if (place === 'path') path = path.replaceAll(`{${name}}`, () => encoded(change, value))
    if (place === 'query') query.push(`${escapeName(change?.rename ?? name)}=${encoded(change, value)}`)
    if (place === 'header') headers.push([name, headerValue(change ? textOf(change.value) : value)])
    if (place === 'cookie') cookies.push(`${name}=${encoded(change, value)}`)
  }
  const added = changes.filter(({ point }) => !isDeclared(operation, point))
  for (const change of added)
    if (change.point.place === 'cookie') cookies.push(`${change.point.name}=${encoded(change, '')}`)
  if (cookies.length > 0) headers.push(['Cookie', headerValue(cookies.join('; '))])
  for (const { point, value, isRaw } of added) {
    if (point.place === 'query')
      query.push(`${escapeName(point.name)}=${isRaw ? textOf(value) : escaped(textOf(value))}`)
    if (point.place === 'header') replaceHeader(headers, point.name, headerValue(textOf(value)))
  }

  const body = operation.body ? writeBody(operation.body, changes) : null
  if (body) headers.push(['Content-Type', body.mediaType])
  const content = body?.content ?? null
  if (content !== null || !['GET', 'HEAD', 'OPTIONS'].includes(operation.method)) {
    headers.push(['Content-Length', String(content === null ? 0 : Buffer.byteLength(content))])
  }
  const search = query.length > 0 ? `${path.includes('?') ? '&' : '?'}${query.join('&')}` : ''
  return { method: operation.method, url: operation.origin + path + search, headers, body: content }
}

const isDeclared = (operation: Operation, { place, name }: Point) =>
  operation.parameters.some((parameter) => parameter.place === place && parameter.name === name)

/** `lower` is a name in lower case. */
export const isNamed = (given: string, lower: string): boolean =>
  given.length === lower.length && given.toLowerCase() === lower

export const hasHeader = (headers: HttpRequest['headers'], lower: string): boolean =>
  headers.some(([given]) => isNamed(given, lower))

/** Sets a header, replacing any of the same name. */
export function replaceHeader(headers: HttpRequest['headers'][number][], name: string, value: string): void {
  const lower = name.toLowerCase()
  const at = headers.findIndex(([given]) => isNamed(given, lower))
  if (at < 0) headers.push([name, value])
  else headers[at] = [headers[at]?.[0] ?? name, value]
}

const encoded = (change: Change | undefined, value: string): string =>
  change === undefined ? escaped(value) : change.isRaw ? textOf(change.value) : escaped(textOf(change.value))

export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const escapeName = (name: string): string => name.replace(/[^\w.$[\]-]/g, (one) => escaped(one))

/** Removes what would end a header, because Node refuses such values. */
const headerValue = (value: string): string => Buffer.from(value.replace(/\p{Cc}/gu, ' '), 'utf8').toString('latin1')

type Written = { mediaType: string; content: string | Buffer }

function writeBody(body: Body, changes: readonly Change[]): Written {
  switch (body.type) {
    case 'json':
      return { mediaType: body.mediaType, content: JSON.stringify(changeJson(body.value, changesAt(changes, 'json'))) }
    case 'graphql': {
      const variables = changeJson(body.variables, changesAt(changes, 'variable'))
      const { query, operationName } = body
      return {
        mediaType: 'application/json',
        content: JSON.stringify({ query, ...(operationName === '' ? {} : { operationName }), variables }),
      }
    }
    case 'form':
      return {
        mediaType: 'application/x-www-form-urlencoded',
        content: writeForm(body.fields, changesAt(changes, 'form')),
      }
    case 'multipart':
      return writeMultipart(body.fields, [...changesAt(changes, 'multipart'), ...changesAt(changes, 'file')])
    case 'xml':
      return { mediaType: body.mediaType, content: changeXml(body.text, changesAt(changes, 'xml')) }
    case 'raw':
      return { mediaType: body.mediaType, content: textOf(changesAt(changes, 'body')[0]?.value ?? body.text) }
  }
}

const changesAt = (changes: readonly Change[], place: Point['place']) =>
  changes.filter(({ point }) => point.place === place)

function writeForm(fields: readonly Field[], changes: readonly Change[]): string {
  const pairs = fields.map((field) => {
    const change = changes.find(({ point }) => point.name === field.name)
    return `${escapeName(change?.rename ?? field.name)}=${encoded(change, field.value)}`
  })
  const added = changes.filter(({ point }) => !fields.some(({ name }) => name === point.name))
  return [...pairs, ...added.map((change) => `${escapeName(change.point.name)}=${encoded(change, '')}`)].join('&')
}

function writeMultipart(fields: readonly Field[], changes: readonly Change[]): Written {
  const boundary = '----merlon7MA4YWxkTrZu0gW'
  const added = changes.filter(({ point }) => !fields.some(({ name }) => name === point.name))
  const whole = [...fields, ...added.map(({ point, value }): Field => ({ name: point.name, value: textOf(value) }))]
  const parts = whole.map((field) => {
    const change = changes.find(({ point }) => point.name === field.name)
    const fileName = change?.fileName ?? field.fileName
    const mediaType = change?.mediaType ?? field.mediaType
    const name = (text: string) => text.replaceAll('"', '%22').replace(/[\r\n]/g, ' ')
    return [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${name(field.name)}"${fileName === undefined ? '' : `; filename="${name(fileName)}"`}`,
      ...(mediaType ? [`Content-Type: ${mediaType}`] : []),
      '',
      change ? textOf(change.value) : field.value,
    ].join('\r\n')
  })
  return {
    mediaType: `multipart/form-data; boundary=${boundary}`,
    content: `${parts.join('\r\n')}\r\n--${boundary}--\r\n`,
  }
}
