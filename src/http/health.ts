// Whether the process lives (/healthz) and whether it can serve (/readyz).

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { ServerParts } from './server.ts'

export function addHealth(app: FastifyInstance, { db }: ServerParts): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const isReachable = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    )
    return reply
      .code(isReachable ? 200 : 503)
      .send({ status: isReachable ? 'ready' : 'The database cannot be reached' })
  })
}
