// A DATABASE_URL at which there is no database is told by its name, without its password.

import { expect, test } from 'vitest'
import { migrateDatabase } from '../../src/app.ts'
import { openLog } from '../../src/core/log.ts'

test.each([
  [
    'where nothing listens',
    'postgres://me:hidden@127.0.0.1:1/merlon',
    /\(postgres:\/\/me@127\.0\.0\.1:1\/merlon\) .*ECONNREFUSED/,
  ],
  ['that is no address', 'postgres://me:hidden@[/merlon', /\(no address that can be read\)/],
])('an address %s is refused in a sentence that names the setting', async (_, connectionString, words) => {
  const refusal = await migrateDatabase({ connectionString }, openLog('silent')).catch((error: unknown) => error)

  expect(refusal).toMatchObject({
    message: expect.stringMatching(/^The database of DATABASE_URL .* Check that it runs/),
  })
  expect(String(refusal)).toMatch(words)
  expect(String(refusal)).not.toContain('hidden')
})
