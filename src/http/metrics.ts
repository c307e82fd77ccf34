// Figures for Prometheus at /metrics: the process's own, requests by operation and outcome, database connections.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ServerParts } from './server.ts'

export type Metrics = { observe(request: FastifyRequest, reply: FastifyReply): void }

export function openMetrics(app: FastifyInstance, parts: ServerParts): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'merlon_' })
  const registers = [register]
  const requests = new Counter({
    name: 'merlon_requests_total',
    help: 'Requests by root field, HTTP status and error code.',
    labelNames: ['operation', 'status', 'code'],
    registers,
  })
  const duration = new Histogram({
    name: 'merlon_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['operation'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  new Gauge({
    name: 'merlon_database_connections',
    help: 'Open database connections by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = parts.databasePool
      this.set({ state: 'open' }, totalCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waited for' }, waitingCount)
    },
  })

  app.get('/metrics', async (_, reply) =>
    reply.header('content-type', register.contentType).send(await register.metrics()),
  )

  return {
    observe(request, reply) {
      // The first root field alone: there are only so many, whatever callers put together.
      const [operation = 'none'] = request.outcome?.operation.split(' ', 1) ?? []
      requests.inc({ operation, status: reply.statusCode, code: request.outcome?.codes[0] ?? '' })
      duration.observe({ operation }, reply.elapsedTime / 1000)
    },
  }
}
