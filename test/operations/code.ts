// `npm run operations -- code`: what the review reports as risky in widely used sources: installed packages, this project, histories.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { languageOf } from '../../src/diff/language.ts'
import { isReadable } from '../../src/review/code/parser.ts'
import { readPieces } from '../../src/review/code/pieces.ts'
import { readHistory } from './histories.ts'

const LARGEST = 1024 * 1024
const LONGEST_LINE = 5000

/** The installed packages and this project's own sources; FOLDERS can name others, separated by commas. */
const folders = (process.env.FOLDERS ?? 'node_modules,src').split(',')

/** Clones of git repositories, separated by commas, whose histories are read instead of folders. */
const histories = (process.env.HISTORIES ?? '').split(',').filter((path) => path !== '')

const severe: readonly string[] = ['HIGH', 'CRITICAL']

/** Prints each finding and the counts by rule. It fails if more than `most` findings outside of tests are HIGH or above. */
export async function run(): Promise<(most: number) => Promise<string[]>> {
  if (histories.length > 0) return readHistories
  return async (most) => {
    const counts = new Map<string, number>()
    const faults: string[] = []
    let bytes = 0
    let files = 0
    for (const { path, language, text } of sources()) {
      bytes += text.length
      files += 1
      const lines = text.split('\n')
      for (const { rule, line, steps } of readPieces(language, [{ first: 1, lines }], () => true) ?? []) {
        const told = `${path}:${line} ${rule.id} ${steps.map((step) => step.line).join('>')}: ${lines[line - 1]?.trim().slice(0, 120)}`
        const isTest = /(?:^|[/._-])(?:tests?|spec|examples?|benchmarks?|fixtures?|e2e)(?:[/._-]|$)/.test(path)
        const name = `${rule.id}${isTest ? ' in tests' : ''}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
        if (!isTest) console.log(told)
        if (!isTest && severe.includes(rule.severity)) faults.push(told)
      }
      // The parser's memory is released only when the event loop turns.
      if (files % 10 === 0) await new Promise<void>((resolve) => void setImmediate(resolve))
    }
    console.log(`${files} files, ${(bytes / 1e6).toFixed(0)} MB`)
    sayCounts(counts)
    return faults.length > most ? faults : []
  }
}

async function readHistories(most: number): Promise<string[]> {
  const counts = new Map<string, number>()
  const faults: string[] = []
  for (const repository of histories) {
    const { bytes, told } = await readHistory(repository)
    console.log(`${repository}: ${(bytes / 1e6).toFixed(1)} MB, ${told.length} findings`)
    for (const { rule, severity, place } of told) {
      console.log(place)
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
      if (severe.includes(severity)) faults.push(place)
    }
  }
  sayCounts(counts)
  return faults.length > most ? faults : []
}

function sayCounts(counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of [...counts].sort(([, one], [, other]) => other - one)) console.log(`${count} ${name}`)
}

function* sources(): Generator<{ path: string; language: string; text: string }> {
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const language = entry.isFile() && !/\.min\.|\.d\.[cm]?ts$/.test(entry.name) ? languageOf(entry.name) : null
      if (language === null || !isReadable(language)) continue
      const text = readFileSync(path, 'utf8')
      const isWritten = text.length < LARGEST && !text.split('\n').some((line) => line.length > LONGEST_LINE)
      if (isWritten) yield { path: relative('.', path), language, text }
    }
  }
}
