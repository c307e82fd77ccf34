// Calls connectors directly: sessions with faked vendors, and a clock that does not wait.

import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/connectors/clock.ts'
import type { Credential, Settings } from '../../src/connectors/kinds.ts'
import type { Session } from '../../src/connectors/session.ts'
import type { Connector } from '../../src/connectors/types.ts'
import { openVendors, type Vendors } from '../../src/connectors/vendors.ts'
import { openLog } from '../../src/core/log.ts'
import { openOutbound } from '../../src/core/outbound.ts'
import { blankSettings } from '../../src/modules/integrations/kinds.ts'
import { standIn } from './vendor-fake.ts'

/** A clock that skips each sleep, and draws the longest jitter. */
export function fastClock(): Clock & { slept: number[] } {
  let ahead = 0
  const slept: number[] = []
  return {
    slept,
    now: () => systemClock.now() + ahead,
    random: () => 0.999,
    async sleep(milliseconds) {
      slept.push(milliseconds)
      ahead += Math.ceil(milliseconds)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** Vendors whose origins are the fakes, with a clock that does not wait, and with their log kept. */
export function fakeVendors(): Vendors & { clock: ReturnType<typeof fastClock>; logged: string[] } {
  const logged: string[] = []
  const log = openLog('debug', { write: (line: string) => void logged.push(line) })
  const clock = fastClock()
  const outbound = openOutbound({ standIn, log })
  onTestFinished(() => outbound.close())
  return { ...openVendors(outbound, log, clock), clock, logged }
}

/** The origin that a connector calls. */
export const originOf = (connector: Connector, settings: Partial<Settings> = {}): string =>
  new URL(connector.base({ ...blankSettings, ...settings })).origin

/** A session of the connector with the credential, for calling its capabilities directly. */
export function fakeSession(
  connector: Connector,
  credential: Credential,
  settings: Partial<Settings> = {},
  { patience = 'JOB' as 'JOB' | 'CALLER', vendors = fakeVendors() as Vendors } = {},
): Session {
  const all = { ...blankSettings, ...settings }
  const credentials = { current: async () => credential, renew: async () => null, reject: async () => {} }
  const base = connector.base(all)
  return {
    client: vendors.client({ connector, base, key: JSON.stringify(credential), credentials, patience }),
    settings: all,
    now: vendors.clock.now,
    sleep: vendors.clock.sleep,
  }
}
