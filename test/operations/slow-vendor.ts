// How a slow or broken vendor affects everybody else: pages are requested at a steady rate while others wait for the vendor.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Access, run as ask, type Failure, ask as outcomeOf } from './client.ts'
import { milliseconds, quantile } from './figures.ts'
import { memory } from './process.ts'
import { newEmbeddedPlace, startServer } from './server.ts'
import { posting, steady } from './steady.ts'
import { newHome } from './writes.ts'

/** pages a second */
const RATE = 20
/** milliseconds of each phase */
const PHASE = 15_000
/** users who request something from the vendor, and do so again a second after each answer */
const WAITING = 20
const PAUSE = 1_000
/**
 * the limit for the pages' p50 beside a troubled vendor, as a multiple of that beside a good one, and the difference in
 * milliseconds that counts as noise
 */
const MOST_SLOWED = 1.5
const NOISE = 20
/** MiB that the service may grow by beside a troubled vendor */
const MOST_GROWN = 300

const json =
  (body: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)

/**
 * About 10 MB a second for as long as it is read; limited, because the vendor runs in this process, whose own time is
 * measured too.
 */
const endless: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const timer = setInterval(() => response.writableNeedDrain || response.write(chunk), 6)
  response.once('close', () => clearInterval(timer))
}

const fine = json('{"exports":[],"assets":[]}')

const troubles: Record<string, RequestListener> = {
  'that never answers': () => {},
  'whose answers have no end': endless,
  'that fails': (_, response) => void response.writeHead(500).end(),
  'that says to wait for 30 seconds': (_, response) => void response.writeHead(429, { 'retry-after': '30' }).end(),
  'that cuts its answers': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{')
    setTimeout(() => response.destroy(), 50)
  },
  'that hangs up': (request) => void request.socket.destroy(),
  'that answers in another shape': json('{"assets":7}'),
}

type Certificate = { key: string; cert: string }

/** Created in `directory` for this machine's address, and valid for a day. */
function newCertificate(directory: string): Certificate {
  const [key, cert] = [join(directory, 'vendor.key'), join(directory, 'vendor.crt')]
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=vendor'.split(' ')
  const made = [...words, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert]
  execFileSync('openssl', made, { stdio: 'ignore' })
  return { key, cert }
}

async function openVendor({ key, cert }: Certificate) {
  let answer = fine
  let asked = 0
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    asked += 1
    request.resume()
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    become(next: RequestListener) {
      answer = next
      asked = 0
      server.closeAllConnections()
    },
    asked: () => asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const CONNECT = `mutation ($input: CreateOrUpdateScannerAIntegrationInput!) {
  createOrUpdateScannerAIntegration(input: $input) { integration { id } } }`
const WANTED = `query ($id: ID!) { externalProjects(companyId: $id, integrationType: SCANNER_A, pagination: { perPage: 10 }) {
  collection { id } } }`
const PAGE = 'query ($id: ID!) { issues(companyId: $id, pagination: { perPage: 50 }) { metadata { totalCount } } }'

/** Counts the codes that a caller gets who requests something from the vendor. */
async function wait(access: Access, companyId: string, until: number, codes: Map<string, number>): Promise<void> {
  while (performance.now() < until) {
    const outcome = await outcomeOf(access, { query: WANTED, variables: { id: companyId } })
    const failures: Failure[] = outcome.kind === 'answered' ? outcome.failures : []
    const code = outcome.kind === 'lost' ? `lost: ${outcome.reason}` : (failures[0]?.extensions.code ?? 'fine')
    codes.set(code, (codes.get(code) ?? 0) + 1)
    await delay(PAUSE)
  }
}

const named = new Set(['UPSTREAM_FAILED', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED'])

export async function run(rounds: number): Promise<string[]> {
  const place = await newEmbeddedPlace()
  const certificate = newCertificate(place.data)
  const vendor = await openVendor(certificate)
  const environment = { MERLON_OUTBOUND_ALLOW: '127.0.0.1/32', NODE_EXTRA_CA_CERTS: certificate.cert }
  const server = await startServer(place, { environment })
  const access = { url: server.url, key: server.key }
  const faults: string[] = []
  try {
    const { companyId: reading } = await newHome(access)
    const page = posting(`${server.url}/graphql`, { 'x-api-key': server.key }, () =>
      JSON.stringify({ query: PAGE, variables: { id: reading } }),
    )
    /** Requests pages at a steady rate while others wait for the vendor, with a credential that was never used before. */
    const beside = async (answer: RequestListener) => {
      const { companyId } = await newHome(access)
      const input = { companyId, accessKey: `key-of-${companyId}`, secretKey: 'a-secret', baseUrl: vendor.url }
      await ask(access, CONNECT, { input })
      vendor.become(answer)
      const codes = new Map<string, number>()
      const until = performance.now() + PHASE
      const waiting = Array.from({ length: WAITING }, () => wait(access, companyId, until, codes))
      const pages = await steady(page, RATE, PHASE)
      const asked = vendor.asked()
      vendor.become(fine)
      await Promise.all(waiting)
      return { ...pages, asked, codes }
    }
    await beside(fine)
    for (let round = 0; round < rounds; round += 1) {
      for (const [trouble, answer] of Object.entries(troubles)) {
        const quiet = await beside(fine)
        const before = await memory(server.child.pid ?? 0, 'VmRSS')
        const troubled = await beside(answer)
        const grown = (await memory(server.child.pid ?? 0, 'VmRSS')) - before
        const [p50, quietly] = [quantile(troubled.times, 0.5), quantile(quiet.times, 0.5)]
        console.log(
          `${trouble}: pages p50 ${milliseconds(p50)} and p99 ${milliseconds(quantile(troubled.times, 0.99))}, beside a good one ` +
            `${milliseconds(quietly)} and ${milliseconds(quantile(quiet.times, 0.99))}; asked ${troubled.asked} times; ` +
            `${[...troubled.codes].map(([code, times]) => `${code} ${times}`).join(', ')}; ${grown.toFixed(0)} MiB more`,
        )
        if (troubled.failures > 0) faults.push(`a vendor ${trouble}: ${troubled.failures} pages failed`)
        if (p50 > quietly * MOST_SLOWED + NOISE) faults.push(`a vendor ${trouble}: pages took ${milliseconds(p50)}`)
        if (grown > MOST_GROWN) faults.push(`a vendor ${trouble}: ${grown.toFixed(0)} MiB more`)
        for (const code of troubled.codes.keys())
          if (!named.has(code)) faults.push(`a vendor ${trouble}: callers got ${code}`)
      }
    }
    return faults
  } finally {
    vendor.close()
    await server.end('SIGTERM')
    await place.remove()
  }
}
