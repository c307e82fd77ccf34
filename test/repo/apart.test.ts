// Which tests must stand apart: those with a server, database, target or browser of their own.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from './files.ts'

/** Each of these starts something other than the worker's one server and database. */
const OWN = /\b(startService|withService|startWorkingService|startEmbedded|createApp|needChromium|runDynamicScan)\(/

test('a test with a server, a database, a target or a browser of its own stands apart', () => {
  const within = sources()
    .filter((path) => /^(src|test)\/.*\.test\.ts$/.test(path) && !path.endsWith('.apart.test.ts'))
    .filter((path) => OWN.test(readFileSync(path, 'utf8')))

  expect(within).toEqual([])
})
