// Decides which files `merlon import` sends: those that are named, those in a named folder, or standard input.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { reading, sizeOf } from '../files.ts'
import { withDirectory } from '../temporary.ts'
import { WrongUse } from '../wrong-use.ts'

/**
 * A report on disk. `name` is its name in messages, `scope` the scope in which it closes findings if several reports do. `isFound`: it was
 * found in a folder, and may not be a report. `isLink`: it was found, but leads somewhere else, possibly out of the folder, and is not read.
 * `isEmpty`: it has no content by which a format could be recognised.
 */
export type ReportFile = {
  name: string
  file: string
  scope: string
  isFound: boolean
  isLink: boolean
  isEmpty: boolean
}

/** Bytes of the largest file that is checked for being an empty report. */
const NEXT_TO_NOTHING = 16

/** What a tool that found nothing may write: nothing at all, or empty JSON. */
const empty: readonly string[] = ['', '[]', '{}', 'null']

const endings = /\.(sarif|json|jsonl|ndjson|xml|html|csv|nessus|spdx|cdx|zip|gz)$/i

/** Folders that are not searched for reports. */
const passedOver = new Set(['node_modules', '.git'])

/** Runs `work` with every report that the arguments name; copies of standard input are removed afterwards. */
export const withReports = <T>(words: readonly string[], work: (files: ReportFile[]) => Promise<T>): Promise<T> =>
  withDirectory('import', async (directory) => {
    const files: ReportFile[] = []
    for (const word of words) files.push(...(await reportsOf(word, directory)))
    return work(withOwnScopes(files))
  })

/** Files of several folders that would share a scope each get one that is named by the whole path. */
function withOwnScopes(files: ReportFile[]): ReportFile[] {
  return files.map((file) => {
    const isShared = files.some(({ scope, name }) => scope === file.scope && resolve(name) !== resolve(file.name))
    return isShared ? { ...file, scope: resolve(file.name) } : file
  })
}

/** The name of a file, however it was written: relative to this directory, or to the named folder if that is elsewhere. */
function scopeOf(file: string, folder: string): string {
  const below = relative('', file)
  return below.startsWith('..') || isAbsolute(below) ? relative(folder, file) : below
}

async function reportsOf(word: string, directory: string): Promise<ReportFile[]> {
  const found = word === '-' ? null : await reading(word, stat(word))
  if (!found?.isDirectory()) {
    // anything but a regular file, such as a pipe, can be read only once
    const file = found?.isFile() ? word : await keep(found ? createReadStream(word) : process.stdin, directory)
    const scope = word === '-' ? word : scopeOf(word, dirname(word))
    return [{ name: word, file, scope, isFound: false, isLink: false, isEmpty: await isEmpty(file) }]
  }
  const files = await filesBelow(word)
  if (files.length === 0) throw new WrongUse(`There is no report in ${word}`)
  return Promise.all(
    files.map(async ({ file, isLink }) => {
      const below = relative('', file)
      const name = below.startsWith('..') ? file : below
      const scope = scopeOf(file, word)
      return { name, file, scope, isFound: true, isLink, isEmpty: !isLink && (await isEmpty(file)) }
    }),
  )
}

/** Writes a stream to a new file in the directory. */
async function keep(stream: NodeJS.ReadableStream, directory: string): Promise<string> {
  const file = join(await mkdtemp(join(directory, 'kept-')), 'report')
  await pipeline(stream, createWriteStream(file))
  return file
}

async function isEmpty(path: string): Promise<boolean> {
  const size = await sizeOf(path)
  return size <= NEXT_TO_NOTHING && empty.includes((await readFile(path, 'utf8')).replace(/\s/g, ''))
}

type Found = Pick<ReportFile, 'file' | 'isLink'>

/** Files below a folder whose endings are those of reports, and links to such files and to folders, in the order of their names. */
async function filesBelow(folder: string): Promise<Found[]> {
  const entries = await reading(folder, readdir(folder, { withFileTypes: true }))
  const sorted = entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  const files: Found[] = []
  for (const entry of sorted) {
    const file = join(folder, entry.name)
    const isLink = entry.isSymbolicLink()
    const isFolder = isLink ? await leadsToFolder(file) : entry.isDirectory()
    if (isFolder && passedOver.has(entry.name)) continue
    if (isFolder && !isLink) files.push(...(await filesBelow(file)))
    else if (isFolder || ((isLink || entry.isFile()) && endings.test(entry.name))) files.push({ file, isLink })
  }
  return files
}

const leadsToFolder = (link: string): Promise<boolean> =>
  stat(link).then(
    (found) => found.isDirectory(),
    () => false,
  )
