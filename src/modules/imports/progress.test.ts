// The progress of an import whose reader goes through the file more than once.

import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { parts } from '../../../test/testkit/large-reports.ts'
import { newReportHome, taken } from '../../../test/testkit/reports.ts'
import { runImport } from './jobs.ts'

/** Rows of several batches: the progress is noted after each. */
const ROWS = 9000
/** In bytes. */
const PIECE = 16_384

/** A bill of materials is read twice: a vulnerability may name a component that comes later. */
const bill = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  components: Array.from({ length: ROWS }, (_, index) => ({
    'bom-ref': String(index),
    type: 'library',
    name: `lib${index}`,
    version: '1.0',
    purl: `pkg:npm/lib${index}@1.0`,
  })),
})

async function* inPieces(bytes: AsyncIterable<Buffer>, atHalf: () => Promise<void>): AsyncGenerator<Buffer> {
  const whole: Buffer[] = []
  for await (const chunk of bytes) whole.push(chunk)
  const content = Buffer.concat(whole)
  const half = Math.floor(content.length / 2)
  for (let from = 0; from < content.length; from += PIECE) {
    if (from <= half && half < from + PIECE) await atHalf()
    yield content.subarray(from, from + PIECE)
  }
}

test('is told of the present pass through the file, not of those before it gives rows', async () => {
  const home = await newReportHome()
  const { id } = await taken(home, bill)
  const at = await parts()
  const progress = async (): Promise<number> =>
    (await run(home.key, 'query ($id: ID!) { import(id: $id) { progress } }', { id })).import.progress
  const told: number[] = []
  const look = async () => {
    // nobody waits for what is noted of the pass that gives rows
    if (told.length > 0) await expect.poll(progress).toBeGreaterThan(0)
    told.push(await progress())
  }
  const objects = Object.create(at.objects, {
    read: { value: (key: string) => Readable.from(inPieces(at.objects.read(key), look)) },
  })

  await runImport({ ...at, objects }, { companyId: home.companyId, id })

  const [before, ...later] = told
  expect(before).toBe(0)
  expect(later).toHaveLength(1)
  expect(later[0]).toBeGreaterThan(0.1)
  expect(later[0]).toBeLessThan(0.6)
})
