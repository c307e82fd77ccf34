// Has Prism validate the exchanges of the connectors' tests with their fakes: each is replayed through `prism proxy --errors`.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { load } from 'js-yaml'
import { z } from 'zod'
import type { Exchange } from '../testkit/exchanges.ts'

/** Errors in the vendors' own descriptions: the location in an exchange, as Prism names it. */
const mistaken: Readonly<Record<string, readonly string[]>> = {
  // branches are identified by name
  'gitlab.json': ['path.branch'],
}

/** The command named by `MERLON_PRISM`, or the one on the PATH; Prism is not a dependency. */
function findPrism(): string | null {
  const given = process.env.MERLON_PRISM ?? 'prism'
  try {
    execFileSync(given, ['--version'], { stdio: 'ignore' })
    return given
  } catch {
    return null
  }
}

export async function run(): Promise<string[]> {
  const prism = findPrism()
  if (prism === null) {
    console.log('Nothing was judged: there is no prism on the path, and MERLON_PRISM names none')
    return []
  }
  const directory = mkdtempSync(join(tmpdir(), 'merlon-prism-'))
  try {
    const all = record(join(directory, 'exchanges'))
    const faults: string[] = []
    for (const [contract, exchanges] of Map.groupBy(all, (each) => each.contract)) {
      const found = await judge(prism, contract, exchanges)
      console.log(`${contract}: ${exchanges.length} exchanges, ${found.length} violations`)
      faults.push(...found)
    }
    return faults
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The exchanges of the tests with fakes, both scripted and stateful ones, that are checked against a description. */
function record(file: string): Exchange[] {
  const env = { ...process.env, MERLON_EXCHANGES: file }
  const runTests = (...given: string[]) =>
    execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...given], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  runTests('src/connectors', 'src/modules/sources', 'src/modules/integrations/tokens.test.ts')
  const apart = ['src/modules/sources', 'src/modules/sync/hooks', 'src/modules/integrations/consent']
  runTests('--config', 'vitest.apart.config.ts', ...apart)
  const lines = new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
  return [...lines].map((line) => JSON.parse(line) as Exchange)
}

async function judge(prism: string, contract: string, exchanges: readonly Exchange[]): Promise<string[]> {
  const vendor = createServer((request, response) => {
    request.resume()
    const { answer } = exchanges[Number(request.headers['x-exchange'])] ?? {}
    const type = answer?.json === undefined ? 'text/plain' : 'application/json'
    response.writeHead(answer?.status ?? 200, { 'content-type': type, ...answer?.headers, 'x-replayed': 'yes' })
    response.end(answer?.json === undefined ? answer?.text : JSON.stringify(answer.json))
  })
  await new Promise<void>((resolve) => void vendor.listen(0, '127.0.0.1', resolve))
  const port = await freePort()
  const upstream = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  const proxy = spawn(prism, ['proxy', '--errors', '--host', '127.0.0.1', '--port', String(port), contract, upstream])
  try {
    await listening(proxy)
    const prefix = prefixOf(contract)
    const faults: string[] = []
    for (const [index, exchange] of exchanges.entries()) {
      const answer = await replay(`http://127.0.0.1:${port}`, prefix, index, exchange)
      const found = answer === null ? [] : faultsIn(contract, answer)
      const { method, path } = exchange.seen
      faults.push(...found.map((fault) => `${basename(contract)} ${method} ${path}: ${fault}`))
    }
    return faults
  } finally {
    proxy.kill('SIGTERM')
    vendor.close()
    vendor.closeAllConnections()
  }
}

/** Prism serves paths without the path prefix of the server. */
function prefixOf(contract: string): string {
  const { servers } = load(readFileSync(contract, 'utf8')) as { servers?: { url: string }[] }
  return new URL(servers?.[0]?.url ?? '/', 'http://server').pathname.replace(/\/$/, '')
}

const OWN = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding'])

/** What Prism answered in place of the vendor; null if it accepted both the request and the answer. */
async function replay(origin: string, prefix: string, index: number, { seen }: Exchange): Promise<string | null> {
  const headers = Object.fromEntries(Object.entries(seen.headers).filter(([name]) => !OWN.has(name)))
  const query = new URLSearchParams(seen.query).toString()
  const path = seen.path.startsWith(prefix) ? seen.path.slice(prefix.length) : seen.path
  const body = bodyOf(seen)
  const answer = await fetch(`${origin}${path}${query === '' ? '' : `?${query}`}`, {
    method: seen.method,
    headers: { ...headers, 'x-exchange': String(index) },
    redirect: 'manual',
    ...(body !== null && { body }),
  })
  const text = await answer.text()
  return answer.headers.get('x-replayed') === 'yes' ? null : text
}

const problem = z.object({
  validation: z.array(z.object({ location: z.array(z.string()).default([]), message: z.string() })),
})

/** The messages of a problem document (RFC 9457), except for known errors in the description. */
function faultsIn(contract: string, answer: string): string[] {
  const read = problem.safeParse(JSON.parse(answer))
  if (!read.success) return [answer.slice(0, 300)]
  const known = mistaken[basename(contract)] ?? []
  return read.data.validation.flatMap(({ location, message }) => {
    const place = location.join('.')
    return known.includes(place) ? [] : [`${place}: ${message}`]
  })
}

function bodyOf({ body, headers }: Exchange['seen']): string | null {
  if (body === '' || body === undefined || body === null) return null
  if (/json/.test(headers['content-type'] ?? '')) return JSON.stringify(body)
  return typeof body === 'string' ? body : new URLSearchParams(body as Record<string, string>).toString()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The milliseconds that Prism may take to read a description. */
const START = 60_000

const listening = (proxy: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      if (/listening on/i.test(said)) resolve()
    }
    proxy.stdout?.on('data', hear)
    proxy.stderr?.on('data', hear)
    proxy.once('exit', () => reject(new Error(`Prism ended: ${said.slice(-500)}`)))
    setTimeout(() => reject(new Error(`Prism did not start: ${said.slice(-500)}`)), START).unref()
  })
