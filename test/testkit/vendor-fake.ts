// A scripted vendor over HTTP: every request is checked, and an unused step also fails the test.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { Answer, Seen } from './exchanges.ts'
import type { VendorContract } from './vendor-contract.ts'

/** An expected request and its answer; `path` is the whole path, and undefined in `query` means absent. */
export type Step = {
  method: string
  path: string
  query?: Record<string, string | undefined>
  headers?: Record<string, string | RegExp | undefined>
  /** matched like toMatchObject */
  body?: unknown
  answer: Answer | ((seen: Seen) => Answer)
  /** how often the request is expected, once by default */
  times?: number
}

export type Fake = {
  seen: Seen[]
  add(...steps: Step[]): void
  /** Closes the fake. Throws for an unexpected request, a violation of the contract, or a step that was not used. */
  end(): Promise<void>
}

/**
 * Who closes a fake and fails with its complaints: the end of the test that created it, or, for one created in a hook,
 * its creator.
 */
export type ClosedBy = 'TEST' | 'MAKER'

const hosts = new Map<string, string>()

/** Where the fake of an origin listens; for `openOutbound` and `createApp`. */
export const standIn = (origin: string): string | null => hosts.get(origin) ?? null

export const json = (value: unknown, more: { status?: number; headers?: Record<string, string> } = {}): Answer => ({
  json: value,
  ...more,
})

const step =
  (method: string) =>
  (path: string, answer: Step['answer'], more: Partial<Step> = {}): Step => ({
    method,
    path,
    answer,
    ...more,
  })
export const get = step('GET')
export const post = step('POST')
export const put = step('PUT')
export const patch = step('PATCH')
export const remove = step('DELETE')

/** The answer to a request and what was wrong with it; null if it was unexpected. */
type Answering = (asked: Seen) => { answer: Answer; faults: string[] } | null

/** Stands in for the origin until the end of the test, which fails if the fake has any complaint. */
export async function fakeVendor(origin: string, steps: Step[], contract: VendorContract | null = null): Promise<Fake> {
  const left = steps.map((one) => ({ ...one, times: one.times ?? 1 }))
  const answering: Answering = (asked) => {
    const found = left.find((one) => one.times > 0 && fits(one, asked))
    if (!found) return null
    found.times -= 1
    const answer = typeof found.answer === 'function' ? found.answer(asked) : found.answer
    return { answer, faults: wrongs(found, asked) }
  }
  const unused = () =>
    left.filter(({ times }) => times > 0).map(({ method, path }) => `nobody asked for ${method} ${path}`)
  const fake = await serve(origin, answering, unused, contract)
  return { ...fake, add: (...more) => void left.push(...more.map((one) => ({ ...one, times: one.times ?? 1 }))) }
}

/** Like fakeVendor, for a stateful vendor: `answer` decides on its own, and null means an unexpected request. */
export const serveVendor = (
  origin: string,
  answer: (asked: Seen) => Answer | null,
  contract: VendorContract | null = null,
  closedBy: ClosedBy = 'TEST',
): Promise<Omit<Fake, 'add'>> => {
  const answering: Answering = (asked) => {
    const given = answer(asked)
    return given && { answer: given, faults: [] }
  }
  return serve(origin, answering, () => [], contract, closedBy)
}

/** The fate of a request: answered wrongly, refused, executed with its answer lost, or nothing unusual. */
export type Trouble = (asked: Seen) => Answer | 'DROP_ANSWER' | null

/** Wraps `answer`, except for requests that meet with trouble. */
export const withTrouble =
  (troubleOf: Trouble, answer: (asked: Seen) => Answer | null) =>
  (asked: Seen): Answer | null => {
    const trouble = troubleOf(asked)
    if (trouble !== null && trouble !== 'DROP_ANSWER') return trouble
    const given = answer(asked)
    return trouble === 'DROP_ANSWER' ? { write: (response) => void response.destroy() } : given
  }

async function serve(
  origin: string,
  answering: Answering,
  atEnd: () => string[],
  contract: VendorContract | null,
  closedBy: ClosedBy = 'TEST',
): Promise<Omit<Fake, 'add'>> {
  const faults: string[] = []
  const seen: Seen[] = []

  const server = createServer((request, response) => {
    const answer = async () => {
      const asked = await readRequest(request)
      seen.push(asked)
      const found = answering(asked)
      if (!found) {
        faults.push(`nobody expected ${asked.method} ${request.url}`)
        return void response.writeHead(418).end()
      }
      faults.push(...found.faults)
      if (contract && !('write' in found.answer)) faults.push(...contract.faults(asked, found.answer))
      send(response, found.answer)
    }
    answer().catch((error: unknown) => {
      faults.push(String(error))
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  hosts.set(origin, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  let isOver = false
  const end = async () => {
    if (isOver) return
    isOver = true
    hosts.delete(origin)
    await close(server)
    const wrong = [...faults, ...atEnd()]
    if (wrong.length > 0) throw new Error(`The fake of ${origin}: ${wrong.join('; ')}`)
  }
  if (closedBy === 'TEST') onTestFinished(end)
  return { seen, end }
}

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

async function readRequest(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const url = new URL(request.url ?? '/', 'http://fake')
  const type = request.headers['content-type'] ?? ''
  const body = /json/.test(type)
    ? JSON.parse(text)
    : /x-www-form-urlencoded/.test(type)
      ? Object.fromEntries(new URLSearchParams(text))
      : text
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body,
  }
}

const fits = ({ method, path, query = {} }: Step, seen: Seen): boolean =>
  method === seen.method &&
  path === seen.path &&
  Object.entries(query).every(([name, value]) => seen.query[name] === value)

function wrongs({ headers = {}, body }: Step, seen: Seen): string[] {
  const at = `${seen.method} ${seen.path}`
  const wrong = Object.entries(headers).filter(([name, wanted]) => {
    const given = seen.headers[name.toLowerCase()]
    return wanted instanceof RegExp ? !wanted.test(given ?? '') : given !== wanted
  })
  const faults = wrong.map(([name]) => `${at} has the header ${name} wrong`)
  if (body === undefined) return faults
  try {
    expect(seen.body).toMatchObject(body as object)
  } catch (error) {
    faults.push(`${at} has the body wrong: ${error instanceof Error ? error.message : error}`)
  }
  return faults
}

function send(response: ServerResponse, answer: Answer): void {
  if ('write' in answer) {
    answer.write(response)
    return
  }
  const type = answer.json === undefined ? 'text/plain' : 'application/json'
  response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers })
  response.end(answer.json === undefined ? (answer.text ?? '') : JSON.stringify(answer.json))
}
