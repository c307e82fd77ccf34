// Which files `merlon import` sends: those that are named, those of a folder, and standard input.

import { createWriteStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { WrongUse } from '../client.ts'
import { withDirectory } from '../temporary.ts'

/**
 * A report on disk; `name` is how it is called in what is said, `scope` what it closes in where several do. `isFound`: it was met in a
 * folder, and may be no report at all. `isEmpty`: nothing but white space, of which no format can be told.
 */
export type ReportFile = { name: string; file: string; scope: string; isFound: boolean; isEmpty: boolean }

/** Bytes of the largest file that is looked into for being empty. */
const NEXT_TO_NOTHING = 16

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
    return [{ name: '-', file, scope: '-', isFound: false, isEmpty: await isEmpty(file) }]
  }
  const found = await stat(word).catch(() => null)
  if (!found) throw new WrongUse(`There is no file ${word}`)
  if (!found.isDirectory()) {
    return [{ name: word, file: word, scope: word, isFound: false, isEmpty: await isEmpty(word) }]
  }
  const files = await filesBelow(word)
  if (files.length === 0) throw new WrongUse(`There is no report in ${word}`)
  return Promise.all(
    files.map(async (file) => {
      const below = relative('', file)
      const name = below.startsWith('..') ? file : below
      return { name, file, scope: below, isFound: true, isEmpty: await isEmpty(file) }
    }),
  )
}

/** Of a file alone: a pipe tells what it holds only once. */
async function isEmpty(path: string): Promise<boolean> {
  const found = await stat(path)
  if (!found.isFile() || found.size > NEXT_TO_NOTHING) return false
  return (await readFile(path, 'utf8')).trim() === ''
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
