// Reads from git what `merlon deploy` needs: commits, ancestry, and the diff between two commits, written to a file.

import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { takenPaths } from './git-swapped.ts'
import { WrongUse } from './wrong-use.ts'

const run = promisify(execFile)

/** The most commits that are sent with a deploy. */
const MOST_COMMITS = 1000

async function git(...words: string[]): Promise<string> {
  try {
    const { stdout } = await run('git', words, { maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new WrongUse(said.split('\n')[0] || `git ${words[0]} failed: is git installed?`)
  }
}

const succeeds = (...words: string[]) =>
  run('git', words).then(
    () => true,
    () => false,
  )

/**
 * The full id of a commit; WrongUse if there is none. Outside of a repository the sentence says what to do, including `instead`, which is what
 * the command accepts in its place, such as `name a deploy with --deploy`.
 */
export async function commitOf(name: string, instead?: string): Promise<string> {
  await git('rev-parse', '--git-dir').catch((error: Error) => {
    const or = instead === undefined ? '' : `, or ${instead}`
    throw new WrongUse(`No git repository can be read here: run this in a clone${or} (git says: ${error.message})`)
  })
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).catch(async () => {
    const why = (await isShallow()) ? ': it is a shallow clone, which lacks older commits' : ''
    throw new WrongUse(`This repository has no commit ${name}${why}`)
  })
}

/** Whether the clone has only the newest commits, as pipelines make it by default. */
export const isShallow = async (): Promise<boolean> => (await git('rev-parse', '--is-shallow-repository')) === 'true'

export const hasCommit = (id: string): Promise<boolean> =>
  succeeds('cat-file', '-e', '--end-of-options', `${id}^{commit}`)

/** The id of the empty tree, by the repository's hash. */
const emptyTrees: Record<string, string> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

/** The start of the first deploy. */
export async function emptyTree(): Promise<string> {
  const format = await git('rev-parse', '--show-object-format')
  const tree = emptyTrees[format]
  if (!tree) throw new WrongUse(`Repositories with the hash ${format} are not supported`)
  return tree
}

/** The branch that is checked out; null for a detached HEAD. */
export const currentBranch = (): Promise<string | null> =>
  git('symbolic-ref', '--quiet', '--short', 'HEAD').catch(() => null)

/** The same, for sending; warns on standard error if there is none. */
export async function branchToTell(): Promise<string | null> {
  const branch = await currentBranch()
  if (branch === null) process.stderr.write('No branch is checked out, so none is recorded; name one with --branch\n')
  return branch
}

/** The path of the repository, and the current directory below it, ending in `/` unless it is the root; null outside of a repository. */
export async function checkoutHere(): Promise<{ path: string; directory: string } | null> {
  const path = await git('rev-parse', '--show-toplevel').catch(() => null)
  return path === null ? null : { path, directory: await git('rev-parse', '--show-prefix') }
}

/** Whether this repository has the commit, and it is an ancestor of the other. */
const isAncestor = (commit: string, of: string): Promise<boolean> => succeeds('merge-base', '--is-ancestor', commit, of)

/** Whether this repository has both commits, with a common ancestor, and neither is an ancestor of the other. */
export async function haveParted(one: string, other: string): Promise<boolean> {
  if (!(await succeeds('merge-base', one, other))) return false
  return !(await isAncestor(one, other)) && !(await isAncestor(other, one))
}

/** Commits that are checked one by one before the whole history is read. */
const FEW = 3

/** Returns a check of whether a commit is an ancestor of this one; after a few checks it reads the whole history once. */
export function historyOf(commit: string): (deployed: string) => Promise<boolean> {
  let asked = 0
  let walked: Promise<Set<string>> | null = null
  return async (deployed) => {
    asked += 1
    if (asked <= FEW) return isAncestor(deployed, commit)
    walked ??= ancestorsOf(commit)
    const ancestors = await walked
    // An abbreviated id is looked up by git.
    return ancestors.has(deployed) || (deployed.length < commit.length && isAncestor(deployed, commit))
  }
}

async function ancestorsOf(commit: string): Promise<Set<string>> {
  const child = spawn('git', ['rev-list', commit, '--'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const ancestors = new Set<string>()
  for await (const line of createInterface({ input: child.stdout })) ancestors.add(line)
  if ((await ended) !== 0) throw new WrongUse(`git rev-list ${commit} failed`)
  return ancestors
}

/** The most removed and added files among which renames are looked for; 5,000 of each take about 20 seconds. */
const MOST_RENAMED = 5000

/** Breaks up modified files of which more than half is new, so that their old content can be found as renamed elsewhere. */
const SWAPPED = '-B50%/100%'

/** The whole repository's diff in git's default form, whatever the user's configuration changes about `git diff`. */
const DIFF = [
  ...['-c', 'diff.suppressBlankEmpty=false', 'diff', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/'],
  ...['--submodule=short', '--ignore-submodules=untracked', '--unified=3', '--inter-hunk-context=0'],
  ...['--diff-algorithm=default', '--indent-heuristic', '-O/dev/null'],
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--full-index', '-M', `-l${MOST_RENAMED}`],
]

/** Writes the diff between two commits to a file, with renames and swapped files found. */
export async function writeDiff(from: string, to: string, file: string): Promise<void> {
  const swapped = (await tellsSwapped(from, to)) ? [SWAPPED] : []
  await pipeline(readDiff(from, to, swapped), createWriteStream(file))
}

/** Whether the diff that looks for swapped files mentions every file that existed before. */
async function tellsSwapped(from: string, to: string): Promise<boolean> {
  const names = ['diff', '--raw', '-z', '--no-relative', '--no-ext-diff', '-M', SWAPPED, `-l${MOST_RENAMED}`]
  const taken = takenPaths(await git(...names, from, to, '--'))
  if (taken.length === 0) return true
  const before = new Set((await git('ls-tree', '-r', '-z', '--name-only', '--full-tree', from)).split('\0'))
  return !taken.some((path) => before.has(path))
}

/** The diff between two commits, as a stream; without `to`, the diff to the working tree. */
export async function* readDiff(
  from: string,
  to: string | null,
  more: readonly string[] = [],
): AsyncGenerator<Uint8Array> {
  const commits = to === null ? [from] : [from, to]
  const child = spawn('git', [...DIFF, ...more, ...commits, '--'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  yield* child.stdout
  if ((await ended) !== 0) throw new WrongUse(`git diff ${commits.join(' ')} failed`)
}

/** The number of untracked files that are not ignored. */
export async function countUntracked(): Promise<number> {
  const names = await git('ls-files', '--others', '--exclude-standard', '-z', '--', ':/')
  return names.split('\0').filter((name) => name !== '').length
}

/** Writes the commits between two, newest first, as JSON; from the empty tree, all ancestors of `to`. Returns their number. */
export async function writeHistory(from: string, to: string, file: string): Promise<number> {
  const range = (await succeeds('rev-parse', '--verify', '--quiet', `${from}^{commit}`)) ? `${from}..${to}` : to
  const form = ['-z', '--no-show-signature', '--encoding=UTF-8', '--format=%H%x1f%an%x1f%ae%x1f%aI%x1f%s']
  const text = await git('log', `--max-count=${MOST_COMMITS}`, ...form, range)
  const commits = text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [id, author, email, date, message] = line.split('\x1f')
      return { id, author, email, date, message }
    })
  await writeFile(file, JSON.stringify(commits))
  return commits.length
}
