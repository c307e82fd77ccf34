// createDeploy of a 100 MB diff beside `git apply --numstat` of the same file: time, and the service's memory meanwhile.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type Installation, openInstallation, residentMemory } from './installation.ts'
import { median } from './load.ts'

const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)
const DIFF_BYTES = 100 * 1024 * 1024
const ROUNDS = 3

export async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-bench-deploy-'))
  const file = join(directory, 'big.diff')
  await writeDiff(file)
  const installation = await openInstallation(ISSUES)
  const [ours, control]: [number[], number[]] = [[], []]
  const before = await residentMemory(installation.pid)
  let peak = before
  const watch = setInterval(async () => {
    peak = Math.max(peak, await residentMemory(installation.pid))
  }, 50)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      control.push(timeControl(file))
      ours.push(await createDeploy(installation, file))
    }
  } finally {
    clearInterval(watch)
    await installation.stop()
    await rm(directory, { recursive: true, force: true })
  }
  const ratio = median(ours) / median(control)
  console.log(`createDeploy of 100 MB: ${ratio.toFixed(2)} times git apply --numstat (at most 2 is wanted)`)
  console.log(`  ours ${median(ours).toFixed(0)} ms, control ${median(control).toFixed(0)} ms, medians of ${ROUNDS}`)
  console.log(
    `  resident memory ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at its peak (under 300 is wanted)`,
  )
}

/** A diff of many files, each with hunks of context, removed and added lines. */
async function writeDiff(file: string): Promise<void> {
  const out = createWriteStream(file)
  const line = (mark: string, number: number) =>
    `${mark}  const value${number} = compute(input${number % 17}, 'option ${number % 31}') // ${'x'.repeat(number % 40)}\n`
  let written = 0
  for (let number = 0; written < DIFF_BYTES; number += 1) {
    const path = `src/part${number % 100}/file${number}.ts`
    let text = `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`
    for (let hunk = 0; hunk < 40; hunk += 1) {
      const start = hunk * 50 + 1
      text += `@@ -${start},10 +${start},11 @@ function part${hunk}() {\n`
      for (let at = 0; at < 3; at += 1) text += line(' ', start + at)
      for (let at = 3; at < 7; at += 1) text += line('-', start + at)
      for (let at = 3; at < 8; at += 1) text += line('+', start + at * 7)
      for (let at = 7; at < 10; at += 1) text += line(' ', start + at)
    }
    written += Buffer.byteLength(text)
    if (!out.write(text)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}

function timeControl(file: string): number {
  const began = performance.now()
  const { status } = spawnSync('git', ['apply', '--numstat', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`git apply ended with ${status}`)
  return performance.now() - began
}

async function createDeploy({ port, key, assetIds }: Installation, file: string): Promise<number> {
  const commit = () => Array.from({ length: 40 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
  const query = `mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { deploy { id diffState files added removed } } }`
  const input = {
    assetId: assetIds[1],
    branchName: 'bench',
    previousCommit: commit(),
    currentCommit: commit(),
    diffContent: null,
  }
  const form = new FormData()
  form.append('operations', JSON.stringify({ query, variables: { input } }))
  form.append('map', JSON.stringify({ 0: ['variables.input.diffContent'] }))
  form.append('0', await openAsBlob(file), 'big.diff')
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  })
  const answer = (await response.json()) as {
    data?: { createDeploy: { deploy: { diffState: string } } }
    errors?: unknown
  }
  const took = performance.now() - began
  if (answer.data?.createDeploy.deploy.diffState !== 'PARSED') throw new Error(JSON.stringify(answer))
  return took
}
