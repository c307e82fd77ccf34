// Shows what the reader makes of each form that diffs take.

import { expect, test } from 'vitest'
import { drain, inChunks } from '../../test/diff-truth/edits.ts'
import { readDiff } from '../../test/diff-truth/read.ts'
import type { DiffOptions, PatchFile } from './types.ts'

async function read(text: string | Buffer, options?: DiffOptions) {
  return drain(readDiff(inChunks(Buffer.from(text), [1 << 16]), options))
}

function only(files: readonly PatchFile[]): PatchFile {
  const [file] = files
  if (file === undefined || files.length !== 1) throw new Error(`${files.length} files were read`)
  return file
}

const change = '@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n'

test.each([
  ['a rename', 'diff --git a/a b/c d\nsimilarity index 100%\nrename from a\nrename to c d\n', 'RENAMED', 'a', 'c d'],
  ['a copy', 'diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n', 'COPIED', 'a', 'b'],
  ['a mode', 'diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n', 'MODE_CHANGED', 'x y', 'x y'],
  ['a new file', `diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n`, 'ADDED', null, 'n'],
  ['a gone file', `diff --git a/n b/n\ndeleted file mode 100644\nindex e69de29..0000000\n`, 'DELETED', 'n', null],
  ['binary files', 'diff --git a/i b/i\nindex 1..2 100644\nBinary files a/i and b/i differ\n', 'BINARY', 'i', 'i'],
  [
    'octal bytes',
    `diff --git "a/\\303\\251\\t\\"" "b/\\303\\251\\t\\""\nold mode 1\nnew mode 2\n`,
    'MODE_CHANGED',
    'é\t"',
    'é\t"',
  ],
  ['Latin-1', `diff --git "a/\\351" "b/\\351"\nold mode 1\nnew mode 2\n`, 'MODE_CHANGED', 'é', 'é'],
  ['one quoted side', `diff --git a/x "b/\\tx"\nrename from x\nrename to "\\tx"\n`, 'RENAMED', 'x', '\tx'],
  ['--no-prefix', `diff --git src/x src/x\n--- src/x\n+++ src/x\n${change}`, 'MODIFIED', 'src/x', 'src/x'],
  [
    'mnemonic prefixes',
    `diff --git i/src/x w/src/x\n--- i/src/x\n+++ w/src/x\n${change}`,
    'MODIFIED',
    'src/x',
    'src/x',
  ],
  ['a tab after the name', `diff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n${change}`, 'MODIFIED', 'x y', 'x y'],
  ['two names', `diff --git a/x b/y\n--- a/x\n+++ b/y\n${change}`, 'RENAMED', 'x', 'y'],
  ['time stamps', `--- a/x\t2020-01-01 10:00:00 +0100\n+++ b/x\t2020-01-02\n${change}`, 'MODIFIED', 'x', 'x'],
  ['directories', `--- old-1.0/src/x 2020-01-01 10:00:00\n+++ new/src/x\n${change}`, 'MODIFIED', 'src/x', 'src/x'],
  [
    'svn',
    `Index: src/x\n====\n--- src/x\t(revision 1)\n+++ src/x\t(working copy)\n${change}`,
    'MODIFIED',
    'src/x',
    'src/x',
  ],
  ['/dev/null', `--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n`, 'ADDED', null, 'x'],
  [
    'an epoch',
    `--- a/x\t2020-01-01 00:00:00 +0000\n+++ b/x\t1970-01-01 01:00:00 +0100\n@@ -1 +0,0 @@\n-one\n`,
    'DELETED',
    'x',
    null,
  ],
  [
    'svn, a new file',
    `--- src/x\t(revision 0)\n+++ src/x\t(revision 2)\n@@ -0,0 +1 @@\n+one\n`,
    'ADDED',
    null,
    'src/x',
  ],
  ['a copy kept beside', `--- src/x.orig\n+++ src/x\n${change}`, 'MODIFIED', 'src/x', 'src/x'],
])('%s gives kind and paths', async (_form, text, kind, oldPath, newPath) => {
  const { files, result } = await read(text)

  expect(result).toMatchObject({ state: 'PARSED', reason: null, files: 1 })
  expect(only(files)).toMatchObject({ kind, oldPath, newPath })
})

