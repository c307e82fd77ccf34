// Sends HTTP requests exactly as given, well-formed or not, to the service under test.

import { connect } from 'node:net'
import { administratorKey, type Failure } from '../testkit/client.ts'
import { serviceUrl } from '../testkit/service.ts'

export type Sent = {
  status: number
  headers: Headers
  text: string
  errors: Failure[]
  data: unknown
  extensions: { requestId?: string; cost?: number }
}

export type Sending = {
  url?: string
  path?: string
  method?: string
  /** an empty value removes the header */
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream | FormData
  signal?: AbortSignal
}

/** Sends one request to the endpoint, by default with the administrator's key and JSON. */
export async function send({
  url,
  path = '/graphql',
  method = 'POST',
  headers = {},
  body,
  signal,
}: Sending): Promise<Sent> {
  const all = { 'x-api-key': administratorKey(), 'content-type': 'application/json', ...headers }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  const init = { method, headers: given, body, signal, duplex: 'half' as const }
  const response = await fetch(`${url ?? (await serviceUrl())}${path}`, init)
  return readSent(response)
}

async function readSent(response: Response): Promise<Sent> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  const { errors = [], data, extensions = {} } = isJson ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, text, errors, data, extensions }
}

export const codesOf = ({ errors }: Pick<Sent, 'errors'>): string[] => errors.map(({ extensions }) => extensions.code)

/** A request's head without its final blank line. */
export const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n`

type RawAnswer = { text: string; statuses: number[]; hasClosed: boolean }

/** in milliseconds: until an answer begins, even on a busy machine, and until no more of it arrives */
const USUAL = { first: 15_000, quiet: 300 }

/**
 * Writes bytes to a new connection, piece by piece, and reads until the other side closes, or no byte arrives within
 * `first` milliseconds after the last piece, or within `quiet` milliseconds after another byte.
 */
export async function sendRaw(
  url: string,
  pieces: (string | Uint8Array)[],
  { first, quiet } = USUAL,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  let hasClosed = false
  const ended = new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => resolve(), chunks.length === 0 ? first : quiet)
    }
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      wait()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      hasClosed = true
      clearTimeout(timer)
      resolve()
    })
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (!socket.writable) break
        socket.write(piece)
        await new Promise((next) => setTimeout(next, 5))
      }
      if (!hasClosed) wait()
    })
  })
  await ended
  socket.destroy()
  const text = Buffer.concat(chunks).toString('latin1')
  return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), hasClosed }
}
