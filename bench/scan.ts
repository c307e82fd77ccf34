// A scan beside a bare client that sends the very requests of the scan to the same target: requests a second.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readAllowed } from '../src/core/outbound-address.ts'
import { defaultBudget } from '../src/scanner/engine.ts'
import { scanInProcess } from '../src/scanner/processed.ts'
import type { Outcome } from '../src/scanner/types.ts'
import type { Work } from './control-scan.ts'
import { median } from './load.ts'
import type { Recorded } from './scan-target.ts'

const ROUNDS = 3
const CONNECTIONS = defaultBudget.concurrency

export async function run(): Promise<void> {
  const target = fork(new URL('scan-target.ts', import.meta.url))
  const { url, description }: { url: string; description: string } = await wordOf(target)

  target.send('record')
  const first = await scan(url, description)
  target.send('list')
  const { recorded }: { recorded: Recorded[] } = await wordOf(target)
  console.log(
    `${first.operations.length} operations, ${first.requests} requests, ${first.findings.length} findings, ${first.state}`,
  )

  const [ours, bare]: [number[], number[]] = [[], []]
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await sendBare({ url, recorded, connections: CONNECTIONS }))
      const outcome = await scan(url, description)
      ours.push((outcome.requests * 1000) / outcome.ms)
    }
  } finally {
    target.disconnect()
  }
  const list = (rates: number[]) => rates.map((rate) => rate.toFixed(0)).join(', ')
  console.log(
    `a scan: ${(median(ours) / median(bare)).toFixed(2)} of the control's requests a second (at least 0.5 is wanted)`,
  )
  console.log(`  ours    ${median(ours).toFixed(0)} requests/s (${list(ours)})`)
  console.log(`  control ${median(bare).toFixed(0)} requests/s (${list(bare)})`)
}

/** Requests a second of a bare client, in a process that is as new as a scan's. */
async function sendBare(work: Work): Promise<number> {
  const control = fork(new URL('control-scan.ts', import.meta.url))
  control.send(work)
  const { ms }: { ms: number } = await wordOf(control)
  control.disconnect()
  return (work.recorded.length * 1000) / ms
}

async function wordOf<Word>(child: ChildProcess): Promise<Word> {
  const [word] = await once(child, 'message')
  return word
}

const person = (name: string) => ({
  name,
  headers: [['Authorization', `Bearer ${name}-person`]] as const,
  cookies: [],
  query: [],
})

/** In a process of its own, as the service runs it, with no limit of its own on requests a second. */
async function scan(target: string, text: string): Promise<Outcome> {
  const allowed = readAllowed('127.0.0.0/8')
  return scanInProcess(
    {
      target,
      profile: 'BALANCED',
      schema: { name: 'openapi.json', text },
      identities: [person('first'), person('second')],
      crawl: false,
      browser: false,
      budget: { rate: 1_000_000, requests: 1_000_000 },
      ...(allowed ? { allowed } : {}),
    },
    {
      onFinding: () => {},
      onProgress: () => {},
      signal: new AbortController().signal,
      timeout: 600_000,
    },
  )
}
