// The HTTP server: who is let in, what every answer carries, and one line in the log for each request.

import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Pool } from 'pg'
import type { Db } from '../core/db/open.ts'
import { ApplicationError } from '../core/errors.ts'
import type { UploadedFile } from '../core/uploads.ts'
import type { Viewers } from '../modules/access/viewers.ts'
import type { Parts, Viewer } from '../modules/context.ts'
import type { CompileMode } from './documents.ts'
import { openDocuments } from './documents.ts'
import { addGraphiql } from './graphiql.ts'
import { answerFailure, type Endpoint, type GraphqlAnswer, openEndpoint, readGraphqlRequest } from './graphql.ts'
import { addHealth } from './health.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { openMetrics } from './metrics.ts'
import { readMultipart } from './multipart.ts'
import { openRateLimit } from './rate.ts'
import { addRoutes } from './routes.ts'

export type ServerParts = Parts & { db: Db; databasePool: Pool; viewers: Viewers; compile?: CompileMode }

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null
    outcome: { operation: string; codes: readonly string[] } | null
  }
}

const GRAPHQL_RESPONSE = 'application/graphql-response+json'
const FILES_AT_ONCE = 20

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

export function openServer(schema: GraphQLSchema, parts: ServerParts): FastifyInstance {
  const { config, log } = parts
  const app = Fastify({
    logger: false,
    bodyLimit: config.limits.jsonBytes,
    trustProxy: config.trustProxy,
    genReqId: () => randomBytes(12).toString('base64url'),
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => sendFailure(asEdgeError(error), request, reply, parts),
  })
  app.server.headersTimeout = 20_000
  const metrics = openMetrics(app, parts)
  const rates = openRateLimit(config.limits.requestsPerMinute)

  app.decorateRequest('viewer', null)
  app.decorateRequest('outcome', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders, 'x-request-id': request.id })
  })
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request, reply)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        keyId: request.viewer?.keyPublicId,
        operation: request.outcome?.operation,
        codes: request.outcome?.codes.length ? request.outcome.codes : undefined,
      },
      'request',
    )
  })
  app.setErrorHandler((error, request, reply) => sendFailure(asEdgeError(error), request, reply, parts))
  app.setNotFoundHandler((request, reply) =>
    sendFailure(new ApplicationError('NOT_FOUND', 'There is nothing at this address'), request, reply, parts),
  )
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, null))
  app.removeContentTypeParser('text/plain')

  const letIn = async (request: FastifyRequest, reply: FastifyReply) => {
    const header = request.headers['x-api-key']
    const viewer = await parts.viewers.find(parts.db, typeof header === 'string' ? header : undefined)
    if (!viewer) throw new ApplicationError('UNAUTHENTICATED', 'A valid key is needed in the header x-api-key')
    request.viewer = viewer
    const seconds = rates.take(viewer.keyId)
    if (seconds === null) return
    reply.header('retry-after', String(seconds))
    throw new ApplicationError('RATE_LIMITED', `This key may ask ${config.limits.requestsPerMinute} times a minute`)
  }

  addEndpoint(app, openEndpoint(schema, openDocuments(schema, config.limits, parts.compile), parts), parts, letIn)
  addRoutes(app, parts, letIn)
  addHealth(app, parts)
  addGraphiql(app, parts)
  return app
}

type LetIn = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, parts: ServerParts, letIn: LetIn): void {
  app.post('/graphql', { onRequest: letIn }, async (request, reply) => {
    const { viewer } = request
    if (!viewer) throw new ApplicationError('UNAUTHENTICATED', 'A valid key is needed in the header x-api-key')
    const files: UploadedFile[] = []
    try {
      const body = await readBody(request, parts, files)
      const facts = {
        id: request.id,
        address: request.ip,
        idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
        viewer,
      }
      return await send(await endpoint(readGraphqlRequest(body), facts), request, reply)
    } finally {
      await removeUnkept(files, parts)
    }
  })
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/graphql',
    handler: (_, reply) => {
      reply.header('allow', 'POST')
      throw new ApplicationError('METHOD_NOT_ALLOWED', 'The endpoint takes POST')
    },
  })
}

async function readBody(
  request: FastifyRequest,
  { config, objects }: ServerParts,
  files: UploadedFile[],
): Promise<unknown> {
  if (!request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data')) {
    if (request.headers['content-type'] === undefined) {
      throw new ApplicationError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The content-type must be application/json or multipart/form-data',
      )
    }
    return request.body
  }
  const { jsonBytes, attachmentBytes, diffBytes, reportBytes } = config.limits
  const limits = {
    operationsBytes: jsonBytes,
    fileBytes: Math.max(attachmentBytes, diffBytes, reportBytes),
    files: FILES_AT_ONCE,
  }
  return readMultipart(request.raw, objects, limits, (file) => files.push(file))
}

/** A stored file that no row came to refer to goes with its request. */
async function removeUnkept(files: readonly UploadedFile[], { objects, log }: ServerParts): Promise<void> {
  for (const { kept, stored } of files) {
    if (!kept && stored)
      await objects.remove(stored.objectKey).catch((err) => log.warn({ err }, 'A file was left behind'))
  }
}

function send(answer: GraphqlAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.outcome = answer
  const takesResponseType = acceptsResponseType(request.headers.accept)
  return reply
    .code(takesResponseType ? answer.status : 200)
    .header('content-type', `${takesResponseType ? GRAPHQL_RESPONSE : 'application/json'}; charset=utf-8`)
    .send(answer.body)
}

/** Whether the caller prefers application/graphql-response+json: it names it, before or without application/json. */
function acceptsResponseType(accept: string | undefined): boolean {
  const wanted = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(';', 1)[0])
  const response = wanted.indexOf(GRAPHQL_RESPONSE)
  const json = wanted.findIndex((type) => type === 'application/json' || type === 'application/*' || type === '*/*')
  return response >= 0 && (json < 0 || response < json)
}

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, parts: ServerParts): void {
  const answer = answerFailure(error, parts, request.id)
  request.outcome = answer
  const { retryAfterSeconds } = answer.failure
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const isEndpoint = request.url.split('?', 1)[0] === '/graphql'
  const type = isEndpoint && acceptsResponseType(request.headers.accept) ? GRAPHQL_RESPONSE : 'application/json'
  reply
    .headers({ ...securityHeaders, 'x-request-id': request.id, 'content-type': `${type}; charset=utf-8` })
    .code(answer.status)
    .send(answer.body)
}

/** What Fastify refuses by itself, in our codes. */
function asEdgeError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApplicationError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApplicationError('PAYLOAD_TOO_LARGE', 'The body is too large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApplicationError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The content-type must be application/json or multipart/form-data',
    )
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status === 503) return new ApplicationError('UNAVAILABLE', 'The service is stopping')
  if (status >= 400 && status < 500) return new ApplicationError('BAD_REQUEST', 'The body is not JSON that can be read')
  return error
}
