// Sends generated hostile requests to a running service, several at once, and reports how it coped.

import { connect } from 'node:net'
import type { GraphQLSchema } from 'graphql'
import { type HostileDocument, hostileDocuments } from './documents.ts'

type Outcome = {
  requests: number
  /** the number of answers with each status */
  statuses: Record<string, number>
  /** names of requests whose answer was a 5xx, a masked error, or a text that reveals internals */
  faults: string[]
  /** milliseconds */
  slowest: number
  slowestName: string
  median: number
  /** the slowest request of each class, by the time it would take with a processor to spare */
  slowestOf: Map<string, Slow>
}

/**
 * In milliseconds. `took` is the whole duration; for `ran` of it, the service ran on this request or others; for
 * `waited` of it, the service or its client was ready to run but had no processor.
 */
export type Slow = { name: string; took: number; waited: number; ran: number }

/** The duration without the time in which no processor was free. */
export const ownTime = ({ took, waited }: Slow): number => Math.max(0, took - waited)

/** Revoking a key answers only once no process accepts the key any more, which takes a second. */
export const WAITS = 'what ends a key'
const waits = /rotateApiKey|revokeApiKey|updatePortalUserAccess|disablePortalUser/

/** Source positions, file paths, SQL, and error messages of the layers below. */
const leaks =
  /\n\s+at |node_modules|\.[tj]s:\d+|file:\/\/|\/(tmp|work|home|usr|var)\/\w|\bselect\b[^"]{0,200}\bfrom\b|\binsert into\b|ECONN|ENOENT|syntax error at or near|violates .* constraint|relation "|TypeError|RangeError|ReferenceError|Cannot read prop|is not a function/

type Attack = {
  url: string
  key: string
  /** gets a new key when a document has revoked the current one; otherwise all later requests would be refused */
  anotherKey?: () => Promise<string>
  schema: GraphQLSchema
  seed: number
  count: number
  concurrency: number
  /** of the service and of its client */
  turns?: () => { service: Turns; client: Turns }
}

/** How long a process has run and has waited for a processor so far, in milliseconds. */
type Turns = { ran: number; waited: number }

const none: Turns = { ran: 0, waited: 0 }
const unknownTurns = () => ({ service: none, client: none })

export async function attack(facts: Attack): Promise<Outcome> {
  const { url, key, anotherKey, schema, seed, count, concurrency, turns = unknownTurns } = facts
  const outcome: Outcome = {
    requests: 0,
    statuses: {},
    faults: [],
    slowest: 0,
    slowestName: '',
    median: 0,
    slowestOf: new Map(),
  }
  const times: number[] = []
  const stream = hostileDocuments(schema, seed, count)
  let inUse = Promise.resolve(key)

  const work = async () => {
    for (const document of stream) {
      const given = inUse
      const known = await given
      const before = turns()
      const started = performance.now()
      const { status, text } = await post(url, known, document)
      const took = performance.now() - started
      const { service, client } = turns()
      const ran = service.ran - before.service.ran
      // the longer of the two, because they may overlap: this can understate the machine's share, but never overstate it
      const waited = Math.max(service.waited - before.service.waited, client.waited - before.client.waited)
      const slow = { name: document.name, took, ran, waited }
      const isEnded = status === '401' && document.headers?.['x-api-key'] === undefined
      if (isEnded && anotherKey && inUse === given) inUse = anotherKey()
      times.push(took)
      outcome.requests += 1
      const kind = waits.test(document.body) ? WAITS : document.name.replace(/ #\d+$/, '')
      const slowest = outcome.slowestOf.get(kind)
      if (!slowest || ownTime(slow) > ownTime(slowest)) outcome.slowestOf.set(kind, slow)
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
      if (took > outcome.slowest) Object.assign(outcome, { slowest: took, slowestName: document.name })
      const fault = faultOf(status, text, document.body)
      if (fault) outcome.faults.push(`${document.name}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  outcome.median = times.sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0
  return outcome
}

/** A caller's own words may be echoed; only other revealing text is a leak. */
function faultOf(status: string, text: string, sent: string): string | null {
  if (status.startsWith('5')) return `${status} ${text.slice(0, 300)}`
  if (text.includes('INTERNAL_SERVER_ERROR'))
    return text.slice(text.indexOf('"errors"'), text.indexOf('"errors"') + 400)
  const leak = leaks.exec(text)?.[0]
  return leak && !sent.includes(leak) ? `tells ${leak}` : null
}

async function post(
  url: string,
  key: string,
  { body, headers = {} }: HostileDocument,
): Promise<{ status: string; text: string }> {
  const all = { 'content-type': 'application/json', 'x-api-key': key, ...headers }
  try {
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers: all, body })
    return { status: String(response.status), text: await response.text() }
  } catch (error) {
    // undici refuses to send some headers; such requests go over a plain socket
    return postRaw(url, all, body).catch(() => ({ status: `none: ${error}`, text: '' }))
  }
}

function postRaw(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: string; text: string }> {
  const { hostname, port } = new URL(url)
  const lines = Object.entries({
    host: hostname,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  const request = `POST /graphql HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.setTimeout(10_000, () => socket.destroy(new Error('The connection was left hanging')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'closed', text })
    })
  })
}
