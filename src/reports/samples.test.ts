// Real reports, and small ones of our own, are each recognised as their format and give the rows that docs/reports.md says.

import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headOf } from './detect.ts'
import { formats, readReport, recognised } from './index.ts'
import { ReportFault, type ReportSource } from './types.ts'
import { unpacked } from './unpack.ts'

type Expected = { file: string; format: string; theirs: string; read: number; leftOut: number; why: string }

const root = join(import.meta.dirname, '../..')
const own = join(root, 'test/reports/samples')
const real = [process.env.MERLON_SAMPLE_REPORTS, join(root, '../shared/samples/reports')].find(
  (folder) => folder !== undefined && existsSync(folder),
)

/** Another system's counts, which lie beside the reports. */
const COUNTS = 'expected-findings.json'

const aside = new Set([COUNTS, 'README.md'])

const documented = rowsOf(readFileSync(join(root, 'docs/reports.md'), 'utf8'))
const ownExpected: Record<string, { format: string; read: number; leftOut: number }> = JSON.parse(
  readFileSync(join(own, 'expected.json'), 'utf8'),
)

describe('A report of our own', () => {
  test.each(Object.entries(ownExpected))('%s gives what is expected of it', async (file, { format, read, leftOut }) => {
    const source = sourceOf(join(own, file))

    const seen = { formats: await formatsOf(source), ...(await countsOf(source, format)) }

    expect(seen).toEqual({ formats: [format], read, leftOut })
  })

  test('is among the expected ones', () => {
    const files = filesIn(own).filter((file) => file !== 'expected.json')

    expect(files).toEqual(Object.keys(ownExpected).sort())
  })
})

// Without the real reports only our own are read; they belong to others and are not in the repository.
describe(`A real report (${real === undefined ? 'none is here: name their folder in MERLON_SAMPLE_REPORTS' : 'read'})`, () => {
  for (const { file, format, read, leftOut } of real === undefined ? [] : documented) {
    test(`${file} gives the rows that the documentation says`, async () => {
      const source = sourceOf(join(real ?? '', file))

      const counts = await countsOf(source, format)
      const taken = await formatsOf(source)

      expect(counts).toEqual({ read, leftOut })
      // One without a row may say nothing of its format; it must not be taken for another.
      expect([[format], read + leftOut === 0 ? [] : [format]]).toContainEqual(taken)
    })
  }

  test('has a row in the documentation', () => {
    const files = real === undefined ? [] : filesIn(real).filter((file) => !aside.has(file))

    expect(documented.map(({ file }) => file).sort()).toEqual(real === undefined ? expect.anything() : files)
  })

  test('that another system counts otherwise has the reason beside it', () => {
    const silent = documented.filter(({ theirs, read, why }) => theirs !== '–' && theirs !== String(read) && why === '')

    expect(silent).toEqual([])
  })

  test('has the count of that other system beside it', () => {
    const path = join(real ?? '', COUNTS)
    const counts: Record<string, unknown> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
    const wrong = documented.filter(
      ({ file, theirs }) => file in counts && theirs !== [counts[file]].flat().join(' to '),
    )

    expect(wrong).toEqual([])
  })
})

test('Every format has its part of the documentation', () => {
  const headings = readFileSync(join(root, 'docs/reports.md'), 'utf8').match(/^## .*\(`[a-z0-9-]+`\)$/gm) ?? []

  const named = headings.map((heading) => /`([a-z0-9-]+)`/.exec(heading)?.[1])

  expect(named.sort()).toEqual(formats.map(({ format }) => format).sort())
})

/** The rows of the tables, each under its format's heading: `## Label (`format`)`. */
function rowsOf(page: string): Expected[] {
  const rows: Expected[] = []
  let format = ''
  for (const line of page.split('\n')) {
    format = /^## .*\(`([a-z0-9-]+)`\)$/.exec(line)?.[1] ?? format
    const [file = '', theirs = '', read, leftOut, why = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    if (!/^\S+\/\S+\.\w+$/.test(file) || !/^\d+$/.test(read ?? '')) continue
    rows.push({ file, format, theirs, read: Number(read), leftOut: Number(leftOut), why })
  }
  return rows
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

const sourceOf = (path: string): ReportSource => ({
  name: path.split('/').at(-1) ?? '',
  open: () => createReadStream(path),
})

const formatsOf = async (source: ReportSource) => recognised(await headOf(await unpacked(source)))

async function countsOf(source: ReportSource, format: string): Promise<{ read: number; leftOut: number }> {
  const counts = { read: 0, leftOut: 0 }
  try {
    for await (const row of (await readReport(source, format)).rows) {
      if (row.kind === 'OBSERVATION') counts.read++
      if (row.kind === 'LEFT_OUT' || row.kind === 'PASSED_OVER' || row.kind === 'UNSEEN_FILE') counts.leftOut++
    }
  } catch (error) {
    if (!(error instanceof ReportFault)) throw error
  }
  return counts
}
