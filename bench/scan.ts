// A scan compared with a bare client that sends the same requests to the same target: requests a second.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { defaultBudget } from '../src/scanner/budget.ts'
import { median } from './load.ts'
import type { Recorded } from './scan-target.ts'

const ROUNDS = 3
const LEAST = 0.5

export type Scanned = { url: string; description: string }
export type Sent = { url: string; recorded: Recorded[]; connections: number }
/** `cpu` is the processor time of the process in microseconds. */
export type Measured = { requests: number; ms: number; cpu: number; what?: string }

/**
 * A target that answers at once shows what a scan itself costs; a delayed one shows the throughput against typical
 * targets, which query a database.
 */
export async function run(): Promise<void> {
  await compare('answers at once', [32, 0])
  await compare('answers after 5 ms', [6, 5])
}

async function compare(name: string, service: readonly [kinds: number, delay: number]): Promise<void> {
  const target = fork(new URL('scan-target.ts', import.meta.url), service.map(String))
  const [ours, control]: [Measured[], Measured[]] = [[], []]
  try {
    const scanned: Scanned = await wordOf(target)
    target.send('record')
    const { what, requests } = await measured('scan-run.ts', scanned)
    target.send('list')
    const { recorded }: { recorded: Recorded[] } = await wordOf(target)
    console.log(`a target that ${name}: ${what}, ${requests} requests`)

    const sent: Sent = { url: scanned.url, recorded, connections: defaultBudget.concurrency }
    for (let round = 0; round < ROUNDS; round += 1) {
      control.push(await measured('control-scan.ts', sent))
      ours.push(await measured('scan-run.ts', scanned))
    }
  } finally {
    target.disconnect()
  }
  const ratio = median(ours.map(rateOf)) / median(control.map(rateOf))
  console.log(`  a scan: ${ratio.toFixed(2)} of the control's requests a second (at least ${LEAST} is wanted)`)
  tell('ours', ours)
  tell('control', control)
}

const rateOf = ({ requests, ms }: Measured) => (requests * 1000) / ms

function tell(name: string, rounds: readonly Measured[]): void {
  const cpu = median(rounds.map((one) => one.cpu / one.requests))
  const rates = rounds.map((one) => rateOf(one).toFixed(0)).join(', ')
  console.log(
    `  ${name.padEnd(7)} ${median(rounds.map(rateOf)).toFixed(0)} requests/s (${rates}), ${cpu.toFixed(0)} µs of its process a request`,
  )
}

async function wordOf<Word>(child: ChildProcess): Promise<Word> {
  const [word] = await once(child, 'message')
  return word
}

/** Measures the second run in a new process, when everything is loaded. */
async function measured(file: string, work: Scanned | Sent): Promise<Measured> {
  const child = fork(new URL(file, import.meta.url))
  child.send(work)
  const result: Measured = await wordOf(child)
  child.disconnect()
  return result
}
