// The commands' client of a service: finds its address and the key, sends operations, and reports failures in the service's own words.

import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { OperatorError } from '../core/errors.ts'
import { sizeOf } from './files.ts'
import type { Progress } from './progress.ts'
import { WrongUse } from './wrong-use.ts'

/** A fault, with the argument that it concerns, such as `input.title`, and what tells it from others, if the service names them. */
type Fault = { message: string; argument: string | undefined; reason: string | undefined }

/** The service refused; the message is its sentence, or one line per fault. `isOfWords`: every fault is in an argument other than a file. */
export class Refused extends OperatorError {
  readonly code: string
  readonly faults: readonly Fault[]
  readonly isOfWords: boolean
  constructor(message: string, code: string, faults: readonly Fault[] = [], isOfWords = false) {
    super(message)
    this.code = code
    this.faults = faults
    this.isOfWords = isOfWords
  }
}

/** The service cannot be reached, or what answers is not Merlon. */
export class Unreachable extends OperatorError {}

/** `keyFrom` says where the key comes from, for use in a sentence. */
type Access = { url: string; key: string; keyFrom: string }

const DEFAULT_URL = 'http://127.0.0.1:4000'

/** Characters that a header can carry; whether the text is a key is for the service to decide. */
const KEY = /^[\x21-\x7e]+$/

/** The file in which `merlon login` stores its credentials. */
export const credentialsFile = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'merlon', 'credentials.json')

/** MERLON_URL and MERLON_API_KEY, or else what `merlon login` stored. */
async function readAccess(): Promise<Access> {
  const kept = await readKept()
  const url = serviceAt(process.env.MERLON_URL || kept.url || DEFAULT_URL)
  const key = process.env.MERLON_API_KEY || kept.key
  const keyFrom = process.env.MERLON_API_KEY ? 'of MERLON_API_KEY' : 'that merlon login stored'
  if (!key) throw new WrongUse('No key: set MERLON_API_KEY, or run merlon login')
  if (!KEY.test(key)) throw new WrongUse(`The key ${keyFrom} has characters that no key has, such as white space`)
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new WrongUse(
      `The address of the service must begin with http:// or https://, and is ${url}: give it with MERLON_URL or merlon login --url`,
    )
  }
  if (!process.env.MERLON_API_KEY) requireOwnAddress(url, kept.url)
  return { url, key, keyFrom }
}

/** Also accepts the address of the endpoint, which a service prints when it starts. */
const serviceAt = (address: string): string => address.replace(/\/(graphql\/?)?$/, '')

/** A stored key is sent only to the service that accepted it, never to another one that the environment names. */
function requireOwnAddress(url: string, kept: string | undefined): void {
  const own = serviceAt(kept ?? DEFAULT_URL)
  if (URL.parse(own)?.href === URL.parse(url)?.href) return
  throw new WrongUse(
    `The key that merlon login stored is for ${own} and is not sent to ${url}, which MERLON_URL names: set MERLON_API_KEY, or run merlon login --url ${url}`,
  )
}

async function readKept(): Promise<Partial<Access>> {
  const text = await readFile(credentialsFile(), 'utf8').catch(() => '{}')
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept === 'object' && kept !== null) return kept
  } catch {}
  throw new WrongUse(`${credentialsFile()} cannot be read; run merlon login again`)
}

type Variables = Record<string, unknown>

/** The data of an operation; each command knows the shape of its own selection. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is the command's own selection
export type Selection = any

/** Sends an operation and returns its data; throws Refused with the server's sentence if it has errors. */
export async function request(query: string, variables: Variables = {}): Promise<Selection> {
  const access = await readAccess()
  return send(access, { 'content-type': 'application/json' }, JSON.stringify({ query, variables }))
}

/** As request, with one file streamed to the variable at `path`, such as `input.archive`. */
export async function requestWithFile(
  query: string,
  variables: Variables,
  path: string,
  file: string,
  progress: Progress,
): Promise<Selection> {
  return requestWithFiles(query, variables, { [path]: file }, progress)
}

