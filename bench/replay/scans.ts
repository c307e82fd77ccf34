// Checks out one commit after another and runs a real scanner on each.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { git } from './git.ts'

/** `line` and `column` count from 1; `text` is the line's text. */
type Finding = { rule: string; path: string; line: number; column: number; message: string; text: string }

export type Scan = {
  commit: string
  scanner: string
  findings: readonly Finding[]
  files: ReadonlyMap<string, readonly string[]>
}

/** With the git blame key of each finding. */
export type Replayed = Scan & { truth: readonly string[] }

const execute = promisify(execFile)

/** A command that scans its working directory and prints SARIF; by default ESLint with its security rules. */
const SCANNER = process.env.MERLON_REPLAY_SCANNER

type Raw = Omit<Finding, 'text'>

type Scanned = { scanner: string; raw: Raw[] }

export async function* scansOf(checkout: string, commits: readonly string[]): AsyncGenerator<Scan> {
  for (const commit of commits) {
    await git(checkout, 'checkout', '--quiet', '--force', '--detach', commit)
    await git(checkout, 'clean', '--quiet', '-dffx')
    const { scanner, raw } = SCANNER ? await scannedBy(SCANNER, checkout) : await eslint(checkout)
    const files = new Map<string, readonly string[]>()
    for (const { path } of raw) {
      // merlon:allow the report is of the scanner that the benchmark has just run over this checkout
      if (!files.has(path)) files.set(path, (await readFile(join(checkout, path), 'utf8')).split(/\r?\n/))
    }
    const findings = raw.map((finding) => ({ ...finding, text: files.get(finding.path)?.[finding.line - 1] ?? '' }))
    yield { commit, scanner, findings, files }
  }
}

type EslintFile = {
  filePath: string
  messages: { ruleId: string | null; line: number; column: number; message: string }[]
}

async function eslint(checkout: string): Promise<Scanned> {
  const listed = await git(checkout, 'ls-files', '*.js', '*.mjs', '*.cjs')
  const files = listed
    .split('\n')
    .filter((file) => file !== '' && !/(^|\/)(node_modules|vendor|dist)\/|\.min\.js$/.test(file))
  const words = [join('bench', 'replay', 'eslint.ts'), checkout]
  const child = execute(process.execPath, words, { maxBuffer: 2 ** 30 })
  child.child.stdin?.end(JSON.stringify(files))
  const results = JSON.parse((await child).stdout) as EslintFile[]
  const raw = results.flatMap(({ filePath, messages }) =>
    messages.flatMap(({ ruleId, ...rest }) => (ruleId === null ? [] : [{ rule: ruleId, path: filePath, ...rest }])),
  )
  return { scanner: 'ESLint', raw }
}

type Sarif = {
  runs: [
    {
      tool: { driver: { name: string } }
      results: {
        ruleId: string
        message: { text: string }
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: string }
              region: { startLine: number; startColumn?: number }
            }
          },
        ]
      }[]
    },
  ]
}

/** Many scanners exit with a code other than 0 when they find something, so only output that is not SARIF is a failure. */
async function scannedBy(command: string, checkout: string): Promise<Scanned> {
  const { stdout } = await execute('sh', ['-c', `${command} || true`], { cwd: checkout, maxBuffer: 2 ** 30 })
  const { tool, results } = (JSON.parse(stdout) as Sarif).runs[0]
  const raw = results.map(({ ruleId, message, locations: [{ physicalLocation }] }) => ({
    rule: ruleId,
    path: pathIn(checkout, physicalLocation.artifactLocation.uri),
    line: physicalLocation.region.startLine,
    column: physicalLocation.region.startColumn ?? 1,
    message: message.text,
  }))
  return { scanner: tool.driver.name, raw }
}

const pathIn = (checkout: string, uri: string): string =>
  relative(checkout, resolve(checkout, decodeURI(uri.replace(/^file:\/\//, ''))))
