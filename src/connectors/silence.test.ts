// A vendor that accepts a request and then says nothing: no caller waits for the full minute of its silence.

import { expect, test } from 'vitest'
import type { Answer } from '../../test/testkit/exchanges.ts'
import { silent } from '../../test/testkit/vendor-answers.ts'
import { serveVendor } from '../../test/testkit/vendor-fake.ts'
import { fakeSession, originOf } from '../../test/testkit/vendor-session.ts'
import { hostA } from './host-a/index.ts'
import { connectors } from './index.ts'
import type { Credential, Settings } from './kinds.ts'
import type { Connector } from './types.ts'

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

/** How a diff ends of which the first line comes and no other. */
async function endOfDiff(): Promise<unknown> {
  const range = { projectId: 'acme/{1}', from: 'a', to: 'b' }
  const diff = await hostA.source?.openDiff(fakeSession(hostA, token), range)
  return Array.fromAsync(diff?.chunks ?? []).then(
    () => 'ANSWERED',
    ({ code }) => code,
  )
}

const halting: Answer = {
  write: (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('diff --git a/x b/x\n'),
}

// one test: both only wait, and can do it together
test('a vendor that is silent for a minute is given up before, whichever it is, and so is a diff that comes to a halt', {
  timeout: 120_000,
}, async () => {
  const all = Object.values(connectors)
  for (const connector of all) {
    await serveVendor(originOf(connector, settings), ({ path }) => (path.includes('/diff/') ? halting : silent()))
  }

  const [diff, ...ends] = await Promise.all([endOfDiff(), ...all.map(endOf)])

  expect(diff).toBe('UPSTREAM_TIMEOUT')
  expect(ends).toHaveLength(6)
  expect(ends).toEqual(all.map(() => ['UPSTREAM_TIMEOUT', 'TIMEOUT']))
})
