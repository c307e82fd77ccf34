// Whatever stands in a report, every reader answers with rows or says in a sentence that it cannot read it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textsIn } from '../../test/reports/reading.ts'
import { dice, spoilers } from '../../test/reports/spoil.ts'
import { wrongWith } from '../../test/reports/wrong.ts'
import { formats, readReport, recognised } from './index.ts'
import { HEAD_BYTES, ReportFault, type ReportSource, type Row } from './types.ts'

const folder = join(import.meta.dirname, '../../test/reports/samples')
const expected: Record<string, { format: string }> = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
const samples = Object.entries(expected).map(([file, { format }]) => ({
  file,
  format,
  report: readFileSync(join(folder, file)),
}))

/** Stands in the requests, responses and commands of the samples. */
const CREDENTIAL = 'abcdef0123456789'

/** Of each way of spoiling a sample. */
const ROUNDS = 8

/** Times that a report may be read over, with what tells its format and its packing. */
const MOST_PASSES = 12

/** Rows for each byte. */
const MOST_ROWS = 2

type Reading = { rows: Row[]; fault: ReportFault | null; bytes: number }

/** Reads it as the format; the work is counted, so that a reader that does not end fails here. */
async function readingOf(report: Buffer, format: string): Promise<Reading> {
  const reading: Reading = { rows: [], fault: null, bytes: 0 }
  const source: ReportSource = {
    name: 'report',
    open: async function* () {
      reading.bytes += report.length
      if (reading.bytes > (report.length + 1) * MOST_PASSES) throw new Error('It is read over and over')
      yield report
    },
  }
  try {
    for await (const row of (await readReport(source, format)).rows) {
      reading.rows.push(row)
      if (reading.rows.length > (report.length + 1) * MOST_ROWS) throw new Error('It has more rows than bytes')
    }
  } catch (error) {
    if (!(error instanceof ReportFault)) throw error
    reading.fault = error
  }
  return reading
}

const observedAt = ({ rows }: Reading): string[] => rows.flatMap((row) => (row.kind === 'OBSERVATION' ? [row.at] : []))

const isWhole = ({ rows, fault }: Reading): boolean => fault === null && rows.every(({ kind }) => kind !== 'TRUNCATED')

const faultsIn = ({ rows, fault }: Reading): string[] => [
  ...rows.flatMap(wrongWith),
  ...(fault !== null && fault.message.trim() === '' ? ['a fault without a sentence'] : []),
]

test('Every format has a sample', () => {
  const without = formats.filter(({ format }) => !samples.some((sample) => sample.format === format))

  expect(without).toEqual([])
})

test('Samples of several formats hold a credential', () => {
  const holding = samples.filter(({ report }) => report.includes(CREDENTIAL))

  expect([...new Set(holding.map(({ format }) => format))].toSorted()).toEqual(['nuclei', 'wapiti', 'zap'])
})

describe.each(samples)('$file', ({ file, format, report }) => {
  test('is taken for its own format, and for no other', () => {
    const head = { name: 'report', text: report.subarray(0, HEAD_BYTES).toString() }

    expect(recognised(head)).toEqual([format])
  })

  test.runIf(report.includes(CREDENTIAL))('keeps no credential that it holds', async () => {
    const { rows } = await readingOf(report, format)

    expect(textsIn(rows).filter((text) => text.includes(CREDENTIAL))).toEqual([])
  })

  test('cut anywhere gives what stood before, and never says that it is whole', async () => {
    const whole = await readingOf(report, format)
    const all = observedAt(whole)
    const faults: string[] = []
    // Of lines and of documents that follow each other each beginning may be a report.
    const isLines = /\.(?:csv|jsonl|html)$/.test(file)
    let most = 0
    for (let end = 1; end < report.length; end++) {
      const reading = await readingOf(report.subarray(0, end), format)
      const seen = observedAt(reading)
      most = Math.max(most, seen.length)
      const isStart = seen.every((at, index) => at === all[index])
      if (!isLines && isWhole(reading) && end < report.toString().trimEnd().length)
        faults.push(`at ${end}: it is whole`)
      if (!isStart || seen.length < most) faults.push(`at ${end}: ${seen.join(', ')}`)
      faults.push(...faultsIn(reading).map((fault) => `at ${end}: ${fault}`))
    }

    expect(faults).toEqual([])
    expect(most).toBeGreaterThanOrEqual(all.length - 1)
    expect(whole.rows.filter(({ kind }) => kind === 'TRUNCATED')).toEqual([])
  })

  test.each(Object.keys(spoilers))('with %s gives rows or a sentence', async (way) => {
    const roll = dice(20_260_202)
    const faults: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const spoilt = spoilers[way]?.(report, roll) ?? report
      const reading = await readingOf(spoilt, format)
      faults.push(...faultsIn(reading).map((fault) => `round ${round}: ${fault}`))
    }

    expect(faults).toEqual([])
  })

  test('read as every other format gives rows or a sentence', async () => {
    const faults: string[] = []
    for (const other of formats) {
      const reading = await readingOf(report, other.format)
      faults.push(...faultsIn(reading).map((fault) => `${other.format}: ${fault}`))
    }

    expect(faults).toEqual([])
  })
})

describe('What a report begins with', () => {
  test.each(['<issues ', '<bom ', '<analysis ', '{"findings":[', '"results":[', '"@context":', ' ', '"a":"\\', ','])(
    'is looked at for its format in one pass: %j over and over',
    (piece) => {
      const text = piece.repeat(HEAD_BYTES / piece.length)

      expect(recognised({ name: 'report', text }).length).toBeLessThanOrEqual(1)
    },
  )
})
