// Asks git for the facts that the diff engine is compared with.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { decodePath } from '../../src/diff/paths.ts'
import type { Hunk } from '../../src/diff/types.ts'

// A person's settings must not change what is compared.
const settings = ['diff.noprefix=false', 'diff.mnemonicPrefix=false', 'diff.renames=true', 'log.showSignature=false']

/** Runs git in a repository and gives its output as a stream; it fails the stream where git fails. */
export async function* gitStream(repo: string, args: string[]): AsyncGenerator<Buffer> {
  const child = start(repo, args)
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for await (const chunk of child.stdout) yield chunk
  const code = await ended
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}: ${Buffer.concat(errors).toString('utf8')}`)
}

function start(repo: string, args: string[]): ChildProcessWithoutNullStreams {
  return spawn('git', ['-C', repo, ...settings.flatMap((setting) => ['-c', setting]), ...args])
}

/** The arguments of a `git log` over the history, each commit against its first parent, renames found. */
export function logArgs(limit: number, ...more: string[]): string[] {
  const count = Number.isFinite(limit) ? [`-n${limit}`] : []
  return ['log', '-M', '--root', '--no-color', '--no-ext-diff', '--no-textconv', ...count, ...more, 'HEAD']
}

/**
 * By commit: the entries of `--numstat -z`, written as `numstat` writes them. Git's own counts depend a little on the
 * lines of context it is asked for, since without any it looks for common ends first.
 */
export async function numstatByCommit(repo: string, limit: number, context: 0 | 3): Promise<Map<string, string[]>> {
  const chunks: Buffer[] = []
  const args = logArgs(limit, '--diff-merges=first-parent', '--numstat', '-z', '--format=%x01%H')
  for await (const chunk of gitStream(repo, ['-c', `diff.context=${context}`, ...args])) chunks.push(chunk)
  const commits = new Map<string, string[]>()
  for (const block of Buffer.concat(chunks).toString('latin1').split('\x01').slice(1)) {
    const parts = block
      .slice(40)
      .replace(/^\0?\n?/, '')
      .split('\0')
    const entries: string[] = []
    for (let i = 0; i < parts.length; i++) {
      const entry = /^\n?([-\d]+\t[-\d]+)\t(.*)$/s.exec(parts[i] ?? '')
      if (!entry) continue
      const [, counts, path] = entry
      if (path) entries.push(`${counts}\t${decodePath(path)}`)
      else entries.push(`${counts}\t\0${decodePath(parts[++i] ?? '')}\0${decodePath(parts[++i] ?? '')}`)
    }
    commits.set(block.slice(0, 40), entries)
  }
  return commits
}

/** By commit: the regions of each file that has any, which is what the hunk headers of `-U0` say word for word. */
export async function regionsByCommit(repo: string, limit: number): Promise<Map<string, Hunk[][]>> {
  const args = logArgs(limit, '--diff-merges=first-parent', '-p', '-U0', '--format=%x01%H')
  const commits = new Map<string, Hunk[][]>()
  let files: Hunk[][] = []
  let file: Hunk[] | null = null
  for await (const line of linesOf(gitStream(repo, args))) {
    if (line.startsWith('\x01')) {
      files = []
      commits.set(line.slice(1), files)
    } else if (line.startsWith('diff --git ')) file = null
    const parts = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!parts) continue
    if (file === null) {
      file = []
      files.push(file)
    }
    const [oldStart = 0, oldLines = 1, newStart = 0, newLines = 1] = parts
      .slice(1)
      .map((part) => (part === undefined ? undefined : Number(part)))
    file.push({ oldStart, oldLines, newStart, newLines })
  }
  return commits
}

// node:readline would end lines at carriage returns as well, which content may hold.
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Reads objects through one `git cat-file --batch`. Close it when done. */
export function objectReader(repo: string) {
  const child = start(repo, ['cat-file', '--batch'])
  const chunks = child.stdout[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<void> {
    const next = await chunks.next()
    if (next.done) throw new Error('git cat-file ended early')
    rest = Buffer.concat([rest, next.value])
  }

  return {
    /** The content of a blob; an empty one for null, and for the id of zeros that stands for no file. */
    async read(id: string | null): Promise<Buffer> {
      if (id === null || /^0+$/.test(id)) return Buffer.alloc(0)
      child.stdin.write(`${id}\n`)
      while (!rest.includes(10)) await more()
      const head = rest.subarray(0, rest.indexOf(10)).toString('latin1')
      const size = Number(head.split(' ')[2])
      if (Number.isNaN(size)) throw new Error(`git cat-file has no ${id}: ${head}`)
      const from = head.length + 1
      const parts: Buffer[] = [rest]
      let held = rest.length
      while (held < from + size + 1) {
        const next = await chunks.next()
        if (next.done) throw new Error('git cat-file ended early')
        parts.push(next.value)
        held += next.value.length
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts)
      rest = all.subarray(from + size + 1)
      return all.subarray(from, from + size)
    },
    close(): void {
      child.stdin.end()
    },
  }
}
