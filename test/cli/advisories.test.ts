// How an operator fills the catalogue of vulnerable packages: from files, and from where the archives are published.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { zipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { WRONG_USE } from '../../src/cli/exit.ts'
import { home } from '../testkit/home.ts'
import { merlon } from './command.ts'

/** The database of the test, as an operator names it. */
function databaseUrl(): string {
  const { connectionString, host = '', port, user, database, password } = home().connection
  if (connectionString) return connectionString
  const credentials = `${user}${password ? `:${encodeURIComponent(password)}` : ''}`
  return `postgres://${credentials}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

const advisory = (id: string, name: string) => ({
  id,
  modified: '2026-01-01T00:00:00Z',
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.3' }] }],
    },
  ],
})

test('an archive is fetched from its address and imported once, and a missing one is reported', async () => {
  const record = Buffer.from(JSON.stringify(advisory('GHSA-fetched', 'fetched-package')))
  const archive = zipSync({ 'one.json': record })
  const server = createServer((request, response) => {
    if (request.url === '/npm/all.zip') response.end(archive)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const environment = { DATABASE_URL: databaseUrl() }

  const first = await merlon(['advisories', 'fetch', `${at}/npm/all.zip`], { environment })
  const again = await merlon(['advisories', 'fetch', `${at}/npm/all.zip`], { environment })
  const missing = await merlon(['advisories', 'fetch', `${at}/gone.zip`], { environment })
  const archives = await merlon(['advisories', 'archives'], {
    environment: { ...environment, MERLON_ADVISORIES_URL: `${at}/npm/all.zip` },
  })
  const plain = await merlon(['advisories', 'fetch', 'http://mirror.example.test/all.zip'], { environment })

  expect([first.code, first.out]).toEqual([0, expect.stringContaining('1 record read, 1 written')])
  expect(again.out).toContain('0 written, 1 known already')
  // what a person fetched is not what the service does by itself
  expect([archives.code, archives.out]).toEqual([0, expect.stringMatching(/ADDRESS .*FETCHED.*\n.*all\.zip +never/)])
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('the answer was 404')])
  expect([plain.code, plain.err]).toEqual([WRONG_USE, expect.stringContaining('not an https address')])
})

test('a file in which nothing is an advisory is refused', async () => {
  const ended = await merlon(['advisories', 'import', 'README.md'], { environment: { DATABASE_URL: databaseUrl() } })

  expect(ended).toMatchObject({ code: 1, out: '', err: 'README.md contains no readable OSV advisory\n' })
})
