// The review of source code in a diff for risky code, compared with only parsing the same sources.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { languageOf } from '../src/diff/language.ts'
import { code } from '../src/review/code/reviewer.ts'
import { reviewFile } from '../src/review/run.ts'
import { median, timed } from './load.ts'
import { added, fileOf } from './secrets.ts'

const ROUNDS = 3
const WANTED_BYTES = 8 * 1024 * 1024
const key = Buffer.alloc(32)

export async function run(): Promise<void> {
  const sources = sourcesBelow('node_modules')
  const bytes = sources.reduce((sum, { text }) => sum + text.length, 0)
  const [reviewed, parsed]: [number[], number[]] = [[], []]
  let found = 0
  // A first run, because rules and parsers are loaded once in each process.
  await reviewAll(sources)
  const memory = process.resourceUsage().maxRSS
  for (let round = 0; round < ROUNDS; round++) {
    parsed.push(await timed(() => parseAll(sources)))
    reviewed.push(
      await timed(async () => {
        found = await reviewAll(sources)
      }),
    )
  }
  const speed = (times: number[]) => `${(bytes / 1e3 / median(times)).toFixed(1)} MB/s`
  console.log(`${sources.length} files, ${(bytes / 1e6).toFixed(1)} MB of added lines, ${found} findings`)
  console.log(`review of the code: ${speed(reviewed)}`)
  console.log(`control, the bare parse: ${speed(parsed)}`)
  console.log(`most memory of the review: ${Math.round(memory / 1024)} MiB`)
}

type Source = { path: string; text: string }

function sourcesBelow(folder: string): Source[] {
  const found: Source[] = []
  let size = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (size >= WANTED_BYTES) break
    if (!entry.isFile() || languageOf(entry.name) !== 'JavaScript' || entry.name.includes('.min.')) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1')
    if (text.length > 500_000 || text.split('\n').some((line) => line.length > 5000)) continue
    // Moved out of node_modules, because third-party code is not reviewed.
    found.push({ path: join(entry.parentPath, entry.name).replaceAll('node_modules/', 'src/'), text })
    size += text.length
  }
  return found
}

/** Yields to the event loop now and then, as reading a diff does, because only then is the parser's memory released. */
async function reviewAll(sources: readonly Source[]): Promise<number> {
  let count = 0
  for (const [at, { path, text }] of sources.entries()) {
    const file = { ...fileOf(path, added(path, Buffer.from(text, 'latin1'))), language: 'JavaScript' }
    for (const { kind } of reviewFile(file, [code], { key })) if (kind === 'OBSERVATION') count += 1
    if (at % 2 === 0) await turn()
  }
  return count
}

async function parseAll(sources: readonly Source[]): Promise<void> {
  const { parse } = createRequire(import.meta.url)('@ast-grep/napi')
  for (const [at, { text }] of sources.entries()) {
    parse('javascript', text).root()
    if (at % 2 === 0) await turn()
  }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))
