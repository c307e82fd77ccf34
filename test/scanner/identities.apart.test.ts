// Findings are known by words that no title or sentence shares, so that those can be put better and every decision about them stays.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const REPOSITORY = '[core]\n\trepositoryformatversion = 0\n'
const LEDGER = '<h1>Ledger</h1><table><tr><td>Tea</td><td>40.00</td></tr></table>'
const KEY = 'AKIAIOSFODNN7EXAMPLE'

const ledger =
  (isOpen: (path: string, role: string | null) => boolean): Handler =>
  ({ path, query }) =>
    isOpen(path, query.get('admin')) ? [200, LEDGER] : path === '/ledger' ? [403, 'no'] : [404, '']

test.each<[check: string, cause: (origin: string) => string, service: Handler]>([
  [
    'hidden-file',
    (origin) => `${origin} A Git repository is handed out`,
    ({ path }) => (path === '/.git/config' ? [200, REPOSITORY, { 'content-type': 'text/plain' }] : [404, '']),
  ],
  ['secret-in-answer', () => `an AWS key ${KEY}`, () => [200, `<p>${KEY}</p>`]],
  [
    'claimed-access',
    () => 'With parameters that say that an administrator asks',
    ledger((path, role) => path === '/ledger' && role === 'true'),
  ],
  ['path-variant', () => 'with a slash at its end', ledger((path) => path === '/ledger/')],
])('a finding of %s keeps the fingerprint that it had under its first title', async (check, causeOf, service) => {
  const [found] = await findingsOf(service, [check], { 'GET /ledger': {} })

  const cause = causeOf(new URL(found?.url ?? '').origin)
  expect(found?.fingerprint).toBe(
    createHash('sha256')
      .update(JSON.stringify([check, cause]))
      .digest('hex'),
  )
})
