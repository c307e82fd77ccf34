// A careful client: it sends an Idempotency-Key, and distinguishes an answer from the lack of one.

import { randomBytes } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the selection that it wrote itself
export type Data = any

export type Failure = { message: string; extensions: { code: string; retryable: boolean } }

/** The outcome of a request: an answer, or nothing because the connection ended. */
export type Outcome =
  | { kind: 'answered'; status: number; data: Data; failures: Failure[]; took: number }
  | { kind: 'lost'; reason: string; took: number }

export const isDone = (outcome: Outcome): boolean => outcome.kind === 'answered' && outcome.failures.length === 0

type File = { path: string; bytes: Uint8Array; filename: string }

export type Asked = { query: string; variables: Record<string, unknown>; file?: File; idempotencyKey?: string }

export type Access = { url: string; key: string }

export const unique = (prefix: string): string => `${prefix} ${randomBytes(8).toString('hex')}`

/** Sends one operation, as JSON or with its file as multipart. */
export async function ask({ url, key }: Access, asked: Asked): Promise<Outcome> {
  const began = performance.now()
  const took = () => performance.now() - began
  const { query, variables, file, idempotencyKey } = asked
  const headers = { 'x-api-key': key, ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}) }
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: file ? headers : { ...headers, 'content-type': 'application/json' },
      body: file ? multipart(query, variables, file) : JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(60_000),
    })
    const { data, errors = [] } = (await response.json()) as { data?: Data; errors?: Failure[] }
    return { kind: 'answered', status: response.status, data, failures: errors, took: took() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { kind: 'lost', reason: cause instanceof Error ? cause.message : String(cause), took: took() }
  }
}

function multipart(query: string, variables: Record<string, unknown>, { path, bytes, filename }: File): FormData {
  const form = new FormData()
  form.append('operations', JSON.stringify({ query, variables }))
  form.append('map', JSON.stringify({ file: [`variables.${path}`] }))
  form.append('file', new Blob([new Uint8Array(bytes)]), filename)
  return form
}

/** Like ask, for an operation that must succeed; resolves to its data. */
export async function run(access: Access, query: string, variables: Record<string, unknown> = {}): Promise<Data> {
  const outcome = await ask(access, { query, variables })
  if (outcome.kind === 'lost') throw new Error(`The connection ended: ${outcome.reason}`)
  const [failure] = outcome.failures
  if (failure) throw new Error(`${failure.extensions.code}: ${failure.message}`)
  return outcome.data
}