/** As request, with files by the path of the variable that each fills; `variables` must hold null in every place. */
export async function requestWithFiles(
  query: string,
  variables: Variables,
  files: Record<string, string>,
  progress: Progress,
): Promise<Selection> {
  const access = await readAccess()
  const boundary = `merlon-${randomBytes(16).toString('hex')}`
  const entries = Object.entries(files)
  const map = Object.fromEntries(entries.map(([path], index) => [String(index), [`variables.${path}`]]))
  const sizes = await Promise.all(entries.map(([, file]) => sizeOf(file)))
  const all = sizes.reduce((sum, size) => sum + size, 0)

  async function* body(): AsyncGenerator<Buffer> {
    yield part(boundary, 'name="operations"', JSON.stringify({ query, variables }))
    yield part(boundary, 'name="map"', JSON.stringify(map))
    let sent = 0
    for (const [index, [, file]] of entries.entries()) {
      yield part(boundary, `name="${index}"; filename="${asHeader(basename(file))}"`, '', 'application/octet-stream')
      for await (const chunk of createReadStream(file)) {
        sent += chunk.length
        progress.update(sent, all)
        yield chunk
      }
      yield Buffer.from('\r\n')
    }
    yield Buffer.from(`--${boundary}--\r\n`)
  }

  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return send(access, headers, Readable.from(body()), Object.keys(files))
}

const asHeader = (name: string) => name.replace(/["\r\n]/g, '_')

function part(boundary: string, disposition: string, content: string, type?: string): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
  return Buffer.from(type ? head : `${head}${content}\r\n`)
}

/** `files` are the paths of the arguments that are files. */
async function send(
  access: Access,
  headers: Record<string, string>,
  body: string | Readable,
  files: readonly string[] = [],
): Promise<Selection> {
  const { url, key } = access
  const options = { method: 'POST', headers: { ...headers, 'x-api-key': key }, body, duplex: 'half' }
  const response = await reach(`${url}/graphql`, options as RequestInit)
  const answer = await readAnswer(response, url)
  const errors = answer.errors ?? []
  if (errors.length === 0) return answer.data
  requireKnown(errors, access)
  const faults = errors.map(({ message, extensions: { argument, reason } = {} }) => ({ message, argument, reason }))
  const code = errors[0]?.extensions?.code ?? ''
  const isOfWords = faults.every(({ argument }) => argument !== undefined && !files.includes(argument))
  throw new Refused(faults.map(({ message }) => message).join('\n'), code, faults, isOfWords)
}

/** Throws Refused if the service does not know the key; its own sentence is about a header, which means nothing to a user of the command line. */
function requireKnown(errors: Answer['errors'], { url, keyFrom }: Access): void {
  const code = errors?.[0]?.extensions?.code
  if (code === 'UNAUTHENTICATED') throw new Refused(invalidKey(`The key ${keyFrom}`, url), code)
}

/** The sentence for a key that the service does not know. */
export const invalidKey = (key: string, url: string): string =>
  `${key} is not valid at ${url}: it is mistyped, revoked or expired; ask for a new one (merlon keys create)`

async function reach(address: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(address, options)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null
    const reason = cause && 'code' in cause ? reasonOf(String(cause.code), address) : cause?.message
    throw new Unreachable(`${address} cannot be reached${reason ? ` (${reason})` : ''}`)
  }
}

/** Explains the code of a failed connection to whoever typed the address. */
function reasonOf(code: string, address: string): string {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak TLS: is it http rather than https?'
  // a TLS server ends a connection that does not speak TLS
  if (code === 'UND_ERR_SOCKET' && /^http:/i.test(address))
    return 'it ended the connection: is it https rather than http?'
  return code
}

type Extensions = { code?: string; argument?: string; reason?: string }
type Answer = { data?: Selection; errors?: { message: string; extensions?: Extensions }[] }

async function readAnswer(response: Response, url: string): Promise<Answer> {
  try {
    return (await response.json()) as Answer
  } catch {
    throw new Unreachable(`${url} is not a Merlon service (HTTP ${response.status})`)
  }
}

/** Downloads from one of the service's routes. */
export async function download(path: string): Promise<Response> {
  const access = await readAccess()
  const response = await reach(`${access.url}${path}`, { headers: { 'x-api-key': access.key } })
  if (response.ok) return response
  const { errors } = await readAnswer(response, access.url)
  requireKnown(errors, access)
  throw new Refused(errors?.[0]?.message ?? `HTTP ${response.status}`, errors?.[0]?.extensions?.code ?? '')
}

/** Reports that a download was cut off; rethrows any other failure, such as a full disk. */
export function asCut(what: string, error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code !== 'UND_ERR_SOCKET') throw error
  throw new Unreachable(`${what} ended before it was complete`)
}
