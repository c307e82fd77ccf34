// The properties of the diff engine, on generated edits, chunk sizes and damage.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeRegions } from '../../src/diff/compose.ts'
import { carryLine, unpackHunks } from '../../src/diff/line-map.ts'
import type { Hunk, PatchFile } from '../../src/diff/types.ts'
import { compareLines } from './check.ts'
import { readComposed } from './composed.ts'
import { diffText, drain, type Edit, inChunks, sides } from './edits.ts'
import { packHunks } from './packed.ts'
import { readDiff } from './read.ts'

const seed = { seed: 20_260_101, numRuns: 300 }

// Content that looks like headers, and lines that are equal to each other, are what a reader trips over.
const content = fc.oneof(
  fc.constantFrom('', 'a', 'b', '-- x', '++ y', '- a/x', '+ b/x', '@@ -1 +1 @@', 'diff --git a/x b/x', '\\ x', 'é\r'),
  fc.string({ maxLength: 90 }).map((text) => text.replaceAll('\n', ' ')),
)
const edit = fc.record({ mark: fc.constantFrom(' ', ' ', ' ', '-', '+'), text: content })
const edits = fc.array(edit, { minLength: 1, maxLength: 60 }).filter((list) => list.some((each) => each.mark !== ' '))
const context = fc.integer({ min: 0, max: 4 })
const chunkSizes = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 })

async function read(text: string | Buffer, sizes: readonly number[] = [1 << 20]) {
  return drain(readDiff(inChunks(Buffer.from(text), sizes)))
}

const composeHunks = (first: readonly Hunk[], second: readonly Hunk[]) =>
  unpackHunks(composeRegions(packHunks(first), packHunks(second)))

const withoutRange = (file: PatchFile) => ({ ...file, range: null })

async function hunksOf(list: readonly Edit[], lines = 3): Promise<Hunk[]> {
  const { files } = await read(diffText('src/x.ts', list, lines))
  return files[0]?.hunks ?? []
}

test('every line of a generated edit is carried to where the edit puts it, with any context', async () => {
  await fc.assert(
    fc.asyncProperty(edits, context, async (list, lines) => {
      const { before, after } = sides(list)

      const { files, result } = await read(diffText('src/x.ts', list, lines))

      expect(result).toMatchObject({ state: 'PARSED', files: 1 })
      const [file] = files
      expect(file && compareLines(file, Buffer.from(before), Buffer.from(after))).toBe(null)
      let oldLine = 0
      let newLine = 0
      for (const each of list) {
        if (each.mark !== '+') oldLine++
        if (each.mark !== '-') newLine++
        const hunks = file?.hunks ?? []
        if (each.mark === ' ') expect(carryLine(hunks, oldLine)).toEqual({ state: 'KEPT', line: newLine })
        if (each.mark === '-') expect(carryLine(hunks, oldLine).state).toBe('REMOVED')
      }
    }),
    seed,
  )
})

test('where chunks end makes no difference', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { maxLength: 4 }), context, chunkSizes, async (lists, lines, sizes) => {
      const text = lists.map((list, index) => diffText(`dir/${index} é.go`, list, lines)).join('text between\n')

      const whole = await read(text)

      expect(await read(text, sizes)).toEqual(whole)
    }),
    seed,
  )
})

test('lines that end in carriage return and newline give the same files', async () => {
  await fc.assert(
    fc.asyncProperty(edits, context, async (list, lines) => {
      const text = diffText('src/x.ts', list, lines)

      const withReturns = await read(text.replaceAll('\n', '\r\n'))

      const { files, result } = await read(text)
      expect(withReturns.result).toEqual(result)
      expect(withReturns.files.map(withoutRange)).toEqual(files.map(withoutRange))
    }),
    seed,
  )
})

