// Which tests must stand apart: those with a server, database, target or browser of their own. Which ask no database.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importsOf, sources } from './files.ts'

/** Each of these starts something other than the worker's one server and database. */
const OWN = /\b(startService|withService|startWorkingService|startEmbedded|createApp|needChromium|runDynamicScan)\(/

test('a test with a server, a database, a target or a browser of its own stands apart', () => {
  const within = sources()
    .filter((path) => /^(src|test)\/.*\.test\.ts$/.test(path) && !path.endsWith('.apart.test.ts'))
    .filter((path) => OWN.test(readFileSync(path, 'utf8')))

  expect(within).toEqual([])
})

/** The gate runs these on one database only, because they ask none. */
const ENGINES = /^(src\/(diff|reports|review|scanner)|test\/(diff-truth|scanner))\/.*(?<!\.apart)\.test\.ts$/

function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  for (const target of importsOf(path)) {
    if (reached.has(target) || !target.endsWith('.ts')) continue
    reachedFrom(target, reached.add(target))
  }
  return reached
}

test('a test of an engine asks no database', () => {
  const engines = sources().filter((path) => ENGINES.test(path))
  const asking = engines.filter((path) => reachedFrom(path).has('test/testkit/home.ts'))

  expect(engines.length).toBeGreaterThan(90)
  expect(asking).toEqual([])
})