test('a binary patch is passed over and its file is binary', async () => {
  const data = 'literal 6\nNcmZQzWMXDvWB>pF0RR91\n\nliteral 0\nHcmV?d00001\n\n'
  const text = `diff --git a/i b/i\nindex 1..2 100644\nGIT binary patch\n${data}`

  const { files, result } = await read(`${text}diff --git a/x b/x\n--- a/x\n+++ b/x\n${change}`)

  expect(result).toMatchObject({ state: 'PARSED', files: 2 })
  expect(files[0]).toMatchObject({ binary: true, kind: 'BINARY', added: 0, hunks: [] })
})

test('content that looks like headers stays content, and the end without a newline is marked, not counted', async () => {
  const body = '--- a/y\n+++ b/y\n-diff --git a/x b/x\n\\ No newline at end of file\n+@@ -1 +1 @@\n'
  const text = `--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n${body}\\ No newline at end of file\n`

  const { files } = await read(text)

  expect(only(files)).toMatchObject({ added: 2, removed: 2, language: 'SQL' })
  expect(only(files).hunks).toEqual([{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2 }])
})

test('regions are minimal and start on the line before where a side has none', async () => {
  const body = ' a\n+b\n c\n-d\n-e\n f\n-g\n+h\n'
  const text = `--- a/x\n+++ b/x\n@@ -4,6 +4,5 @@ f()\n${body}@@ -20,2 +19 @@\n-u\n v\n`

  const { files } = await read(text)

  expect(only(files).hunks).toEqual([
    { oldStart: 4, oldLines: 0, newStart: 5, newLines: 1 },
    { oldStart: 6, oldLines: 2, newStart: 6, newLines: 0 },
    { oldStart: 9, oldLines: 1, newStart: 8, newLines: 1 },
    { oldStart: 20, oldLines: 1, newStart: 18, newLines: 0 },
  ])
})

test('a diff in UTF-16, as some shells write it, reads like one in UTF-8', async () => {
  const text = `diff --git a/é.ts b/é.ts\r\n--- a/é.ts\r\n+++ b/é.ts\r\n${change.replaceAll('\n', '\r\n')}`

  const wide = await read(Buffer.from(`\ufeff${text}`, 'utf16le'))
  const marked = await read(`\ufeff${text}`)
  const plain = await read(text)

  expect(wide).toEqual({ ...plain, files: plain.files.map((file) => ({ ...file, range: null })) })
  expect(marked.files.map(({ range }) => range)).toEqual([{ start: 3, end: 3 + Buffer.byteLength(text) }])
  expect(marked.result).toEqual(plain.result)
  expect(only(wide.files).newPath).toBe('é.ts')
})

test('commit headers number the commits, and what stands around the diffs is passed over', async () => {
  const id = (digit: string) => digit.repeat(40)
  const patch = `diff --git a/x b/x\n--- a/x\n+++ b/x\n${change}`
  const mail = (digit: string) =>
    `From ${id(digit)} Mon Sep 17 00:00:00 2001\nSubject: y\n\ncommit ${id('f')} upstream.\n---\n x | 2 +-\n\n${patch}-- \n2.50\n\n`

  const { files, result } = await read(mail('1') + mail('2'))

  expect(result).toMatchObject({ state: 'PARSED', files: 2, added: 2, removed: 2 })
  expect(files.map((file) => [file.commit, file.commitId])).toEqual([
    [0, id('1')],
    [1, id('2')],
  ])
})

test('a combined diff is read against the first parent', async () => {
  const header = 'diff --cc x.py\nindex 1,2..3\n--- a/x.py\n+++ b/x.py\n@@@ -1,4 -1,3 +1,4 @@@\n'
  const body = '  same\n- ours\n -theirs\n++merged\n +ours only\n- dropped\n+ theirs only\n'

  const { files, result } = await read(`${header}${body}`)

  expect(result).toMatchObject({ state: 'PARSED', added: 2, removed: 2 })
  expect(only(files)).toMatchObject({ oldPath: 'x.py', newPath: 'x.py', kind: 'MODIFIED' })
  expect(only(files).hunks).toEqual([
    { oldStart: 2, oldLines: 1, newStart: 2, newLines: 1 },
    { oldStart: 4, oldLines: 1, newStart: 4, newLines: 1 },
  ])
})

