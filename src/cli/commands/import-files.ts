// Which files `merlon import` sends: those that are named, those of a folder, and standard input.

import { createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { WrongUse } from '../client.ts'
import { withDirectory } from '../temporary.ts'

/** A report on disk; `name` is how it was called. `isFound`: it was met in a folder, and may be no report at all. */
export type ReportFile = { name: string; file: string; isFound: boolean }

const endings = /\.(sarif|json|jsonl|ndjson|xml|csv|nessus|spdx|cdx|zip|gz)$/i

/** Folders below a folder that hold no reports of ours. */
const passedOver = new Set(['node_modules', '.git'])

/** Runs `work` with every report that the words name; what standard input gave is gone afterwards. */
export const withReports = <T>(words: readonly string[], work: (files: ReportFile[]) => Promise<T>): Promise<T> =>
  withDirectory('import', async (directory) => {
    const files: ReportFile[] = []
    for (const word of words) files.push(...(await reportsOf(word, directory)))
    return work(files)
  })

async function reportsOf(word: string, directory: string): Promise<ReportFile[]> {
  if (word === '-') {
    const file = join(directory, 'report')
    await pipeline(process.stdin, createWriteStream(file))
    return [{ name: '-', file, isFound: false }]
  }
  const found = await stat(word).catch(() => null)
  if (!found) throw new WrongUse(`There is no file ${word}`)
  if (!found.isDirectory()) return [{ name: word, file: word, isFound: false }]
  const files = await filesBelow(word)
  if (files.length === 0) throw new WrongUse(`There is no report in ${word}`)
  return files.map((file) => ({ name: relative('', file), file, isFound: true }))
}

/** Files below a folder that may be reports by their endings, in the order of their names. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const sorted = entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  const files: string[] = []
  for (const entry of sorted) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !passedOver.has(entry.name)) files.push(...(await filesBelow(path)))
    else if (entry.isFile() && endings.test(entry.name)) files.push(path)
  }
  return files
}
