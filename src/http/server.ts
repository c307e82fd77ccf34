// The HTTP server: authentication, the headers of every answer, and one log line for each request.

import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import { ApplicationError } from '../core/errors.ts'
import { openAdmission } from './admission.ts'
import { readJsonBodies } from './body.ts'
import { openConsole } from './console.ts'
import { openDocuments } from './documents.ts'
import { newRequestId, nothingHere, pathOf, refuseRaw, securityHeaders, sendFailure } from './edge.ts'
import { addGraphiql } from './graphiql.ts'
import { openEndpoint } from './graphql.ts'
import { addEndpoint } from './graphql-route.ts'
import { addHealth } from './health.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { openRateLimit, requireRate } from './rate.ts'
import { addReceivers, addRoutes } from './routes.ts'
import type { LetIn, ServerParts } from './server-parts.ts'
import { addSession, findViewer } from './session.ts'
import { addSignIn } from './sign-in.ts'
import { addSockets } from './sockets.ts'
import { openSubscriptions } from './subscriptions.ts'

/** Milliseconds after which a silent connection is closed, unless the request's deadline is later. */
const SILENCE = 60_000
/** Milliseconds within which a request must arrive with its body, however slowly it is sent. */
const SLOWEST_BODY = 3_600_000
const SLOWEST_HEADERS = 20_000

export function openServer(schema: GraphQLSchema, parts: ServerParts): FastifyInstance {
  const { config } = parts
  const app = newFastify(parts)
  const rates = openRateLimit(config.limits.requestsPerMinute)
  const letIn: LetIn = async (request, reply) => {
    const viewer = await findViewer(request, parts)
    if (!viewer) throw new ApplicationError('UNAUTHENTICATED', 'A valid key is needed in the header x-api-key')
    request.viewer = viewer
    requireRate(rates, viewer.keyId, reply, `This key may ask ${config.limits.requestsPerMinute} times a minute`)
  }

  const metrics = openMetrics(app, parts)
  endIdleConnectionsOnClose(app)
  addAnswerHooks(app, parts, metrics)
  addFallbacks(app, parts)
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, null))
  app.removeContentTypeParser('text/plain')
  readJsonBodies(app)

  const documents = openDocuments(schema, config.limits, parts.compile)
  const endpoint = openEndpoint(schema, documents, parts)
  addEndpoint(app, { endpoint, admit: openAdmission(schema, documents, config.limits) }, parts, letIn)
  addSockets(app, openSubscriptions({ schema, documents, rates, parts }), parts)
  addRoutes(app, parts, letIn)
  addReceivers(app, parts)
  addSession(app, parts)
  addSignIn(app, parts)
  addHealth(app, parts)
  addGraphiql(app, parts)
  return app
}

const newFastify = ({ config, log }: ServerParts): FastifyInstance =>
  Fastify({
    logger: false,
    bodyLimit: config.limits.jsonBytes,
    // One proxy is trusted: earlier entries of x-forwarded-for could be forged, and the address goes into audit records.
    trustProxy: config.trustProxy && ((_, hop) => hop === 0),
    genReqId: newRequestId,
    requestTimeout: SLOWEST_BODY,
    connectionTimeout: Math.max(SILENCE, config.requestTimeout + 30_000),
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      headersTimeout: SLOWEST_HEADERS,
      connectionsCheckingInterval: 5_000,
      // a request for another upgrade is answered as plain HTTP (RFC 9110, 7.8)
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply, log),
    clientErrorHandler: (error, socket) => refuseRaw(error, socket, log),
  })

/** Without this, a connection that becomes idle while the server closes would keep it open until its keep-alive ends. */
function endIdleConnectionsOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(sweep))
  })
}

/** Gives every answer security headers, the request's id and one line in the log. */
function addAnswerHooks(app: FastifyInstance, { log }: ServerParts, metrics: Metrics): void {
  app.decorateRequest('viewer', null)
  app.decorateRequest('outcome', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders, 'x-request-id': request.id })
    if (pathOf(request) !== '/graphql' || request.method === 'POST') return
    reply.header('allow', 'POST')
    throw new ApplicationError('METHOD_NOT_ALLOWED', 'The endpoint takes POST')
  })
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request, reply)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path: shownPath(request),
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
}

/** Answers failures, and addresses without a route: the console's page, or NOT_FOUND. */
function addFallbacks(app: FastifyInstance, { log }: ServerParts): void {
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, log))
  const showPage = openConsole()
  app.setNotFoundHandler(async (request, reply) => {
    if (await showPage(request, reply)) return reply
    sendFailure(nothingHere, request, reply, log)
  })
}

/** The path for the log, without the secret token that some paths contain. */
const shownPath = (request: FastifyRequest): string => {
  const { url } = request.routeOptions
  return url?.includes(':token') ? url : pathOf(request)
}
