// Credentials that a vendor revoked: each of the six marks its integration broken, once, and nothing is sent until there is another.

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keep, node, openKept, replaceCredential, reread } from '../../../test/testkit/kept-integrations.ts'
import { fakeVendor, get, json, type Step } from '../../../test/testkit/vendor-fake.ts'
import { originOf } from '../../../test/testkit/vendor-session.ts'
import { connectors } from '../../connectors/index.ts'
import type { ConnectorType, Settings } from '../../connectors/kinds.ts'
import type { KeptCredential } from './kinds.ts'

const random = () => randomBytes(8).toString('hex')
const newToken = (): KeptCredential => ({ kind: 'TOKEN', token: random() })
const newKeys = (): KeptCredential => ({ kind: 'KEY_PAIR', accessKey: random(), secretKey: random() })

type Revoking = { settings: Partial<Settings>; newCredential: () => KeptCredential; good: Step }

const jsonapi = { version: '1.0' }
const user = { id: 'a3952187-0d8e-45d8-9aa2-036642857b5b', type: 'user', attributes: { name: 'M' } }
const each = {
  HOST_A: { settings: {}, newCredential: newToken, good: get('/2.0/user/workspaces', json({ values: [] })) },
  HOST_B: { settings: {}, newCredential: newToken, good: get('/api/v4/user', json({ id: 1 })) },
  BOARDS_TRACKER: {
    settings: { organizationName: 'acme' },
    newCredential: newToken,
    good: get('/acme/_apis/projects', json({ count: 0, value: [] })),
  },
  TASK_TRACKER: { settings: {}, newCredential: newToken, good: get('/api/v2/team', json({ teams: [] })) },
  SCANNER_A: { settings: {}, newCredential: newKeys, good: get('/vulns/export/status', json({ exports: [] })) },
  SCANNER_B: {
    settings: { region: 'EU_1' },
    newCredential: newToken,
    good: get('/rest/self', json({ jsonapi, data: user, links: {} })),
  },
} as const satisfies Record<ConnectorType, Revoking>

test.each(Object.values(connectors).map((connector) => [connector.name, connector] as const))(
  'a credential of %s that is refused marks the integration broken, nothing is sent any more, and another one works',
  async (_, connector) => {
    const { settings, newCredential, good } = each[connector.type]
    const parts = await node()
    const integration = await keep(parts, { connector, settings }, newCredential())
    const refused = { ...good, answer: json({}, { status: 401 }) }
    await fakeVendor(originOf(connector, settings), [refused, good])

    const first = connector.check(await openKept(parts, integration))
    await expect(first).rejects.toMatchObject({ kind: 'CREDENTIAL' })
    const { brokenSince } = await reread(parts, integration)
    await expect(openKept(parts, integration)).rejects.toThrow('is refused by its vendor')
    await replaceCredential(parts, integration, newCredential())
    await connector.check(await openKept(parts, integration))

    expect([brokenSince, (await reread(parts, integration)).brokenSince]).toEqual([expect.any(String), null])
  },
)