test('a diff that is cut anywhere yields a beginning of its files and never throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 2, maxLength: 4 }), fc.nat(), async (lists, at) => {
      const bytes = Buffer.from(lists.map((list, index) => diffText(`f${index}`, list, 3)).join(''))
      const whole = await read(bytes)

      const cut = await read(bytes.subarray(0, at % bytes.length))

      const sound = cut.files.slice(0, -1)
      expect(sound).toEqual(whole.files.slice(0, sound.length))
      expect(cut.result.state === 'PARSED').toBe(cut.result.reason === null)
    }),
    seed,
  )
})

test('damaged bytes end in a state with a reason, and counts that agree with the regions', async () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 3 }), damage, async (lists, changes) => {
      const bytes = Buffer.from(lists.map((list, index) => diffText(`f${index}`, list, 3)).join(''))
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte

      const { files, result } = await read(bytes)

      expect(result.state === 'PARSED').toBe(result.reason === null)
      expect(result.files).toBe(files.length)
      for (const file of files) {
        expect(file.hunks.reduce((sum, hunk) => sum + hunk.newLines, 0)).toBe(file.added)
        expect(file.hunks.reduce((sum, hunk) => sum + hunk.oldLines, 0)).toBe(file.removed)
      }
    }),
    seed,
  )
})

test('bytes of any kind are read without an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), chunkSizes, async (bytes, sizes) => {
      const { result } = await read(Buffer.from(bytes), sizes)

      expect(['NOT_A_DIFF', 'PARSED', 'TRUNCATED']).toContain(result.state)
    }),
    seed,
  )
})

test('regions survive packing', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      const hunks = await hunksOf(list)

      expect(unpackHunks(packHunks(hunks))).toEqual(hunks)
    }),
    seed,
  )
})

// A second edit of what the first one left: keeps, drops or adds around each of its lines.
const followUps = fc.array(fc.constantFrom<Edit['mark']>(' ', ' ', ' ', '-', '+'), { minLength: 1, maxLength: 80 })

function followUp(text: string, marks: readonly Edit['mark'][]): Edit[] {
  const lines = text.split('\n').slice(0, -1)
  const list: Edit[] = []
  for (let turn = 0, line = 0; line < lines.length; turn++) {
    const mark = turn < marks.length * 2 ? (marks[turn % marks.length] ?? ' ') : ' '
    list.push({ mark, text: mark === '+' ? `new ${turn}` : (lines[line] ?? '') })
    if (mark !== '+') line++
  }
  return list
}

test('composed regions carry every line as one diff after the other does', async () => {
  await fc.assert(
    fc.asyncProperty(edits, followUps, async (list, marks) => {
      const { before, after } = sides(list)
      const first = await hunksOf(list)
      const second = await hunksOf(followUp(after, marks))

      const composed = composeHunks(first, second)

      for (let line = 1; line <= before.split('\n').length; line++) {
        const halfway = carryLine(first, line)
        const end = halfway.state === 'KEPT' ? carryLine(second, halfway.line) : halfway
        const carried = carryLine(composed, line)
        expect(carried.state).toBe(end.state)
        if (end.state === 'KEPT') expect(carried).toEqual(end)
      }
      expect(unpackHunks(packHunks(composed))).toEqual(composed)
    }),
    seed,
  )
})

test('composing is associative', async () => {
  await fc.assert(
    fc.asyncProperty(edits, followUps, followUps, async (list, marks, more) => {
      const second = followUp(sides(list).after, marks)
      const [a, b, c] = [await hunksOf(list), await hunksOf(second), await hunksOf(followUp(sides(second).after, more))]

      expect(composeHunks(composeHunks(a, b), c)).toEqual(composeHunks(a, composeHunks(b, c)))
    }),
    seed,
  )
})

test('two diffs of one file, one after the other, read as their composition', async () => {
  await fc.assert(
    fc.asyncProperty(edits, followUps, async (list, marks) => {
      const second = followUp(sides(list).after, marks)
      const text = diffText('x', list, 3) + (second.some((each) => each.mark !== ' ') ? diffText('x', second, 3) : '')

      const { files } = await readComposed(inChunks(Buffer.from(text), [64]))

      expect(files.map((file) => file.hunks)).toEqual([composeHunks(await hunksOf(list), await hunksOf(second))])
    }),
    seed,
  )
})
