// The tests' client: JSON or multipart over HTTP to the service under test, and names unique to a test.

import { randomBytes } from 'node:crypto'
import { home } from './home.ts'
import { serviceUrl } from './service.ts'

export type Failure = {
  message: string
  path?: (string | number)[]
  extensions: { code: string; requestId: string; argument?: string; reason?: string; retryable: boolean }
}

/** The fields are whatever the test selected. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the selection that it wrote itself
export type Data = any

export type Answer = {
  status: number
  headers: Headers
  data: Data
  errors: Failure[]
  extensions: { cost: number; requestId: string }
}

export type Variables = Record<string, unknown>

export const administratorKey = (): string => home().administratorKey

/** A text that no other test uses. */
export const unique = (prefix: string): string => `${prefix} ${randomBytes(5).toString('hex')}`

/** Sends one operation as JSON and resolves to the whole answer. */
export async function ask(
  key: string | null,
  query: string,
  variables: Variables = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${await serviceUrl()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }), ...headers },
    body: JSON.stringify({ query, variables }),
  })
  return readAnswer(response)
}

/** Like ask, for an operation that must succeed; resolves to its data. */
export async function run(key: string, query: string, variables: Variables = {}): Promise<Data> {
  const { data, errors } = await ask(key, query, variables)
  if (errors.length > 0)
    throw new Error(errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n'))
  return data
}

/** Like run, for a service that the test has started itself. */
export async function runAt(url: string, key: string, query: string, variables: Variables = {}): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await readAnswer(response)
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return data
}

/** Runs an operation that must fail with exactly one error, and resolves to it. */
export async function refusal(key: string | null, query: string, variables: Variables = {}): Promise<Failure> {
  const { errors } = await ask(key, query, variables)
  const [failure] = errors
  if (!failure || errors.length > 1) throw new Error(`Expected one error, got ${JSON.stringify(errors)}`)
  return failure
}

export type SentFile = { content: string | Uint8Array; filename?: string; type?: string }

/** Sends an operation as a multipart request; `files` is keyed by the variable's path, such as `input.archive`. */
export async function upload(
  key: string | null,
  query: string,
  variables: Variables,
  files: Record<string, SentFile>,
): Promise<Answer> {
  const form = new FormData()
  const paths = Object.keys(files)
  const holes = structuredClone(variables)
  for (const path of paths) setNull(holes, path.split('.'))
  form.append('operations', JSON.stringify({ query, variables: holes }))
  form.append(
    'map',
    JSON.stringify(Object.fromEntries(paths.map((path, index) => [String(index), [`variables.${path}`]]))),
  )
  for (const [index, { content, filename, type }] of Object.values(files).entries()) {
    const bytes = typeof content === 'string' ? content : new Uint8Array(content)
    form.append(String(index), new Blob([bytes], { type: type ?? 'application/octet-stream' }), filename ?? 'file')
  }
  const response = await fetch(`${await serviceUrl()}/graphql`, {
    method: 'POST',
    headers: key === null ? {} : { 'x-api-key': key },
    body: form,
  })
  return readAnswer(response)
}

function setNull(holder: Variables, [step = '', ...rest]: string[]): void {
  if (rest.length === 0) {
    holder[step] = null
    return
  }
  holder[step] ??= {}
  setNull(holder[step] as Variables, rest)
}

async function readAnswer(response: Response): Promise<Answer> {
  const body = (await response.json()) as { data?: unknown; errors?: Failure[]; extensions: Answer['extensions'] }
  const { data = null, errors = [], extensions } = body
  return { status: response.status, headers: response.headers, data, errors, extensions }
}
