// Detecting secrets in an ordinary diff, compared with a pass over the same bytes that only looks for line ends.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedFile, reviewDiff, reviewFile } from '../src/review/run.ts'
import { secrets } from '../src/review/secrets/reviewer.ts'
import { median, timed } from './load.ts'

const ROUNDS = 5
const WANTED_BYTES = 60 * 1024 * 1024
const key = Buffer.alloc(32)

export async function run(): Promise<void> {
  const files = patches()
  const diff = Buffer.concat(files.map(({ bytes }) => bytes))
  const [alone, whole, control]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await timed(async () => void reviewAll(files)))
    whole.push(await timed(() => reviewWhole(diff)))
    control.push(await timed(async () => void countLines(diff)))
  }
  const speed = (times: number[]) => `${Math.round(diff.length / 1e3 / median(times))} MB/s`
  console.log(`${files.length} files, ${(diff.length / 1e6).toFixed(0)} MB of added lines`)
  console.log(`secrets, file by file: ${speed(alone)} (50 MB/s are wanted)`)
  console.log(`secrets, with the reading of the diff: ${speed(whole)}`)
  console.log(`control, indexOf of line ends: ${speed(control)}`)
}

type Patch = { path: string; bytes: Buffer }

/** Sources in node_modules, as a diff that adds them. */
function patches(): Patch[] {
  const found: Patch[] = []
  let size = 0
  for (const entry of readdirSync('node_modules', { recursive: true, withFileTypes: true })) {
    if (size >= WANTED_BYTES) break
    if (!entry.isFile() || !/\.(?:[cm]?[jt]sx?|json|md|ya?ml|html|css)$/.test(entry.name)) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    if (bytes.includes(0) || bytes.length > 1024 * 1024 || bytes.length === 0) continue
    const path = join(entry.parentPath, entry.name)
    const patch = added(path, bytes)
    found.push({ path, bytes: patch })
    size += patch.length
  }
  return found
}

export function added(path: string, bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').replace(/\n$/, '').split('\n')
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n`
  return Buffer.from(head + lines.map((line) => `+${line}\n`).join(''), 'latin1')
}

function reviewAll(files: readonly Patch[]): number {
  let count = 0
  for (const { path, bytes } of files) count += [...reviewFile(fileOf(path, bytes), [secrets], { key })].length
  return count
}

export const fileOf = (path: string, bytes: Buffer) =>
  changedFile(
    {
      oldPath: null,
      newPath: path,
      kind: 'ADDED',
      binary: false,
      oldMode: null,
      newMode: null,
      added: 0,
      removed: 0,
      language: null,
      commit: 0,
      commitId: null,
      listed: 'NEWEST_FIRST',
      oldBlob: null,
      newBlob: null,
    },
    path,
    bytes,
  )

async function reviewWhole(diff: Buffer): Promise<void> {
  async function* pieces() {
    for (let at = 0; at < diff.length; at += 256 * 1024) yield diff.subarray(at, at + 256 * 1024)
  }
  for await (const _ of reviewDiff(pieces(), { key, reviewers: [secrets] }));
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}
