// A small history with everything that a diff can contain, on which the engine agrees with git.
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHistory, checkMerges, compareLines } from './check.ts'
import { readComposed } from './composed.ts'
import { drain, inChunks } from './edits.ts'
import { numstat } from './numstat.ts'
import { readDiff } from './read.ts'

const oddNames = ['with space.txt', 'tab\there.txt', 'new\nline.txt', 'quote"d.txt', 'back\\slash.txt', 'schnée 雪.txt']
let repo = ''

function git(...args: string[]): Buffer {
  const name = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...name, '-c', 'core.autocrlf=false', ...args], { cwd: repo, stdio: 'pipe' })
}

function commit(subject: string, tag: string, ...more: string[]): void {
  git('add', '-A')
  git('commit', '-q', '--allow-empty', '-m', subject, ...more)
  git('tag', tag)
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(repo, path)), { recursive: true })
  await writeFile(join(repo, path), content)
}

function numbered(count: number, change: (line: number) => string = (line) => `line ${line}`, end = '\n'): string {
  return Array.from({ length: count }, (_, index) => change(index + 1) + end).join('')
}

beforeAll(async () => {
  repo = await mkdtemp(join(tmpdir(), 'diff-truth-'))
  git('init', '-q', '-b', 'main')
  await write('src/a.ts', numbered(60))
  await write(
    'crlf.txt',
    numbered(30, (line) => `windows ${line}`, '\r\n'),
  )
  await write('latin1.txt', Buffer.from('caf\xe9\nna\xefve\n', 'latin1'))
  await write('image.bin', Buffer.from([0, 1, 2, 3, 0, 255, 10, 13]))
  await write('script.sh', '#!/bin/sh\necho hello\n')
  await write('empty', '')
  await write('notes.sql', '-- one\n-- two\n-- three\n++ four\n')
  for (const name of oddNames)
    await write(
      name,
      numbered(12, (line) => `${name.length} ${line}`),
    )
  await write(Buffer.from('b\xe9.txt', 'latin1').toString('latin1'), 'two bytes in UTF-8\n')
  commit('The first of all', 'first')
  await write(
    'src/a.ts',
    numbered(60, (line) => (line % 17 === 0 ? `changed ${line}\nand added` : `line ${line}`)),
  )
  await write(
    'crlf.txt',
    numbered(30, (line) => (line === 9 ? 'changed' : `windows ${line}`), '\r\n'),
  )
  await write('latin1.txt', Buffer.from('caf\xe9!\nna\xefve\n\xfc', 'latin1'))
  await write('image.bin', Buffer.from([0, 1, 2, 4, 0, 255]))
  await write('notes.sql', '-- two\n--- three\n+++ four\n@@ -1 +1 @@\n')
  for (const name of oddNames)
    await write(
      name,
      numbered(13, (line) => `${name.length} ${line === 5 ? 'x' : line}`),
    )
  commit('Lines change', 'changed')
  await mkdir(join(repo, 'moved'))
  await rename(join(repo, 'src/a.ts'), join(repo, 'moved/a b.ts'))
  for (const name of oddNames) await rename(join(repo, name), join(repo, `moved/${name}`))
  await chmod(join(repo, 'script.sh'), 0o755)
  await write('empty', 'no newline at the end')
  commit('Files move and modes change', 'moved')
  await write(
    'moved/a b.ts',
    numbered(58, (line) => (line === 40 ? 'again' : `line ${line}`)),
  )
  await rename(join(repo, 'moved/a b.ts'), join(repo, 'src.ts'))
  await write(
    'copy.txt',
    numbered(30, (line) => (line === 9 ? 'changed' : `windows ${line}`), '\r\n'),
  )
  await write('empty', 'no newline at the end, still')
  await rm(join(repo, 'script.sh'))
  await symlink('src.ts', join(repo, 'script.sh'))
  commit('A file moves and changes, another becomes a link', 'linked')
  await buildMerge()
  await rm(join(repo, 'crlf.txt'))
  await rm(join(repo, 'image.bin'))
  await write('empty', '')
  commit('Files go', 'last', '-m', 'diff --git a/fake b/fake\n--- a/fake\n+++ b/fake\n@@ -1 +1 @@\n-x\n+y')
})

