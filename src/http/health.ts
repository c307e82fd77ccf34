// Answers whether the process is alive (/healthz) and whether it can serve (/readyz).

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../core/db/open.ts'
import type { ServerParts } from './server-parts.ts'

/** Milliseconds for which a result is reused, so that all callers together cost the database one statement a second. */
const FRESH = 1_000

export function addHealth(app: FastifyInstance, { db }: ServerParts): void {
  const isReachable = reachability(db)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const isReady = await isReachable()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable' })
  })
}

/** Whether the database answers; callers during a check, or shortly after it, share its result. */
function reachability(db: Db): () => Promise<boolean> {
  let told: Promise<boolean> | null = null
  const ask = () =>
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    )
  const forget = () => {
    told = null
  }
  return () => {
    told ??= ask().finally(() => setTimeout(forget, FRESH).unref())
    return told
  }
}
