// How a diff goes through reviewers: by file, by line, whatever its form, and what is too large is noted.

import { expect, test } from 'vitest'
import { type ReviewOptions, reviewDiff } from './run.ts'
import type { ChangedFile, Found, Reviewer } from './types.ts'

const key = Buffer.alloc(32)

async function reviewed(diff: string | Buffer, reviewers: readonly Reviewer[], options: Partial<ReviewOptions> = {}) {
  const bytes = Buffer.from(diff)
  const found: Found[] = []
  const reading = reviewDiff(pieces(bytes, 100), { key, reviewers, ...options })
  for (;;) {
    const next = await reading.next()
    if (next.done) return { found, result: next.value }
    found.push(next.value)
  }
}

async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function keeping(files: ChangedFile[]): Reviewer {
  const read = (file: ChangedFile) => {
    file.hunks()
    files.push(file)
    return []
  }
  return { name: 'keeping', accepts: () => true, read }
}

const lines = (file: ChangedFile | undefined) =>
  file?.hunks().flatMap((hunk) => hunk.lines.map(({ mark, number, text }) => `${mark}${number} ${text}`))

const twoFiles = `diff --git a/one.js b/one.js
index 1111111..2222222 100644
--- a/one.js
+++ b/one.js
@@ -1,3 +1,3 @@ function one() {
 first
-second
+2nd
 third
@@ -10,2 +10,3 @@
 tenth
+tenth and a half
 eleventh
diff --git a/old.txt b/old.txt
deleted file mode 100644
index 1111111..0000000
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
`

test('A reviewer sees each file with its added, removed and unchanged lines under their numbers', async () => {
  const files: ChangedFile[] = []

  const { result } = await reviewed(twoFiles, [keeping(files)])

  expect(result).toMatchObject({ state: 'PARSED', files: 2 })
  expect(files.map(({ path, kind, newPath }) => ({ path, kind, newPath }))).toEqual([
    { path: 'one.js', kind: 'MODIFIED', newPath: 'one.js' },
    { path: 'old.txt', kind: 'DELETED', newPath: null },
  ])
  expect(files[0]?.hunks()[0]?.heading).toBe('function one() {')
  expect(lines(files[0])).toEqual([
    ' 1 first',
    '-2 second',
    '+2 2nd',
    ' 3 third',
    ' 10 tenth',
    '+11 tenth and a half',
    ' 12 eleventh',
  ])
  expect(lines(files[1])).toEqual(['-1 gone'])
})

test('A diff in UTF-16 is reviewed as one in UTF-8', async () => {
  const files: ChangedFile[] = []

  await reviewed(Buffer.from(`\ufeff${twoFiles}`, 'utf16le'), [keeping(files)])

  expect(lines(files[1])).toEqual(['-1 gone'])
})

test('A merge is shown as a change against its first parent', async () => {
  const files: ChangedFile[] = []
  const merge = `diff --cc merged.txt
index 1111111,2222222..3333333
--- a/merged.txt
+++ b/merged.txt
@@@ -1,3 -1,2 +1,3 @@@
  same
- ours
 -theirs
++both
 +new
`

  await reviewed(merge, [keeping(files)])

  expect(lines(files[0])).toEqual([' 1 same', '-2 ours', '+2 both', ' 3 new'])
})

test('A file whose part is too large is noted and the others are reviewed', async () => {
  const files: ChangedFile[] = []
  const large = `diff --git a/large b/large
new file mode 100644
--- /dev/null
+++ b/large
@@ -0,0 +1,100 @@
${'+0123456789\n'.repeat(100)}`

  const { found } = await reviewed(large + twoFiles, [keeping(files)], { maxFileBytes: 500 })

  expect(files.map(({ path }) => path)).toEqual(['one.js', 'old.txt'])
  expect(found).toMatchObject([{ kind: 'NOTE', note: { kind: 'UNREAD', path: 'large' } }])
})

test('A reviewer that fails on a file is noted and the others go on', async () => {
  const files: ChangedFile[] = []
  const failing: Reviewer = {
    name: 'failing',
    accepts: ({ path }) => path === 'one.js',
    read: () => {
      throw new Error('no')
    },
  }

  const { found } = await reviewed(twoFiles, [failing, keeping(files)])

  expect(files).toHaveLength(2)
  expect(found).toMatchObject([{ note: { kind: 'UNREAD', path: 'one.js', area: 'failing' } }])
})

test('A review stops when it is told to', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))

  await expect(reviewed(twoFiles, [], { signal })).rejects.toThrow('stopped')
})