// Both sides change the same file in places of their own and in one place together, where the merge differs from both.
async function buildMerge(): Promise<void> {
  const merged = (line: number, ours: boolean, theirs: boolean) => {
    if (line === 30) return ours && theirs ? 'both' : ours ? 'ours' : theirs ? 'theirs' : 'line 30'
    if (line === 5 && ours) return 'ours at 5\nand more'
    if (line === 50 && theirs) return 'theirs at 50\nand more'
    return `line ${line}`
  }
  await write('merge.txt', numbered(60))
  commit('A file to merge', 'base')
  git('checkout', '-q', '-b', 'side')
  await write(
    'merge.txt',
    numbered(60, (line) => merged(line, false, true)),
  )
  await write('only side.txt', 'side\n')
  commit('Their side', 'theirs')
  git('checkout', '-q', 'main')
  await write(
    'merge.txt',
    numbered(60, (line) => merged(line, true, false)),
  )
  commit('Our side', 'ours')
  git('merge', '-q', '--no-commit', '-s', 'ours', 'side')
  await write(
    'merge.txt',
    numbered(60, (line) => merged(line, true, true)),
  )
  await write('only side.txt', 'side, and merged\n')
  commit('A merge', 'merged')
}

afterAll(async () => {
  await rm(repo, { recursive: true, force: true })
})

test('counts, regions and every carried line equal those of git in every commit', async () => {
  const checked = await checkHistory(repo, Number.POSITIVE_INFINITY)

  expect(checked.differences).toEqual([])
  expect(checked).toMatchObject({ commits: 9, typeChanges: 1 })
  expect(checked.renames).toBeGreaterThanOrEqual(oddNames.length + 1)
  expect(checked.lines).toBeGreaterThan(400)
})

test('combined diffs of a merge read as the change against its first parent', async () => {
  const combined = await checkMerges(repo, Number.POSITIVE_INFINITY, '-c')
  const dense = await checkMerges(repo, Number.POSITIVE_INFINITY, '--cc')

  expect(combined).toMatchObject({ merges: 1, files: 2, dense: 0, differences: [] })
  expect(dense).toMatchObject({ merges: 1, files: 2, dense: 1, differences: [] })
})

test('names of every kind come back as they are on disk', async () => {
  const { files } = await drain(readDiff(inChunks(git('show', '-M', 'moved', '--'), [4096])))

  const moved = files.filter((file) => file.kind === 'RENAMED').map((file) => [file.oldPath, file.newPath])
  for (const name of oddNames) expect(moved).toContainEqual([name, `moved/${name}`])
})

test('copies and binary patches count as git counts them', async () => {
  const args = ['-M', '-C', '--find-copies-harder', 'first', 'last']
  const expected = git('diff', ...args, '--numstat', '-z').toString('utf8')

  const { files, result } = await drain(readDiff(inChunks(git('diff', ...args, '--binary'), [100])))

  expect(result.state).toBe('PARSED')
  const counted = files.filter((file) => !(file.kind === 'ADDED' && file.newPath === 'script.sh'))
  expect(counted).toHaveLength(files.length - 1)
  const ours = counted.filter((file) => file.oldPath !== 'script.sh').map((file) => `${numstat(file)}\0`)
  for (const entry of ours) expect(expected).toContain(entry)
  expect(files.map((file) => file.kind)).toContain('COPIED')
  expect(files.find((file) => file.oldPath === 'image.bin')).toMatchObject({ binary: true, kind: 'DELETED' })
})

test.each([
  ['newest first', ['log', '-p', '-M', 'first..linked']],
  ['oldest first', ['log', '-p', '-M', '--reverse', 'first..linked']],
  ['as a series of mails', ['format-patch', '--stdout', '-M', 'first..linked']],
])('commits listed %s compose into one map from the first state to the last', async (_order, args) => {
  const before = git('show', 'first:src/a.ts')
  const after = git('show', 'linked:src.ts')

  const { files, result } = await readComposed(inChunks(git(...args), [1000]))

  expect(result.state).toBe('PARSED')
  const file = files.find((each) => each.newPath === 'src.ts')
  expect(file).toMatchObject({ oldPath: 'src/a.ts', kind: 'RENAMED' })
  expect(file && compareLines(file, before, after)).toBe(null)
  const net = git('diff', '-M', '--name-only', '-z', 'first', 'linked').toString('utf8').split('\0').slice(0, -1)
  expect(files.map((each) => each.newPath ?? each.oldPath).sort()).toEqual(net.sort())
})
