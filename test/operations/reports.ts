// Large reports are read within bounded memory: `npm run operations -- reports [megabytes]`, with a process for each format.

import { spawn } from 'node:child_process'
import { readReport } from '../../src/reports/index.ts'
import { largeReport, shapes } from './reports-large.ts'

/** The limit for the whole process in MiB, which docs/reports.md promises. */
const MOST_MEMORY = 400

const MEGABYTE = 1_000_000

type Figures = { rows: number; leftOut: number; isWhole: boolean; seconds: number; peak: number }

/** Reads one report of each shape, with `megabytes` each. */
export async function run(megabytes: number): Promise<string[]> {
  const faults: string[] = []
  for (const name of Object.keys(shapes)) {
    const { rows, leftOut, isWhole, seconds, peak } = await measured(name, megabytes)
    const rate = Math.round(rows / seconds).toLocaleString('en')
    console.log(`${name}: ${megabytes} MB, ${rows.toLocaleString('en')} rows, ${rate} a second, at most ${peak} MiB`)
    if (peak > MOST_MEMORY) faults.push(`${name} took ${peak} MiB`)
    if (rows === 0 || leftOut > 0 || !isWhole) faults.push(`${name} was not read whole`)
  }
  return faults
}

async function measured(name: string, megabytes: number): Promise<Figures> {
  const child = spawn(process.execPath, [import.meta.filename, name, String(megabytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  return JSON.parse(said)
}

async function read(name: string, megabytes: number): Promise<Figures> {
  const shape = shapes[name]
  if (!shape) throw new Error(`There are the shapes ${Object.keys(shapes).join(', ')}`)
  const figures = { rows: 0, leftOut: 0, isWhole: true }
  const start = performance.now()
  for await (const row of (await readReport(largeReport(shape, megabytes * MEGABYTE), shape.format)).rows) {
    if (row.kind === 'LEFT_OUT') figures.leftOut++
    else if (row.kind === 'TRUNCATED') figures.isWhole = false
    else figures.rows++
  }
  const seconds = (performance.now() - start) / 1000
  return { ...figures, seconds, peak: Math.round(process.resourceUsage().maxRSS / 1024) }
}

if (import.meta.main) {
  const [name = '', megabytes = '300'] = process.argv.slice(2)
  console.log(JSON.stringify(await read(name, Number(megabytes))))
}
