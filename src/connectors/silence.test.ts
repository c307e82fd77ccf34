// Vendors that take a request and say nothing any more: no caller waits for the minute that they are silent.

import { expect, test } from 'vitest'
import { silent } from '../../test/testkit/vendor-answers.ts'
import { fakeSession, originOf, serveVendor } from '../../test/testkit/vendor-fake.ts'
import { hostA } from './host-a/index.ts'
import { connectors } from './index.ts'
import type { Connector, Credential, Settings } from './types.ts'

const token: Credential = { kind: 'TOKEN', token: 'token' }
const keys: Credential = { kind: 'KEY_PAIR', accessKey: 'access', secretKey: 'secret' }
const settings: Partial<Settings> = { organizationName: 'acme', region: 'EU_1' }

/** How a call ends at which nothing ever comes, for a person who waits. */
async function endOf(connector: Connector): Promise<unknown> {
  const credential = connector.type === 'SCANNER_A' ? keys : token
  const session = fakeSession(connector, credential, settings, { patience: 'CALLER' })
  return connector.check(session).then(
    () => 'ANSWERED',
    ({ code, kind }) => [code, kind],
  )
}

test('a vendor that is silent for a minute is given up before, whichever it is', { timeout: 60_000 }, async () => {
  const all = Object.values(connectors)
  for (const connector of all) await serveVendor(originOf(connector, settings), silent)

  const ends = await Promise.all(all.map(endOf))

  expect(ends).toHaveLength(6)
  expect(ends).toEqual(all.map(() => ['UPSTREAM_TIMEOUT', 'TIMEOUT']))
})

test('a diff that comes to a halt is given up', { timeout: 60_000 }, async () => {
  await serveVendor('https://api.bitbucket.org', () => ({
    write: (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('diff --git a/x b/x\n'),
  }))
  const range = { projectId: 'acme/{1}', from: 'a', to: 'b' }

  const diff = await hostA.source?.openDiff(fakeSession(hostA, token), range)

  await expect(Array.fromAsync(diff?.chunks ?? [])).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
})
