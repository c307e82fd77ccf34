// Plain GET routes beside the endpoint, as the modules list them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApplicationError } from '../core/errors.ts'
import type { Context } from '../modules/context.ts'
import { modules } from '../modules/index.ts'
import type { Answer, Route, RouteRequest } from '../modules/types.ts'
import type { ServerParts } from './server.ts'

type LetIn = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function addRoutes(app: FastifyInstance, parts: ServerParts, letIn: LetIn): void {
  for (const route of modules.flatMap((module) => module.routes ?? [])) {
    app.get(route.path, { onRequest: route.access === 'key' ? letIn : [] }, async (request, reply) => {
      const answer = await ask(route, request, parts)
      request.outcome = { operation: route.path, codes: [] }
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    })
  }
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
  params: single(request.params as Record<string, unknown>),
  query: single(request.query as Record<string, unknown>),
  headers: single(request.headers),
})
