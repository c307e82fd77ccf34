// Shows how the files of several commits become one change each.

import { expect, test } from 'vitest'
import { readComposed } from '../../test/diff-truth/composed.ts'
import { inChunks } from '../../test/diff-truth/edits.ts'
import { carryLine, isReplaced } from './line-map.ts'

const read = (text: string) => readComposed(inChunks(Buffer.from(text), [1 << 16]))

const patch = (path: string, hunk: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunk}`
const commit = (digit: string) => `commit ${digit.repeat(40)}\n\n    message\n\n`
const added = (path: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,2 @@\n+a\n+b\n`
const deleted = (path: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n`
const renamed = (from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`

test('one commit comes through as it is', async () => {
  const { files, result } = await read(commit('1') + patch('x', '@@ -1 +1,2 @@\n+a\n b\n'))

  expect(result).toMatchObject({ state: 'PARSED', added: 1, removed: 0 })
  expect(files[0]).toMatchObject({ newPath: 'x', hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }] })
})

test('a log without blob ids is taken newest first', async () => {
  const { files } = await read(commit('2') + renamed('b', 'c') + commit('1') + renamed('a', 'b'))

  expect(files).toMatchObject([{ oldPath: 'a', newPath: 'c', kind: 'RENAMED' }])
})

test('blob ids tell the order, whatever the form', async () => {
  const step = (from: string, to: string, hunk: string) =>
    `diff --git a/x b/x\nindex ${from}..${to} 100644\n--- a/x\n+++ b/x\n${hunk}`
  const first = commit('1') + step('aaaa', 'bbbb', '@@ -0,0 +1 @@\n+one\n')
  const second = commit('2') + step('bbbb', 'cccc', '@@ -1 +0,0 @@\n-one\n')

  const forward = await read(first + second)
  const backward = await read(second + first)

  expect(forward.files[0]).toMatchObject({ added: 0, removed: 0, hunks: [] })
  expect(backward).toEqual(forward)
})

test('a file that came and went is left out, and one that went and came back is modified', async () => {
  const { files } = await read(added('new') + deleted('new') + deleted('old') + added('old'))

  expect(files).toMatchObject([{ oldPath: 'old', newPath: 'old', kind: 'MODIFIED', added: 2, removed: 2 }])
})

test('no line of a file that became a symbolic link gave way to one of the link', async () => {
  const link = added('x').replace('100644', '120000')

  const { files } = await read(deleted('x') + link)
  const edited = await read(
    `${commit('1') + patch('x', '@@ -1 +1,2 @@\n+0\n a\n')}${commit('2')}${deleted('x')}${link}`,
  )

  const [file] = files
  expect(file).toMatchObject({ oldPath: 'x', newPath: 'x', kind: 'MODIFIED', added: 2, removed: 2 })
  expect([1, 2].map((line) => carryLine(file?.hunks ?? [], line).state)).toEqual(['REMOVED', 'REMOVED'])
  expect([1, 2].map((line) => isReplaced(file?.hunks ?? [], line))).toEqual([false, false])
  expect(isReplaced(edited.files[0]?.hunks ?? [], 1)).toBe(false)
})

test('files that swap names in one commit keep their own lines', async () => {
  const { files } = await read(commit('1') + renamed('a', 'b') + renamed('b', 'a'))

  expect(files.map((file) => [file.oldPath, file.newPath])).toEqual([
    ['a', 'b'],
    ['b', 'a'],
  ])
})

test('a file renamed onto a deleted one leaves the deletion standing', async () => {
  const { files } = await read(deleted('b') + commit('2') + renamed('a', 'b'))

  expect(files.map((file) => [file.oldPath, file.newPath]).sort()).toEqual([
    ['a', 'b'],
    ['b', null],
  ])
})
