// Metrics for Prometheus at /metrics: the process, requests by operation and outcome, database connections.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isSameSecret } from '../connectors/proof.ts'
import { ApplicationError, forbidden } from '../core/errors.ts'
import { listArchives } from '../modules/advisories/fetching.ts'
import { countJobs, findOverdue } from '../modules/jobs/service.ts'
import { listFetched } from '../modules/scoring/service.ts'
import type { ServerParts } from './server-parts.ts'

/** The feeds that the service fetches, with the time of the last fetch. */
async function feedsOf({ db, config }: ServerParts): Promise<{ name: string; fetchedAt: string | null }[]> {
  const archives = await listArchives(db, config.feeds.advisories)
  return [
    ...(await listFetched({ db, config })),
    ...archives.map(({ address, fetchedAt }) => ({ name: address, fetchedAt })),
  ]
}

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
  new Gauge({
    name: 'merlon_jobs',
    help: 'Jobs of the queue by state: WAITING, RUNNING or GIVEN_UP.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      // the other metrics are given while the database is unavailable
      const counted = await countJobs(parts.db).catch(() => null)
      for (const state of counted === null ? [] : ['WAITING', 'RUNNING', 'GIVEN_UP']) this.set({ state }, 0)
      for (const { state, count } of counted ?? []) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'merlon_jobs_overdue_seconds',
    help: 'For how long the job that waits longest could have been run: it grows while no worker runs.',
    registers,
    async collect() {
      this.reset()
      const seconds = await findOverdue(parts.db).catch(() => null)
      if (seconds !== null) this.set(seconds)
    },
  })
  new Gauge({
    name: 'merlon_feed_fetched_timestamp_seconds',
    help: 'When each configured feed came in last, in seconds since 1970; 0 for never.',
    labelNames: ['feed'],
    registers,
    async collect() {
      this.reset()
      for (const { name, fetchedAt } of await feedsOf(parts).catch(() => [])) {
        this.set({ feed: name }, fetchedAt === null ? 0 : Date.parse(fetchedAt) / 1000)
      }
    },
  })

  app.get('/metrics', async (request, reply) => {
    requireReader(request, reply, parts.config.metricsToken)
    return reply.header('content-type', register.contentType).send(await register.metrics())
  })

  return {
    observe(request, reply) {
      // The first root field alone: there are only so many, whatever callers put together.
      const [operation = 'none'] = request.outcome?.operation.split(' ', 1) ?? []
      requests.inc({ operation, status: reply.statusCode, code: request.outcome?.codes[0] ?? '' })
      duration.observe({ operation }, reply.elapsedTime / 1000)
    },
  }
}

/** Admits callers with the configured token or, if none is configured, programs of this machine that call directly. */
function requireReader(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  if (token === null) {
    if (isOfThisMachine(request)) return
    throw forbidden('Without MERLON_METRICS_TOKEN the figures are for this machine alone')
  }
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (isSameSecret(given, token)) return
  reply.header('www-authenticate', 'Bearer')
  throw new ApplicationError('UNAUTHENTICATED', 'The figures take the bearer token of MERLON_METRICS_TOKEN')
}

/** Headers in which a proxy names its client: a proxy on this machine calls from it for everybody. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip']

const isOfThisMachine = ({ socket, headers }: FastifyRequest): boolean =>
  /^(::1|(::ffff:)?127\.[\d.]+)$/.test(socket.remoteAddress ?? '') && !ofProxies.some((name) => name in headers)
