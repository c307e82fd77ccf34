// A small git repository for one test.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Repository = {
  directory: string
  git: (...words: string[]) => string
  /** Writes files and commits them; answers with the commit's id. */
  commit: (files: Record<string, string>) => string
}

export function newRepository(): Repository {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-repository-'))
  const git = (...words: string[]) => execFileSync('git', words, { cwd: directory, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'A developer')
  git('config', 'user.email', 'developer@example.test')
  return {
    directory,
    git,
    commit(files) {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
      git('add', '--all')
      git('commit', '--quiet', '--message', 'A change')
      return git('rev-parse', 'HEAD')
    },
  }
}
