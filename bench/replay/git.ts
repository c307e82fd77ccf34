// Runs git for the replay.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs git in a directory and resolves to its output; throws with its error message. */
export async function git(directory: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await execute('git', ['-c', 'core.quotepath=off', ...words], {
    cwd: directory,
    maxBuffer: 2 ** 30,
  })
  return stdout
}

/** The last `count` commits along first parents, oldest first. */
export async function commitsOf(directory: string, count: number): Promise<string[]> {
  const said = await git(directory, 'rev-list', '--first-parent', `--max-count=${count}`, 'HEAD')
  return said.trim().split('\n').reverse()
}
