// A secret that both reviewers recognise is one finding, and what else is wrong on its line stays another.

import { expect, test } from 'vitest'
import type { CodeObservation } from '../reports/types.ts'
import { reviewDiff } from './run.ts'

const key = Buffer.alloc(32)

async function reviewed(path: string, lines: readonly string[]): Promise<CodeObservation[]> {
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n`
  const found: CodeObservation[] = []
  const source = [Buffer.from(head + lines.map((line) => `+${line}\n`).join(''))]
  for await (const each of reviewDiff(
    (async function* () {
      yield* source
    })(),
    { key },
  ))
    if (each.kind === 'OBSERVATION') found.push(each.observation)
  return found
}

// Put together, so that the project's own review does not take them for secrets.
const random = ['q7Rk2', 'Vz9xT4m', 'Lp8sW1'].join('')
const other = ['Zt5Yb', 'N3cQ8d', 'Hf6Kj2'].join('')

test('a password in code is one finding: the secret, with the higher severity of the two', async () => {
  const found = await reviewed('src/db.js', [
    "const mysql = require('mysql')",
    `const db = mysql.createConnection({ host: 'db', user: 'app', password: '${random}' })`,
  ])

  expect(found).toMatchObject([{ type: 'SECRET_FINDING', ruleId: 'secret/assigned', line: 2, severity: 'HIGH' }])
  expect(found[0]?.description).toContain('javascript/hard-coded-secret')
  expect(JSON.stringify(found)).not.toContain(random)
})

test('a password is one finding in Python too, where an empty one would be a finding as well', async () => {
  const found = await reviewed('src/db.py', [
    'import psycopg2',
    `db = psycopg2.connect(host="db", user="app", password="${random}")`,
  ])

  expect(found).toMatchObject([{ type: 'SECRET_FINDING', ruleId: 'secret/assigned', line: 2, severity: 'HIGH' }])
})

test('a password that does not look like a secret remains a finding of risky code', async () => {
  const found = await reviewed('src/db.js', [
    "const mysql = require('mysql')",
    "const db = mysql.createConnection({ host: 'db', user: 'app', password: 'changed-by-nobody' })",
  ])

  expect(found.map(({ ruleId }) => ruleId)).toEqual(['javascript/hard-coded-secret'])
})

test('another password on the line of a secret remains a finding of its own', async () => {
  const found = await reviewed('src/db.js', [
    "const mysql = require('mysql')",
    `const apiKey = '${random}'; const db = mysql.createConnection({ user: 'app', password: 'changed-by-nobody' })`,
  ])

  expect(found.map(({ ruleId }) => ruleId).sort()).toEqual(['javascript/hard-coded-secret', 'secret/assigned'])
})

test('a secret at two places takes in what risky code says of either', async () => {
  const found = await reviewed('src/db.js', [
    "const mysql = require('mysql')",
    `const password = '${random}'`,
    `mysql.createConnection({ user: 'app', password: '${random}' })`,
    `mysql.createConnection({ user: 'app', password: '${other}' })`,
  ])

  expect(found.map(({ ruleId, line }) => `${line} ${ruleId}`)).toEqual(['2 secret/assigned', '4 secret/assigned'])
})
