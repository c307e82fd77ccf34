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
      // without a body the server would have none to end, where the headers alone are asked for
      return reply
        .code(answer.status)
        .headers(answer.headers)
        .send(answer.body ?? '')
    })
  }
}

/** Milliseconds between two looks whether a key or session still holds, while its download goes on. */
const LOOK = 1_000

/** Calls a minute from one address, which are looked up before they prove anything. */
const DELIVERIES_PER_MINUTE = 1_200

/** POST routes that others call: the body is left as the bytes that came, which is what proves it. */
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
        // the body that is left unread would stand before the next request of the connection
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

/** Ends a download when who asked for it may no longer do the same. */
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
