// How a diff's code is reviewed: what it observes, and what it leaves out.

import { expect, test } from 'vitest'
import { type ReviewOptions, reviewDiff } from '../run.ts'
import type { Found } from '../types.ts'
import { code } from './reviewer.ts'

const options: ReviewOptions = { key: Buffer.alloc(32), reviewers: [code] }

async function reviewed(diff: string): Promise<Found[]> {
  const found: Found[] = []
  for await (const each of reviewDiff(bytesOf(diff), options)) found.push(each)
  return found
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const diffOf = (path: string, body: string) => `diff --git a/${path} b/${path}
index 1111111..2222222 100644
--- a/${path}
+++ b/${path}
${body}
`

test('A risk is observed with its way from the source, at the line after the change', async () => {
  const diff = diffOf(
    'src/users.js',
    `@@ -10,3 +10,5 @@ app.get('/u', (req, res) => {
   const id = req.query.id
-  db.query('select 1')
+  const sql = 'select * from t where id = ' + id
+  // ask
+  db.query(sql)
   res.end()`,
  )

  const found = await reviewed(diff)

  expect(found).toMatchObject([
    {
      kind: 'OBSERVATION',
      observation: {
        type: 'SAST_FINDING',
        ruleId: 'javascript/sql-injection',
        severity: 'HIGH',
        cweIds: [89],
        fileName: 'src/users.js',
        line: 13,
        firstLine: 11,
        source: 'src/users.js:10 const id = req.query.id',
        sink: 'src/users.js:13 db.query(sql)',
        flow: [{ line: 10, text: 'const id = req.query.id' }, { line: 11 }, { line: 13, text: 'db.query(sql)' }],
        otherPlaces: [
          { fileName: 'src/users.js', line: 10 },
          { fileName: 'src/users.js', line: 11 },
        ],
      },
    },
  ])
})

test.each(['test/users.test.js', 'src/testdata/users.js', 'src/users-tests.js'])(
  'A risk in tests weighs less: %s',
  async (path) => {
    const diff = diffOf(path, '@@ -1,0 +1,1 @@\n+eval(req.query.code)')

    const found = await reviewed(diff)

    expect(found).toMatchObject([{ observation: { severity: 'HIGH' } }])
  },
)

test('A secret in a test weighs as little as the detectors of secrets give it', async () => {
  const diff = diffOf('test/sign-in.test.js', "@@ -1,0 +1,1 @@\n+const dbPassword = 'Winter2031!'")

  const found = await reviewed(diff)

  expect(found).toMatchObject([{ observation: { ruleId: 'javascript/hard-coded-secret', severity: 'LOW' } }])
})

test('What is removed, what stood there before, and what others made is not reported', async () => {
  const removed = diffOf('a.js', '@@ -1,2 +1,1 @@\n-eval(req.query.code)\n x()')
  const before = diffOf('b.js', '@@ -1,2 +1,3 @@\n eval(req.query.code)\n+y()\n x()')
  const vendored = diffOf('vendor/c.js', '@@ -0,0 +1,1 @@\n+eval(req.query.code)')

  expect(await reviewed(removed + before + vendored)).toEqual([])
})

test('A secret that a finding is about is masked wherever it is shown', async () => {
  const diff = diffOf('a.py', "@@ -1,0 +1,1 @@\n+SECRET_KEY = 'a-very-secret-key-of-ours'")

  const found = await reviewed(diff)

  expect(found).toMatchObject([
    { observation: { ruleId: 'python/hard-coded-secret', codeSnippet: "SECRET_KEY = 'a-v*****rs'" } },
  ])
  expect(JSON.stringify(found)).not.toContain('very-secret')
})

test('What a comment allows is not reported', async () => {
  const same = diffOf('a.js', '@@ -1,0 +1,1 @@\n+eval(req.query.code) // merlon:allow a console of ours')
  const before = diffOf('b.js', '@@ -1,0 +1,2 @@\n+// merlon:allow a console of ours\n+eval(req.query.code)')

  expect(await reviewed(same + before)).toEqual([])
})

test('Bundled code is noted as not read', async () => {
  const diff = diffOf('dist/app.js', `@@ -0,0 +1,1 @@\n+eval(req.query.code)${' '.repeat(6000)}`)

  expect(await reviewed(diff)).toMatchObject([{ kind: 'NOTE', note: { kind: 'UNREAD', path: 'dist/app.js' } }])
})

test('A script without an extension is read in the language that its first line names, anything else is not', async () => {
  const body = (head: string) => `@@ -0,0 +1,3 @@
+${head}
+const { exec } = require('child_process')
+require('http').createServer((req) => exec('ls ' + req.url))`

  const script = await reviewed(diffOf('bin/serve', body('#!/usr/bin/env node')))
  const others = await reviewed(
    diffOf('bin/serve', body('#!/bin/sh')) + diffOf('bin/serve.txt', body('#!/usr/bin/env node')),
  )

  expect(script).toMatchObject([{ observation: { ruleId: 'javascript/command-injection', line: 3 } }])
  expect(others).toEqual([])
})
