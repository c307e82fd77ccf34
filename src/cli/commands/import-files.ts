// Decides which files `merlon import` sends: those that are named, those in a named folder, or standard input.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { reading, sizeOf } from '../files.ts'
import { withDirectory } from '../temporary.ts'
import { WrongUse } from '../wrong-use.ts'

/**
 * A report on disk; `name` is how it is called in what is said, `scope` what it closes in where several may. `isFound`: it was met in a
 * folder, and may be no report at all. `isEmpty`: it says nothing of which a format can be told.
 */
export type ReportFile = { name: string; file: string; scope: string; isFound: boolean; isEmpty: boolean }

/** Bytes of the largest file that is looked into for being empty. */
const NEXT_TO_NOTHING = 16

/** What a tool that found nothing may leave: nothing at all, or JSON without a word of its own. */
const empty: readonly string[] = ['', '[]', '{}', 'null']

const endings = /\.(sarif|json|jsonl|ndjson|xml|html|csv|nessus|spdx|cdx|zip|gz)$/i

/** Folders below a folder that hold no reports of ours. */
const passedOver = new Set(['node_modules', '.git'])

/** Runs `work` with every report that the words name; what standard input gave is gone afterwards. */
export const withReports = <T>(words: readonly string[], work: (files: ReportFile[]) => Promise<T>): Promise<T> =>
  withDirectory('import', async (directory) => {
    const files: ReportFile[] = []
    for (const word of words) files.push(...(await reportsOf(word, directory)))
    return work(withOwnScopes(files))
  })

/** Of files of several folders that would share a scope, each closes in one that is named by its whole path. */
function withOwnScopes(files: ReportFile[]): ReportFile[] {
  return files.map((file) => {
    const isShared = files.some(({ scope, name }) => scope === file.scope && resolve(name) !== resolve(file.name))
    return isShared ? { ...file, scope: resolve(file.name) } : file
  })
}

/** What a file is called however it was written: from here, or from the folder that was named where that lies elsewhere. */
function scopeOf(file: string, folder: string): string {
  const below = relative('', file)
  return below.startsWith('..') || isAbsolute(below) ? relative(folder, file) : below
}

async function reportsOf(word: string, directory: string): Promise<ReportFile[]> {
  const found = word === '-' ? null : await reading(word, stat(word))
  if (!found?.isDirectory()) {
    // what is no file, such as a pipe, tells what it holds only once
    const file = found?.isFile() ? word : await keep(found ? createReadStream(word) : process.stdin, directory)
    const scope = word === '-' ? word : scopeOf(word, dirname(word))
    return [{ name: word, file, scope, isFound: false, isEmpty: await isEmpty(file) }]
  }
  const files = await filesBelow(word)
  if (files.length === 0) throw new WrongUse(`There is no report in ${word}`)
  return Promise.all(
    files.map(async (file) => {
      const below = relative('', file)
      const name = below.startsWith('..') ? file : below
      return { name, file, scope: scopeOf(file, word), isFound: true, isEmpty: await isEmpty(file) }
    }),
  )
}

/** Writes what a stream gives to a new file of the directory. */
async function keep(stream: NodeJS.ReadableStream, directory: string): Promise<string> {
  const file = join(await mkdtemp(join(directory, 'kept-')), 'report')
  await pipeline(stream, createWriteStream(file))
  return file
}

async function isEmpty(path: string): Promise<boolean> {
  const size = await sizeOf(path)
  return size <= NEXT_TO_NOTHING && empty.includes((await readFile(path, 'utf8')).replace(/\s/g, ''))
}

/** Files below a folder that may be reports by their endings, in the order of their names. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await reading(folder, readdir(folder, { withFileTypes: true }))
  const sorted = entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  const files: string[] = []
  for (const entry of sorted) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !passedOver.has(entry.name)) files.push(...(await filesBelow(path)))
    else if (entry.isFile() && endings.test(entry.name)) files.push(path)
  }
  return files
}
