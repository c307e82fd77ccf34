// Loads two servers alternately and compares them: requests a second over plain sockets, with one request at a time on each.

import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'

type Target = {
  name: string
  port: number
  pid: number
  /** the whole HTTP request, or a function that gives one for each call */
  request: Buffer | (() => Buffer)
}

/** `cpu` is the processor time of the server's process in seconds; 0 if /proc is not available. */
type Round = { requests: number; seconds: number; cpu: number; bytes: number; failures: number }

/** An HTTP/1.1 POST of a JSON body. */
export function postRequest(path: string, headers: Record<string, string>, body: string): Buffer {
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  return Buffer.from(head + body)
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Sends requests over `connections` sockets for `seconds`, and counts the answers; one with errors counts as a failure. */
async function load({ port, pid, request }: Target, connections: number, seconds: number): Promise<Round> {
  const round: Round = { requests: 0, seconds: 0, cpu: 0, bytes: 0, failures: 0 }
  const next = typeof request === 'function' ? request : () => request
  const [started, cpuBefore] = [performance.now(), await processorTime(pid)]
  const until = started + seconds * 1000
  await Promise.all(Array.from({ length: connections }, () => converse(port, next, until, round)))
  round.seconds = (performance.now() - started) / 1000
  round.cpu = (await processorTime(pid)) - cpuBefore
  return round
}

/** Clock ticks a second in /proc, on every Linux that Node supports. */
const TICKS = 100

/** The processor time of a process so far, in seconds; 0 if /proc is not available. */
export async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS
}

function converse(port: number, next: () => Buffer, until: number, round: Round): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(next()))
    socket.setNoDelay(true)
    let received: Buffer[] = []
    let size = 0
    let expected = Number.POSITIVE_INFINITY
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk)
      size += chunk.length
      if (expected === Number.POSITIVE_INFINITY) expected = wholeLength(received)
      if (size < expected) return
      round.requests += 1
      round.bytes += size
      if (isFailure(Buffer.concat(received))) round.failures += 1
      received = []
      size = 0
      expected = Number.POSITIVE_INFINITY
      if (performance.now() < until) socket.write(next())
      else socket.end(resolve)
    })
    socket.on('error', reject)
  })
}

/**
 * The length of head and body together, which is known once the head has arrived; from then on only the first chunk is
 * kept.
 */
function wholeLength(received: Buffer[]): number {
  const start = received.length === 1 ? (received[0] ?? Buffer.alloc(0)) : Buffer.concat(received)
  const end = start.indexOf(HEAD_END)
  if (end < 0) return Number.POSITIVE_INFINITY
  const length = /content-length: (\d+)/i.exec(start.toString('latin1', 0, end))?.[1]
  if (length === undefined) throw new Error('The answer has no content-length')
  return end + HEAD_END.length + Number(length)
}

const isFailure = (answer: Buffer): boolean =>
  !answer.subarray(0, 12).equals(Buffer.from('HTTP/1.1 200')) || answer.includes('"errors":')

type Comparison = {
  ours: number[]
  control: number[]
  ratio: number
  bytes: { ours: number; control: number }
  /** processor time of the server's process for each request, in microseconds */
  cpu: { ours: number; control: number }
}

/** Loads our server and the control alternately; the ratio is that of the median requests a second. */
export async function compare(
  ours: Target,
  control: Target,
  options: { connections: number; seconds: number; rounds: number },
): Promise<Comparison> {
  const { connections, seconds, rounds } = options
  for (const target of [ours, control]) await load(target, connections, Math.min(2, seconds))
  const rates: { ours: number[]; control: number[] } = { ours: [], control: [] }
  const bytes = { ours: 0, control: 0 }
  const cpu: { ours: number[]; control: number[] } = { ours: [], control: [] }
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const [side, target] of [
      ['ours', ours],
      ['control', control],
    ] as const) {
      const round = await load(target, connections, seconds)
      if (round.failures > 0) throw new Error(`${target.name} failed ${round.failures} of ${round.requests} requests`)
      rates[side].push(round.requests / round.seconds)
      bytes[side] = round.bytes / round.requests
      cpu[side].push((round.cpu / round.requests) * 1e6)
    }
  }
  return {
    ...rates,
    ratio: median(rates.ours) / median(rates.control),
    bytes,
    cpu: { ours: median(cpu.ours), control: median(cpu.control) },
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const range = (values: readonly number[]) => `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`

export function report(what: string, { ours, control, ratio, bytes, cpu }: Comparison, least: number): void {
  console.log(`${what}: ${ratio.toFixed(2)} of the control (at least ${least} is wanted)`)
  for (const [name, rates, size, time] of [
    ['ours', ours, bytes.ours, cpu.ours],
    ['control', control, bytes.control, cpu.control],
  ] as const) {
    const rate = `${median(rates).toFixed(0)} requests/s (${range(rates)})`
    console.log(
      `  ${name.padEnd(7)} ${rate}, ${size.toFixed(0)} bytes an answer, ${time.toFixed(0)} µs of its process a request`,
    )
  }
}

/** How many milliseconds the work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
