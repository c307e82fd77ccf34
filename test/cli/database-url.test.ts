// A DATABASE_URL with no database behind it is reported by its address, without its password, and one that cannot be used by its name.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '../../src/app.ts'
import { openLog } from '../../src/core/log.ts'
import { unique } from '../testkit/client.ts'
import { ownDatabase } from '../testkit/own-database.ts'
import { merlon } from './command.ts'

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

test('a command that works on the database itself says so too', async () => {
  const environment = { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/merlon' }

  const ended = [
    await merlon(['audit', 'verify'], { environment }),
    await merlon(['advisories', 'list'], { environment }),
    await merlon(['root-key', 'rotate'], { environment }),
    await merlon(['backup', join(tmpdir(), unique('merlon-backup'))], { environment }),
  ]

  for (const { code, err } of ended) {
    expect([code, err]).toEqual([1, expect.stringMatching(/^The database of DATABASE_URL \(postgres:\/\/me@127/)])
  }
})

test.each([
  ['whose locale has no small letters but those of English', `encoding 'UTF8'`],
  ['of no encoding', `encoding 'SQL_ASCII'`],
])('a new database %s is refused in a sentence that says how to create it', async (_, encoding) => {
  const database = ownDatabase('letters')
  await database.create(`template template0 ${encoding} locale_provider libc locale 'C'`)
  onTestFinished(database.drop)

  const refusal = await migrateDatabase(database.connection(), openLog('silent')).catch((error: unknown) => error)

  expect(refusal).toMatchObject({ message: expect.stringMatching(/^The database letters_\w+ does not know the small/) })
})
