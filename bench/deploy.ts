// createDeploy of a 100 MB diff compared with `git apply --numstat` of the same file: time, and the service's memory meanwhile.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { type Installation, openInstallation, residentMemory } from './installation.ts'
import { median } from './load.ts'

const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)
const DIFF_BYTES = 100 * 1024 * 1024
const ROUNDS = 7
/** The most files that a deploy may have, and how often the diff is sent. */
const SMALL_FILES = 200_000
const SMALL_ROUNDS = 3

export async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-bench-deploy-'))
  const file = join(directory, 'big.diff')
  const small = join(directory, 'small.diff')
  await writeDiff(file)
  await writeSmallFiles(small)
  const installation = await openInstallation(ISSUES, { isStarted: true })
  try {
    await compare(installation, file, ROUNDS, 'createDeploy of 100 MB', 'at most 2 is wanted')
    await compare(installation, small, SMALL_ROUNDS, `createDeploy of ${SMALL_FILES} files`, 'nothing is promised')
  } finally {
    await installation.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function compare(installation: Installation, file: string, rounds: number, what: string, wanted: string) {
  const [ours, control]: [number[], number[]] = [[], []]
  const before = await residentMemory(installation.pid)
  let peak = before
  const watch = setInterval(async () => {
    peak = Math.max(peak, await residentMemory(installation.pid))
  }, 50)
  try {
    for (let round = 0; round < rounds; round += 1) {
      control.push(timeControl(file))
      ours.push(await createDeploy(installation, file))
    }
  } finally {
    clearInterval(watch)
  }
  const ratio = median(ours) / median(control)
  console.log(`${what}: ${ratio.toFixed(2)} times git apply --numstat (${wanted})`)
  console.log(
    `  ours ${median(ours).toFixed(0)} ms, control ${median(control).toFixed(0)} ms, medians of ${rounds}; ${ours.map(Math.round)} / ${control.map(Math.round)}`,
  )
  console.log(
    `  resident memory ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at its peak (under 300 is wanted)`,
  )
}

/** A diff with the most files that a deploy may have, all new, with three lines each: 55 MB. */
async function writeSmallFiles(file: string): Promise<void> {
  const out = createWriteStream(file)
  for (let number = 0; number < SMALL_FILES; number += 1) {
    const path = `src/part${number % 100}/module${number % 1000}/file${number}.ts`
    const lines = ['a', 'b', 'c'].map((name) => `+export const ${name}${number} = ${number}\n`).join('')
    const change = `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0000000..${number.toString(16).padStart(7, '0')}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,3 @@\n${lines}`
    if (!out.write(change)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}

/** A diff of many files, each with hunks of context, removed and added lines. */
async function writeDiff(file: string): Promise<void> {
  const out = createWriteStream(file)
  const line = (mark: string, number: number) =>
    `${mark}  const value${number} = compute(input${number % 17}, 'option ${number % 31}') // ${'x'.repeat(number % 40)}\n`
  let written = 0
  for (let number = 0; written < DIFF_BYTES; number += 1) {
    const path = `src/part${number % 100}/file${number}.ts`
    let change = `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`
    for (let hunk = 0; hunk < 40; hunk += 1) {
      const start = hunk * 50 + 1
      change += `@@ -${start},10 +${start},11 @@ function part${hunk}() {\n`
      for (let at = 0; at < 3; at += 1) change += line(' ', start + at)
      for (let at = 3; at < 7; at += 1) change += line('-', start + at)
      for (let at = 3; at < 8; at += 1) change += line('+', start + at * 7)
      for (let at = 7; at < 10; at += 1) change += line(' ', start + at)
    }
    written += Buffer.byteLength(change)
    if (!out.write(change)) await once(out, 'drain')
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

const BOUNDARY = 'merlon-benchmark'
/** Bytes read from the file and sent at a time. */
const BLOCK = 1024 * 1024

/**
 * Sends the request over a plain socket and resolves to the milliseconds until the answer has arrived. A client such as
 * fetch takes longer to send a form of this size than everything measured here.
 */
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
  const head =
    part('name="operations"', JSON.stringify({ query, variables: { input } })) +
    part('name="map"', JSON.stringify({ 0: ['variables.input.diffContent'] })) +
    part('name="0"; filename="big.diff"', '').slice(0, -2)
  const tail = `\r\n--${BOUNDARY}--\r\n`
  const { size } = await stat(file)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answer = text(socket)

  const began = performance.now()
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\nconnection: close\r\n` +
      `content-type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
      `content-length: ${head.length + size + tail.length}\r\n\r\n${head}`,
  )
  await pipeline(createReadStream(file, { highWaterMark: BLOCK }), socket, { end: false })
  socket.write(tail)
  const answered = await answer
  const took = performance.now() - began
  if (!answered.includes('"diffState":"PARSED"')) throw new Error(answered)
  return took
}

const part = (name: string, content: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n\r\n${content}\r\n`
