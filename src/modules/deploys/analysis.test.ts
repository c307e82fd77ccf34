// What is kept of a diff, above all where in it each file stands.

import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { analyseDiff, analysisOf, openAnalysis } from './analysis.ts'

const modified = (path: string, marker: string) =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n keep\n-old\n+${marker}\n`

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const textsOf = async (text: string, size: number) => {
  const { files } = await analyseDiff(inPieces(text, size))
  return [...files].map(({ newPath, oldPath, ranges }) => [
    newPath ?? oldPath,
    ...ranges.map(({ start, end }) => Buffer.from(text).subarray(start, end).toString()),
  ])
}

describe('the analysis of a diff', () => {
  test('tells where each file stands, however the bytes come', async () => {
    const parts = [modified('a.ts', 'één'), modified('b.ts', '- diff --git a/x b/x'), modified('c.ts', 'three')]
    const whole = parts.join('')

    const found = await Promise.all([1, 2, 3, 7, 64, 100_000].map((size) => textsOf(whole, size)))

    for (const texts of found)
      expect(texts).toEqual([
        ['a.ts', parts[0]],
        ['b.ts', parts[1]],
        ['c.ts', parts[2]],
      ])
  })

  test('finds the part of each commit of a log, with what follows its last hunk', async () => {
    const head = (digit: string) => `commit ${digit.repeat(40)}\nAuthor: A <a@example.test>\n\n    diff of things\n\n`
    const log = [
      head('2'),
      modified('a.ts', 'two'),
      '\n',
      head('1'),
      modified('a.ts', 'one'),
      modified('b.ts', 'b'),
    ].join('')

    const [first, second] = await textsOf(log, 50)

    expect(first?.slice(1).map((text) => /\+(two|one)/.exec(String(text))?.[1])).toEqual(['two', 'one'])
    expect(first?.slice(1).every((text) => text?.startsWith('diff --git a/a.ts b/a.ts\n'))).toBe(true)
    expect(second).toEqual(['b.ts', modified('b.ts', 'b')])
  })

  test('tells where a file stands that no git header opens, and nothing of one that had to be decoded', async () => {
    const svn = 'Index: b.ts\n=====\n--- b.ts\t(revision 1)\n+++ b.ts\t(working copy)\n@@ -1 +1 @@\n-old\n+new\n'
    const plain = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n'
    const text = `--- a note\n\n${plain}\n${svn}`

    const found = await Promise.all([1, 7, 1000].map((size) => textsOf(text, size)))
    const wide = await analyseDiff(Readable.from([Buffer.from(`\ufeff${plain}`, 'utf16le')]))

    for (const texts of found) {
      expect(texts).toEqual([
        ['a.ts', plain],
        ['b.ts', svn],
      ])
    }
    expect([...wide.files].map(({ newPath, ranges }) => ({ newPath, ranges }))).toEqual([
      { newPath: 'a.ts', ranges: [] },
    ])
  })

  test('sums up languages, the one with the most lines first', async () => {
    const diff = modified('a.ts', 'x') + modified('b.ts', 'y') + modified('c.py', 'z') + modified('no-language', 'q')

    const { languages, added, removed } = await analyseDiff(inPieces(diff, 1000))

    expect({ added, removed }).toEqual({ added: 4, removed: 4 })
    expect(languages).toEqual([
      { name: 'TypeScript', files: 2, added: 2, removed: 2 },
      { name: 'Python', files: 1, added: 1, removed: 1 },
    ])
  })

  test('composes many commits with a file each, in a time that grows with their number alone', async () => {
    const commits = Array.from({ length: 4000 }, (_, number) =>
      [`commit ${String(number).padStart(40, '0')}`, '', modified(`${number}.ts`, 'x')].join('\n'),
    )

    const { state, files } = await analyseDiff(inPieces(commits.join('\n'), 65_536))

    expect({ state, files: files.length }).toEqual({ state: 'PARSED', files: 4000 })
  })

  test('holds no more of a diff than its bound, and says from which file on it was not read', () => {
    const analysis = openAnalysis(10)
    const before = analysis.heldBytes()

    for (let file = 1; file <= 100; file++) analysis.push(Buffer.from(modified(`${file}.ts`, 'new')))
    const held = analysis.heldBytes() - before
    const { state, reason, files, added } = analysisOf(analysis.end())

    expect([state, added]).toEqual(['TRUNCATED', files.length])
    expect(files.length).toBeLessThan(10)
    expect(reason).toBe(`The diff cannot be read past its file ${files.length}: its changes take more than 10 bytes.`)
    expect(held).toBeLessThan(files.length * 1_000)
  })
})
