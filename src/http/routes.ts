// The plain HTTP routes beside the endpoint, as the modules list them: downloads, public pages, and calls from outside tools.

import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApplicationError } from '../core/errors.ts'
import type { Context, Viewer } from '../modules/context.ts'
import { modules } from '../modules/index.ts'
import type { Answer, Route, RouteRequest } from '../modules/types.ts'
import { openRateLimit, requireRate } from './rate.ts'
import type { LetIn, ServerParts } from './server-parts.ts'
import { findViewer } from './session.ts'

export function addRoutes(app: FastifyInstance, parts: ServerParts, letIn: LetIn): void {
  for (const route of modules.flatMap((module) => module.routes ?? [])) {
    app.get(route.path, { onRequest: route.access === 'key' ? letIn : [] }, async (request, reply) => {
      const answer = await ask(route, request, parts)
      request.outcome = { operation: route.path, codes: [] }
      if (route.access === 'key' && answer.body instanceof Readable) endWithViewer(answer.body, request, parts)
      // an empty body, because a HEAD request needs one to end
      return reply
        .code(answer.status)
        .headers(answer.headers)
        .send(answer.body ?? '')
    })
  }
}

/** Milliseconds between checks, during a download, that its key or session is still valid. */
const LOOK = 1_000

/** Calls per minute from one address: each costs a look-up before it has proved where it comes from. */
const DELIVERIES_PER_MINUTE = 1_200

/** POST routes that outside tools call; the body stays as raw bytes, because signatures are computed over them. */
export function addReceivers(app: FastifyInstance, parts: ServerParts): void {
  const rates = openRateLimit(DELIVERIES_PER_MINUTE)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const limit = async (request: FastifyRequest, reply: FastifyReply) =>
      requireRate(rates, request.ip, reply, 'Too many calls come from this address')
    for (const { path, largest, admit, receive } of modules.flatMap((module) => module.receivers ?? [])) {
      const letIn = async (request: FastifyRequest, reply: FastifyReply) => {
        const answer = await admit(parts, readRequest(request))
        if (answer === null) return
        request.outcome = { operation: path, codes: [] }
        // closed, because the unread body would be taken for the connection's next request
        return reply.code(answer.status).headers(answer.headers).header('connection', 'close').send(answer.body)
      }
      scope.post(path, { bodyLimit: largest, onRequest: [limit, letIn] }, async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const answer = await receive(parts, { ...readRequest(request), body })
        request.outcome = { operation: path, codes: [] }
        return reply.code(answer.status).headers(answer.headers).send(answer.body)
      })
    }
  })
}

/** Ends a download as soon as its viewer may no longer start it. */
function endWithViewer(body: Readable, request: FastifyRequest, parts: ServerParts): void {
  const reachOf = (viewer: Viewer | null) => [viewer?.keyId, viewer?.scopes, viewer?.memberships]
  const before = reachOf(request.viewer)
  const look = async () => {
    const viewer = await findViewer(request, parts).catch(() => request.viewer)
    if (!isDeepStrictEqual(reachOf(viewer), before)) body.destroy(new Error('Who downloads may no longer do so'))
  }
  const looking = setInterval(() => void look(), LOOK)
  body.once('close', () => clearInterval(looking))
}

function ask(route: Route, request: FastifyRequest, parts: ServerParts): Promise<Answer> {
  const asked = readRequest(request)
  if (route.access === 'public') return route.answer(parts, asked)
  if (!request.viewer) throw new ApplicationError('UNAUTHENTICATED', 'A valid key is needed in the header x-api-key')
  const context: Context = {
    ...parts,
    viewer: request.viewer,
    request: { id: request.id, address: request.ip, operation: `GET ${route.path}` },
    loaders: new Map(),
  }
  return route.answer(context, asked)
}

const single = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

const readRequest = (request: FastifyRequest): RouteRequest => ({
  isHead: request.method === 'HEAD',
  params: single(request.params as Record<string, unknown>),
  query: single(request.query as Record<string, unknown>),
  headers: single(request.headers),
})