test('a dense combined diff carries what follows a hidden change to its place', async () => {
  const header = 'diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -10,3 -10,3 +15,3 @@@\n'

  const { files } = await read(`${header}  a\n- b\n -c\n++d\n  e\n`)

  const [hidden, shown] = only(files).hunks
  expect(hidden).toEqual({ oldStart: 9, oldLines: 0, newStart: 10, newLines: 5 })
  expect(shown).toEqual({ oldStart: 11, oldLines: 1, newStart: 16, newLines: 1 })
})

test.each(['', 'commit 0123456789012345678901234567890123456789\n\n    nothing\n'])(
  'no change is a diff',
  async (text) => {
    const { result } = await read(text)

    expect(result).toEqual({ state: 'PARSED', reason: null, files: 0, added: 0, removed: 0 })
  },
)

test.each([
  '{"diff": "--- a"}',
  'some text\n',
  '--- only\n+++ names\n',
  '@@ -1 +1 @@\n-a\n+b\n',
  '\0\0\0',
  '1c1\n< a\n---\n> b\n',
])('what is no diff says so: %j', async (text) => {
  const { files, result } = await read(text)

  expect(files).toEqual([])
  expect(result).toMatchObject({ state: 'NOT_A_DIFF', reason: expect.stringMatching(/\.$/) })
})

const sound = `diff --git a/first b/first\n--- a/first\n+++ b/first\n${change}`

test.each([
  ['an end within a hunk', '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n', 'past line 11: the input ends within a hunk'],
  ['an unknown mark', '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n*b\n', 'past line 12: a hunk line starts with neither'],
  ['too many lines', '--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n a\n+b\n', 'past line 12: a hunk holds more lines'],
  ['a hunk without changes', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n', 'a hunk changes nothing'],
  ['overlapping hunks', `--- a/x\n+++ b/x\n${change}@@ -2 +2 @@\n-a\n+b\n`, 'starts before the end'],
  ['a hunk without a file', 'text\n@@ -1 +1 @@\n-a\n+b\n', 'past line 9: a hunk has no file header'],
  [
    'a new file with old lines',
    `diff --git a/x b/x\nnew file mode 1\n--- /dev/null\n+++ b/x\n${change}`,
    'old content',
  ],
  ['a header cut short', 'diff --git a/x b/x\nindex 1..2 100644\n', 'ends within a file header'],
  [
    'a name that disagrees',
    `diff --git a/x b/y\nrename from x\nrename to y\n--- a/z\n+++ b/y\n${change}`,
    'in two ways',
  ],
  ['no name', 'diff --git a/x b/y\nold mode 1\nnew mode 2\n', 'names no file'],
  [
    'a binary patch cut short',
    'diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 6\n',
    'within a binary patch',
  ],
  ['binary garbage', 'diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 6\nA!\n', 'not base 85'],
  ['an endless header', `diff --git a/${'x'.repeat(70_000)} b/x\n`, 'longer than 65536 bytes'],
])('%s ends the reading with its reason, after the files before it', async (_fault, text, reason) => {
  const { files, result } = await read(sound + text)

  expect(files.map((file) => file.newPath)).toEqual(['first'])
  expect(result).toMatchObject({ state: 'TRUNCATED', files: 1, added: 1, removed: 1 })
  expect(result.reason).toContain(reason)
})

test('bounds on files and on regions end the reading', async () => {
  const regions = `--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\n c\n-d\n+e\n`

  const files = await read(sound + sound, { maxFiles: 1 })
  const hunks = await read(sound + regions, { maxHunks: 1 })

  expect(files.result).toMatchObject({ state: 'TRUNCATED', reason: expect.stringContaining('more than 1 files') })
  expect(hunks.result).toMatchObject({
    state: 'TRUNCATED',
    reason: expect.stringContaining('more than 1 change regions'),
  })
  expect([files.files.length, hunks.files.length]).toEqual([1, 1])
})
