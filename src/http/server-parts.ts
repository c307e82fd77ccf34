// What the HTTP server is made of, and what it knows of a request.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Db } from '../core/db/open.ts'
import type { Viewers } from '../modules/access/viewers.ts'
import type { Parts, Viewer } from '../modules/context.ts'
import type { CompileMode } from './documents.ts'

export type ServerParts = Parts & { db: Db; databasePool: Pool; viewers: Viewers; compile?: CompileMode }

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null
    outcome: { operation: string; codes: readonly string[] } | null
  }
}

/** Identifies the caller and counts the request against its rate; throws UNAUTHENTICATED or RATE_LIMITED. */
export type LetIn = (request: FastifyRequest, reply: FastifyReply) => Promise<void>
