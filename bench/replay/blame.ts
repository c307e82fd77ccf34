// The ground truth of a replay: two findings of a rule are the same if git blame traces their lines to the same origin.

import { git } from './git.ts'
import type { Scan } from './scans.ts'

/** The origins of a file's lines, cached by the file's content and path. */
const known = new Map<string, readonly string[]>()

/** A key for each finding: its rule, and the commit, path and line to which `git blame -w -C -M` traces its line. */
export async function blameTruth(checkout: string, { commit, findings }: Scan): Promise<string[]> {
  const blobs = await blobsOf(checkout, commit)
  const truth: string[] = []
  const seen = new Map<string, number>()
  for (const { rule, path, line } of findings) {
    const name = `${blobs.get(path)} ${path}`
    const origins = known.get(name) ?? (await originsOf(checkout, commit, path))
    known.set(name, origins)
    const key = `${rule} ${origins[line - 1] ?? `${path}:${line}@${commit}`}`
    const turn = seen.get(key) ?? 0
    seen.set(key, turn + 1)
    truth.push(`${key} ${turn}`)
  }
  return truth
}

async function blobsOf(checkout: string, commit: string): Promise<Map<string, string>> {
  const said = await git(checkout, 'ls-tree', '-r', commit)
  return new Map(
    said.split('\n').flatMap((line) => {
      const [head = '', path = ''] = line.split('\t')
      return path === '' ? [] : [[path, head.split(' ')[2] ?? ''] as const]
    }),
  )
}

/** The origin of each line of the file, from the header in porcelain format: `<commit> <line there> <line here>`. */
async function originsOf(checkout: string, commit: string, path: string): Promise<string[]> {
  const said = await git(checkout, 'blame', '-w', '-C', '-M', '--line-porcelain', commit, '--', path)
  const origins: string[] = []
  let head = ''
  for (const line of said.split('\n')) {
    const [, from, there] = /^([0-9a-f]{40}) (\d+) \d+/.exec(line) ?? []
    if (from) head = `${from} ${there}`
    if (line.startsWith('filename ')) origins.push(`${head} ${line.slice('filename '.length)}`)
  }
  return origins
}
