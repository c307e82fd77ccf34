// Failures outside an operation: answers what Fastify or Node's HTTP parser refuses in the form of every other error.

import { randomFillSync } from 'node:crypto'
import { ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApplicationError, type ErrorCode } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { answerFailure } from './answers.ts'
import { discardRest } from './discard.ts'
import { showError } from './errors.ts'
import { GRAPHQL_RESPONSE, prefersResponseType, unsupported } from './negotiate.ts'

const ID_BYTES = 12

/** Random bytes for the next ids, generated for many at once. */
const drawn = Buffer.alloc(ID_BYTES * 256)
let used = drawn.length

export function newRequestId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += ID_BYTES
  return drawn.toString('base64url', used - ID_BYTES, used)
}

/** On every answer, unless a route sets its own. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? ''

const tooLarge = new ApplicationError('PAYLOAD_TOO_LARGE', 'The body is too large')

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const edgeError = asEdgeError(error, request)
  if (edgeError === tooLarge) {
    // if the connection is closed while the client is still sending, the client may not see the answer
    reply.removeHeader('connection')
    discardRest(request.raw)
  }
  const answer = answerFailure(edgeError, { log }, request.id)
  request.outcome = answer
  const { retryAfterSeconds } = answer.failure
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const takesResponseType = pathOf(request) === '/graphql' && prefersResponseType(request.headers.accept)
  reply
    .headers({ ...securityHeaders, 'x-request-id': request.id })
    .header('content-type', `${takesResponseType ? GRAPHQL_RESPONSE : 'application/json'}; charset=utf-8`)
    .code(answer.status)
    .send(answer.body)
}

export const nothingHere = new ApplicationError(
  'NOT_FOUND',
  'There is nothing at this address; the endpoint is POST /graphql, and a browser gets the console at /',
)

const frameworkErrors: Record<string, ApplicationError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupported('The content-type must be application/json or multipart/form-data'),
  FST_ERR_BAD_URL: new ApplicationError('BAD_REQUEST', 'The address cannot be read'),
  FST_ERR_MAX_PARAM_LENGTH: nothingHere,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new ApplicationError('BAD_REQUEST', 'The body ended before its length'),
}

const ended = new ApplicationError('BAD_REQUEST', 'The request ended before its body did')

/** Our codes for what Fastify itself refuses. */
function asEdgeError(error: unknown, request: FastifyRequest): unknown {
  if (!(error instanceof Error) || error instanceof ApplicationError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // ECONNRESET may come from the database's connection as well as from the caller's.
  if (code === 'ECONNRESET') return request.raw.destroyed && !request.raw.complete ? ended : error
  const known = frameworkErrors[code]
  if (known) return known
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status >= 400 && status < 500) return new ApplicationError('BAD_REQUEST', 'The body is not JSON that can be read')
  return error
}

type RawFailure = { status: number; code: ErrorCode; message: string }

const rawFailures: Record<string, RawFailure> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'BAD_REQUEST', message: 'The headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'BAD_REQUEST', message: 'The request took too long to arrive' },
}
const notHttp: RawFailure = { status: 400, code: 'BAD_REQUEST', message: 'The request is not HTTP that can be read' }

/** Answers a request that Node's parser refused, unless an answer is already being sent, and closes the connection. */
export function refuseRaw(error: Error & { code?: string }, socket: Socket, log: Log): void {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  const isAnswering = response instanceof ServerResponse && (response.headersSent || response.req.complete)
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
  const { status, code, message } = rawFailures[error.code ?? ''] ?? notHttp
  const requestId = newRequestId()
  const shown = showError(new ApplicationError(code, message), requestId)
  const body = JSON.stringify({ errors: [shown], extensions: { requestId } })
  const headers = Object.entries({
    ...securityHeaders,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`)
  log.info({ requestId, status, address: socket.remoteAddress, codes: [code] }, 'request')
}
