// A service in a process of its own that merges documents into its preferences, in the way that its argument names.

import { createServer } from 'node:http'

type Tree = { [name: string]: unknown }

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** As libraries merged before they left names out: what is inherited is written into, too. */
function merge(into: Tree, from: Tree, isLeftOut: (name: string) => boolean): Tree {
  for (const name of Object.keys(from)) {
    if (isLeftOut(name)) continue
    const [own, given] = [into[name], from[name]]
    if (isTree(given) && (isTree(own) || typeof own === 'function')) merge(own as Tree, given, isLeftOut)
    else into[name] = given
  }
  return into
}

const ways: Record<string, (into: Tree, from: Tree) => Tree> = {
  'merges everything': (into, from) => merge(into, from, () => false),
  'leaves out __proto__ alone': (into, from) => merge(into, from, (name) => name === '__proto__'),
  'leaves out what is dangerous': (into, from) =>
    merge(into, from, (name) => ['__proto__', 'constructor', 'prototype'].includes(name)),
  'copies one level': (into, from) => Object.assign(into, { ...from }),
  'answers with what it was sent': (_, from) => from,
}

const [, , way = '', sign = ''] = process.argv
const preferences: Tree = { colour: 'blue', sizes: { page: 10 } }
const settings: Tree = {}
const origins: Tree = {}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const answer = (status: number, value: unknown) => {
    if (sign === 'headers' && origins.exposedHeaders) {
      response.setHeader('access-control-expose-headers', String(origins.exposedHeaders))
    }
    const spaces = sign === 'spaces' ? Number(settings['json spaces']) : 0
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value, null, spaces))
  }
  try {
    if (request.method === 'GET') return answer(200, preferences)
    const given: Tree = JSON.parse(Buffer.concat(chunks).toString())
    answer(200, { ...(ways[way]?.(preferences, given) ?? {}), isKept: true })
  } catch (error) {
    const fault = error as { statusCode?: number }
    answer((sign === 'status' ? fault.statusCode : 0) || 400, { error: 'no document' })
  }
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` })
})
process.on('disconnect', () => process.exit(0))
