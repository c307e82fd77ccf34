// Checks out one commit after another and runs a real scanner on each.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { git } from './git.ts'

/** `line` and `column` count from 1; `text` is the line. */
export type Finding = { rule: string; path: string; line: number; column: number; message: string; text: string }

export type Scan = {
  commit: string
  scanner: string
  findings: readonly Finding[]
  files: ReadonlyMap<string, readonly string[]>
}

/** With what git says of each finding's line. */
export type Replayed = Scan & { truth: readonly string[] }

const execute = promisify(execFile)

/** Bandit where it is named by MERLON_REPLAY_BANDIT, its executable; else ESLint with its security rules. */
const BANDIT = process.env.MERLON_REPLAY_BANDIT

type Raw = Omit<Finding, 'text'>

export async function* scansOf(checkout: string, commits: readonly string[]): AsyncGenerator<Scan> {
  for (const commit of commits) {
    await git(checkout, 'checkout', '--quiet', '--force', '--detach', commit)
    await git(checkout, 'clean', '--quiet', '-dffx')
    const raw = BANDIT ? await bandit(checkout, BANDIT) : await eslint(checkout)
    const files = new Map<string, readonly string[]>()
    for (const { path } of raw) {
      if (!files.has(path)) files.set(path, (await readFile(join(checkout, path), 'utf8')).split(/\r?\n/))
    }
    const findings = raw.map((finding) => ({ ...finding, text: files.get(finding.path)?.[finding.line - 1] ?? '' }))
    yield { commit, scanner: BANDIT ? 'Bandit' : 'ESLint', findings, files }
  }
}

type EslintFile = {
  filePath: string
  messages: { ruleId: string | null; line: number; column: number; message: string }[]
}

async function eslint(checkout: string): Promise<Raw[]> {
  const listed = await git(checkout, 'ls-files', '*.js', '*.mjs', '*.cjs')
  const files = listed
    .split('\n')
    .filter((file) => file !== '' && !/(^|\/)(node_modules|vendor|dist)\/|\.min\.js$/.test(file))
  const words = [join('bench', 'replay', 'eslint.ts'), checkout]
  const child = execute(process.execPath, words, { maxBuffer: 2 ** 30 })
  child.child.stdin?.end(JSON.stringify(files))
  const results = JSON.parse((await child).stdout) as EslintFile[]
  return results.flatMap(({ filePath, messages }) =>
    messages.flatMap(({ ruleId, ...rest }) => (ruleId === null ? [] : [{ rule: ruleId, path: filePath, ...rest }])),
  )
}

type BanditReport = {
  results: { test_id: string; filename: string; line_number: number; col_offset: number; issue_text: string }[]
}

async function bandit(checkout: string, executable: string): Promise<Raw[]> {
  const words = ['-r', '.', '-f', 'json', '-q', '--exit-zero']
  const { stdout } = await execute(executable, words, { cwd: checkout, maxBuffer: 2 ** 30 })
  const { results } = JSON.parse(stdout) as BanditReport
  return results.map((result) => ({
    rule: result.test_id,
    path: result.filename.replace(/^\.\//, ''),
    line: result.line_number,
    column: result.col_offset + 1,
    message: result.issue_text,
  }))
}
