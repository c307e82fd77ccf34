// What the review calls risky in the histories of git repositories, whose changes are read as deploys' diffs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { code } from '../../src/review/code/reviewer.ts'
import { reviewDiff } from '../../src/review/run.ts'

/** The latest changes of one repository that are read, and the bytes of their diffs. */
const MOST_CHANGES = 2000
const MOST_BYTES = 24 * 1024 * 1024

const TESTS =
  /(?:^|[/._-])(?:tests?|__tests__|testsuite|spec|examples?|benchmarks?|fixtures?|e2e|docs?)(?:[/._-]|$)|Tests?\.\w+$/i

/** A finding above LOW outside of tests: its rule, how severe it is, and where it stands with the line itself. */
export type Told = { rule: string; severity: string; place: string }

/** Each finding in the repository's history, the latest change first, and the bytes that were read; throws where git cannot tell it. */
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

/** Nothing that the repository's settings name is run, and none of them gives the changes another form. */
const WORDS = [
  ...['log', '-p', '--no-merges', '--no-color', '--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-notes'],
  // A form may ask for signatures, which a program of the settings checks; changes within a submodule have settings of their own.
  ...['--pretty=medium', '--submodule=short', '--src-prefix=a/', '--dst-prefix=b/', '-U3'],
]

/** Objects that are missing are not fetched: by no protocol, as an address may be a command. */
const ALONE = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' }

/** The changes as git tells them, cut at the end of a line once there are enough. */
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
