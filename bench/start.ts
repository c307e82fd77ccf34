// How long a start on the embedded database takes: the first, later ones, and until the first answer.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithUs } from './installation.ts'
import { median } from './load.ts'

const LATER_STARTS = 7

export async function run(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'merlon-bench-start-'))
  try {
    const first = await start(data)
    const later: number[] = []
    for (let turn = 0; turn < LATER_STARTS; turn += 1) later.push(await start(data))
    const control = await startNode()
    console.log(`first start, to the first answer: ${seconds(first)} (under 3 s is wanted)`)
    console.log(`later starts, median of ${LATER_STARTS}: ${seconds(median(later))} (under 1 s is wanted)`)
    console.log(
      `control, node that prints a line: ${seconds(control)}; a later start takes ${(median(later) / control).toFixed(1)} times that`,
    )
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

async function start(data: string): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const environment = { ...process.env, DATABASE_URL: '', PORT: String(port), MERLON_DATA: data, LOG_LEVEL: 'warn' }
  const began = performance.now()
  const service = spawn(process.execPath, ['src/cli/main.ts', 'serve'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(service)
  await firstLine(service)
  const key = (await readFile(join(data, 'admin-key'), 'utf8')).trim()
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query: '{ viewer { id } companies { collection { id } } }' }),
  })
  await response.json()
  const took = performance.now() - began
  if (!response.ok) throw new Error(`The service answered ${response.status}`)
  service.kill('SIGTERM')
  await once(service, 'exit')
  return took
}

async function startNode(): Promise<number> {
  const began = performance.now()
  const control = spawn(process.execPath, ['-e', 'console.log(1)'], { stdio: ['ignore', 'pipe', 'inherit'] })
  await firstLine(control)
  return performance.now() - began
}

const firstLine = (child: ChildProcess): Promise<unknown> =>
  child.stdout ? once(child.stdout, 'data') : Promise.resolve()
