// The target of the scan benchmark: a service that answers almost without work, at once or after a delay, and records its requests.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Recorded = { method: string; url: string; headers: [string, string][]; body: string }

/** How many kinds of records it has, and the delay of its answers in milliseconds. */
const [kinds, delay] = process.argv.slice(2).map(Number)

/** Each kind has a list, a search, a page, a record by id, and a create operation. */
const KINDS = Array.from({ length: kinds ?? 1 }, (_, index) => `things${index + 1}`)
const PEOPLE = new Set(['Bearer first-person', 'Bearer second-person'])

const fields = { name: 'A name', city: 'Utrecht', amount: 12, note: 'as agreed' }
const records = Array.from({ length: 8 }, (_, index) => ({ id: index + 101, ...fields, amount: index * 7 + 3 }))

const page = (kind: string, query: string) =>
  `<!doctype html><html><head><title>${kind}</title><script src="/app.js"></script></head><body><h1>${kind}</h1>
<form action="/${kind}/page" method="get"><input name="q" value="${shown(query)}"><button>Search</button></form>
<table>${records.map(({ id, name, city, amount }) => `<tr><td>${id}</td><td><a href="/${kind}/${id}">${name}</a></td><td>${city}</td><td>${amount}</td></tr>`).join('')}</table>
<p>Nothing was found for ${shown(query)}.</p></body></html>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const shown = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '')

const parameter = (name: string, example: string | number, place = 'query') => ({
  name,
  in: place,
  required: place === 'path',
  schema: { type: typeof example === 'number' ? 'integer' : 'string', example },
})
const responses = { default: { description: 'an answer' } }

const description = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Things', version: '1' },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  security: [{ token: [] }],
  paths: Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`/${kind}`, { get: { responses }, post: { requestBody: bodyOf(fields), responses } }],
      [`/${kind}/search`, { get: { parameters: [parameter('q', 'tea'), parameter('sort', 'name')], responses } }],
      [`/${kind}/page`, { get: { parameters: [parameter('q', 'tea')], responses } }],
      [`/${kind}/{id}`, { get: { parameters: [parameter('id', 101, 'path')], responses } }],
    ]),
  ),
})

function bodyOf(example: Record<string, string | number>) {
  const properties = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, { type: typeof value, example: value }]),
  )
  return { content: { 'application/json': { schema: { type: 'object', properties } } } }
}

type Answered = { status: number; type: string; body: string }

function answer(method: string, url: string, isKnown: boolean): Answered {
  const [path = '', search = ''] = url.split('?')
  const [, kind = '', rest = ''] = path.split('/')
  const json = (status: number, value: unknown): Answered => ({
    status,
    type: 'application/json',
    body: JSON.stringify(value),
  })
  if (!KINDS.includes(kind)) return json(404, { error: 'There is no such thing' })
  if (!isKnown) return json(401, { error: 'Sign in first' })
  if (rest === 'page')
    return { status: 200, type: 'text/html', body: page(kind, new URLSearchParams(search).get('q') ?? '') }
  if (rest === 'search') return json(200, { items: records.slice(0, 3), total: 3 })
  if (rest !== '') {
    const record = records.find(({ id }) => String(id) === rest)
    return record ? json(200, record) : json(404, { error: 'There is no such record' })
  }
  return method === 'POST' ? json(201, { id: 109 }) : json(200, { items: records, total: records.length })
}

const recorded: Recorded[] = []
let isRecording = false

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = 'GET', url = '/', rawHeaders } = request
    if (isRecording) {
      const headers = rawHeaders.flatMap((name, index): [string, string][] =>
        index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
      )
      recorded.push({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') })
    }
    const { status, type, body } = answer(method, url, PEOPLE.has(request.headers.authorization ?? ''))
    const write = () => {
      response.writeHead(status, {
        'content-type': `${type}; charset=utf-8`,
        'content-length': Buffer.byteLength(body),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      response.end(method === 'HEAD' ? '' : body)
    }
    if (delay) setTimeout(write, delay)
    else write()
  })
})

process.on('message', (word) => {
  if (word === 'record') isRecording = true
  if (word !== 'list') return
  isRecording = false
  process.send?.({ recorded: recorded.splice(0) })
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}`, description })
})
