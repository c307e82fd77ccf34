// Whether anything grows or slows down under a steady load: memory, descriptors, response times, processor time.

import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { run as ask } from './client.ts'
import { milliseconds, quantile } from './figures.ts'
import { descriptors, memory, processorTime } from './process.ts'
import { newEmbeddedPlace, type Server, somePort, startServer } from './server.ts'
import { mostOf, posting, type Steady, steady } from './steady.ts'
import { type Home, newHome } from './writes.ts'

/** the load, as a share of the measured maximum */
const SHARE = 0.6
/** the limit for memory growth in MiB a minute, over the last two thirds */
const MOST_SLOPE = 0.5
/** the limit for p99, as a multiple of p50 */
const MOST_SPREAD = 10
/** the limit for the relative change in processor time between the first and the last sixth */
const MOST_DRIFT = 0.05
const SAMPLED_EVERY = 5_000
const FINDINGS = 1_000
/** one in this many requests writes a finding */
const WRITE_OF = 10

type Sample = { at: number; memory: number; descriptors: number; processor: number }

const PAGE = `query ($id: ID!) { issues(companyId: $id, pagination: { perPage: 50 }) {
  collection { id title status severity createdAt asset { id name } } metadata { totalCount } } }`
const WRITE = `mutation ($input: CreateOrUpdateSastFindingInput!) { createOrUpdateSastFinding(input: $input) { issue { id } } }`

const finding = (assetId: string, index: number) => ({
  assetId: Number(assetId),
  title: `Finding ${index}`,
  description: 'A sentence on what is wrong, as long as such sentences are.',
  ruleId: `rule ${index}`,
  toolName: 'a tool',
  codeSnippet: 'eval(input)',
  fileName: `src/${index}.ts`,
  vulnerableLine: 3,
  firstLine: 1,
})

/** Requests pages of findings and, one time in ten, reports a known finding. */
function asking(server: Server, { companyId, assetId }: Home) {
  let turn = 0
  return posting(`${server.url}/graphql`, { 'x-api-key': server.key }, () => {
    turn += 1
    const [query, variables] =
      turn % WRITE_OF === 0 ? [WRITE, { input: finding(assetId, turn % FINDINGS) }] : [PAGE, { id: companyId }]
    return JSON.stringify({ query, variables })
  })
}

/**
 * A server that only sends empty answers, on the same machine at the same time: its response times show what is due to
 * the machine.
 */
async function startControl() {
  const port = await somePort()
  const program = `require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end('{}')) }).listen(${port}, '127.0.0.1')`
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' })
  await delay(1_000)
  return { child, call: posting(`http://127.0.0.1:${port}/`, {}, () => '{}') }
}

async function sample(pid: number): Promise<Sample> {
  const [resident, open, processor] = await Promise.all([memory(pid, 'VmRSS'), descriptors(pid), processorTime(pid)])
  return { at: performance.now(), memory: resident, descriptors: open, processor }
}

/** The slope of memory in MiB a minute, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (one: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [at, size] = [mean((one) => one.at), mean((one) => one.memory)]
  const above = samples.reduce((sum, one) => sum + (one.at - at) * (one.memory - size), 0)
  const below = samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0)
  return (above / below) * 60_000
}

/** The processor time of the last sixth of the samples relative to the first, minus 1. */
function driftOf(samples: readonly Sample[]): number {
  const sixth = Math.max(2, Math.floor(samples.length / 6))
  const rateOf = (some: readonly Sample[]) => {
    const [first, last] = [some[0], some.at(-1)]
    return first && last ? (last.processor - first.processor) / (last.at - first.at) : 0
  }
  return rateOf(samples.slice(-sixth)) / rateOf(samples.slice(0, sixth)) - 1
}

const said = (name: string, { times, failures }: Steady) =>
  `${name}: ${times.length} requests, ${failures} failed, p50 ${milliseconds(quantile(times, 0.5))}, p99 ${milliseconds(quantile(times, 0.99))}`

const spreadOf = ({ times }: Steady) => quantile(times, 0.99) / quantile(times, 0.5)

/** Keeps a server under load for `minutes`; the first third is the warm-up. */
export async function run(minutes: number): Promise<string[]> {
  const place = await newEmbeddedPlace()
  const server = await startServer(place)
  const control = await startControl()
  const pid = server.child.pid ?? 0
  try {
    const home = await newHome({ url: server.url, key: server.key })
    for (let index = 0; index < FINDINGS; index += 1)
      await ask({ url: server.url, key: server.key }, WRITE, { input: finding(home.assetId, index) })
    const call = asking(server, home)
    await mostOf(call, 8, 5_000)
    const most = await mostOf(call, 8, 10_000)
    const rate = most * SHARE
    const duration = minutes * 60_000
    const samples = [await sample(pid)]
    const timer = setInterval(async () => samples.push(await sample(pid)), SAMPLED_EVERY)
    const [ours, bare] = await Promise.all([steady(call, rate, duration), steady(control.call, 20, duration)])
    clearInterval(timer)
    const settled = samples.filter(({ at }) => at >= (samples[0]?.at ?? 0) + duration / 3)
    const [slope, drift] = [slopeOf(settled), driftOf(settled)]
    const opened = settled.map((one) => one.descriptors)
    const grown = Math.max(...opened.slice(-6)) - Math.max(...opened.slice(0, 6))
    console.log(`${minutes} minutes at ${rate.toFixed(0)} requests a second, of ${most.toFixed(0)} at most`)
    console.log(`${said('the service', ours)}\n${said('the control', bare)}`)
    console.log(
      `memory ${settled[0]?.memory.toFixed(0)} to ${settled.at(-1)?.memory.toFixed(0)} MiB, ${slope.toFixed(2)} MiB a minute; ` +
        `descriptors ${opened[0]} to ${opened.at(-1)}; processor time ${(100 * drift).toFixed(1)} % from first to last sixth`,
    )
    return [
      ...(ours.failures > 0 ? [`${ours.failures} requests failed`] : []),
      ...(slope > MOST_SLOPE ? [`memory grows by ${slope.toFixed(2)} MiB a minute`] : []),
      ...(grown > 0 ? [`${grown} descriptors more at the end`] : []),
      ...(spreadOf(ours) > MOST_SPREAD && spreadOf(bare) <= MOST_SPREAD ? ['p99 is more than ten times p50'] : []),
      ...(Math.abs(drift) > MOST_DRIFT ? [`processor time a request changed by ${(100 * drift).toFixed(1)} %`] : []),
    ]
  } finally {
    control.child.kill()
    await server.end('SIGTERM')
    await place.remove()
  }
}
