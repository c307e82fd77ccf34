// What the review reports as risky in the histories of git repositories, whose changes are read like deploys' diffs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { code } from '../../src/review/code/reviewer.ts'
import { reviewDiff } from '../../src/review/run.ts'

/** How many of a repository's latest changes are read, and how many bytes of their diffs. */
const MOST_CHANGES = 2000
const MOST_BYTES = 24 * 1024 * 1024

const TESTS =
  /(?:^|[/._-])(?:tests?|__tests__|testsuite|spec|examples?|benchmarks?|fixtures?|e2e|docs?)(?:[/._-]|$)|Tests?\.\w+$/i

/** A finding above LOW outside of tests: its rule, its severity, and its place with the line itself. */
type Told = { rule: string; severity: string; place: string }

/**
 * The findings in the repository's history, latest change first, and the number of bytes read; throws if git cannot
 * read it.
 */
export async function readHistory(repository: string): Promise<{ bytes: number; told: Told[] }> {
  const told: Told[] = []
  const read = { bytes: 0 }
  for await (const each of reviewDiff(changesOf(repository, read), { key: Buffer.alloc(32), reviewers: [code] })) {
    if (each.kind !== 'OBSERVATION') continue
    const { fileName = '', line = 0, ruleId = '', severity = 'LOW', codeSnippet = '', firstLine = 1 } = each.observation
    if (severity === 'LOW' || severity === 'NOTIFICATION' || TESTS.test(fileName)) continue
    const text = codeSnippet.split('\n')[line - firstLine]?.trim().slice(0, 120)
    told.push({ rule: ruleId, severity, place: `${repository} ${fileName}:${line} ${ruleId} ${severity}: ${text}` })
  }
  return { bytes: read.bytes, told }
}

/** Prevents the repository's settings from running programs, or from changing the output format. */
const WORDS = [
  ...['log', '-p', '--no-merges', '--no-color', '--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-notes'],
  // A custom format can ask for signatures, which a configured program would check; diffs within a submodule would
  // follow the submodule's settings.
  ...['--pretty=medium', '--submodule=short', '--src-prefix=a/', '--dst-prefix=b/', '-U3'],
]

/** Missing objects are not fetched through any protocol, because a remote's address can be a command. */
const ALONE = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' }

/** The output of git log, cut at the end of a line once it is long enough. */
async function* changesOf(repository: string, read: { bytes: number }): AsyncGenerator<Buffer> {
  const git = spawn('git', ['-C', repository, ...WORDS, '-n', String(MOST_CHANGES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...ALONE },
  })
  const closed = once(git, 'close')
  for await (const chunk of git.stdout) {
    const isEnough = read.bytes + chunk.length > MOST_BYTES
    const part: Buffer = isEnough ? chunk.subarray(0, chunk.lastIndexOf('\n') + 1) : chunk
    read.bytes += part.length
    yield part
    if (isEnough) {
      git.kill()
      return
    }
  }
  const [status] = await closed
  if (status !== 0) throw new Error(`git cannot tell the history of ${repository}`)
}
