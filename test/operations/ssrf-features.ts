// Every feature that makes outgoing calls, as a function of a hostile address; adding one takes one line.

import { z } from 'zod'
import { systemClock } from '../../src/connectors/clock.ts'
import { hostB } from '../../src/connectors/host-b/index.ts'
import { requestTokens } from '../../src/connectors/oauth.ts'
import { walkLinks, walkNext } from '../../src/connectors/pages.ts'
import { at } from '../../src/connectors/paths.ts'
import { rateTable } from '../../src/connectors/rates.ts'
import type { Connector } from '../../src/connectors/types.ts'
import { openVendors } from '../../src/connectors/vendors.ts'
import { openLog } from '../../src/core/log.ts'
import { openOutbound } from '../../src/core/outbound.ts'
import type { Allowed } from '../../src/core/outbound-address.ts'
import { openOidc } from '../../src/modules/access/oidc.ts'
import { askHost } from '../../src/modules/dynamic-scans/targets.ts'
import { blankSettings } from '../../src/modules/integrations/kinds.ts'
import { scan } from '../../src/scanner/engine.ts'

/** `call` rejects if the address is refused; `controls` are the public addresses that it must reach, in full. */
type Feature = { name: string; call: (address: string) => Promise<unknown>; controls: readonly string[] }

/** The namespace's vendor, which answers over plain HTTP with whatever a hostile vendor could say. */
const VENDOR = 'http://public.example.test'

const bounds = { largest: 10_000, timeout: 3_000 }
const anything = z.unknown()
const oidcClient = { clientId: 'client', clientSecret: 'canary' }
const bound = { state: 'state', nonce: 'nonce', verifier: 'verifier' }
const target = {
  companyId: '1',
  assetId: '1',
  host: 'public.example.test',
  token: 'canary',
  verifiedBy: null,
  verifiedAt: null,
}

/** Sets the next answer of the vendor in the namespace: a redirect, a Link header, a body. */
type Say = (said: { status?: number; headers?: Record<string, string>; body?: string }) => void

export function features(say: Say, controls: readonly string[]): Feature[] {
  // the namespace's vendor has no certificate; permission for plain HTTP does not extend to private addresses
  const allowed: Allowed = { networks: [], hosts: new Set(), plain: new Set(['public.example.test']) }
  const log = openLog('silent')
  const outbound = openOutbound({ allowed, log })

  const connectorAt = (base: string): Connector => ({
    type: 'HOST_B',
    name: 'HostB',
    base: () => base,
    rates: { ...rateTable.HOST_B, requests: 1e9, concurrency: 100 },
    authorization: () => ({ authorization: 'Bearer canary' }),
    oauth: null,
    check: async () => {},
  })
  const client = (base: string, connector = connectorAt(base)) => {
    const credential = { kind: 'TOKEN', token: 'canary' } as const
    const credentials = { current: async () => credential, renew: async () => null, reject: async () => {} }
    // each call has its own circuit breaker and limits
    const vendors = openVendors(outbound, log, { ...systemClock, sleep: async () => {} })
    return vendors.client({ connector, base, key: base, credentials, patience: 'CALLER' })
  }
  const walked = async (pages: AsyncIterable<unknown>) => {
    for await (const _ of pages);
  }

  return [
    { name: 'a call', call: (address) => outbound.call(address, bounds), controls },
    {
      name: 'a POST, as to webhooks and channels',
      call: (address) => outbound.call(address, { ...bounds, method: 'POST', body: '{}' }),
      controls,
    },
    {
      name: 'a redirect to it',
      async call(address) {
        say({ status: 302, headers: { location: headerText(address) } })
        await outbound.call(`${VENDOR}/redirect`, { ...bounds, redirects: 'anywhere' })
      },
      controls,
    },
    {
      name: 'a redirect of a vendor',
      async call(address) {
        say({ status: 307, headers: { location: headerText(address) } })
        await client(VENDOR).get(at`/redirect`, anything, { timeout: 3_000 })
      },
      controls: [],
    },
    {
      name: 'an address of an integration',
      call: async (address) => client(address.replace(/\/$/, '')).get(at`/api`, anything, { timeout: 3_000 }),
      controls,
    },
    {
      name: 'the instance of a host',
      async call(address) {
        const settings = { ...blankSettings, instanceUrl: address.replace(/\/$/, '') }
        const base = hostB.base(settings)
        await client(base, { ...hostB, rates: connectorAt(base).rates }).get(at`/user`, anything, { timeout: 3_000 })
      },
      controls,
    },
    {
      name: 'a diff as it comes',
      async call(address) {
        const { chunks } = await outbound.call(address, { ...bounds, isStreamed: true })
        if (chunks) await walked(chunks)
      },
      controls,
    },
    {
      name: 'a diff that is led elsewhere',
      async call(address) {
        say({ status: 302, headers: { location: headerText(address) } })
        await walked(await client(VENDOR).stream(at`/diff`, { timeout: 3_000 }))
      },
      controls: [],
    },
    {
      name: 'a Link header',
      async call(address) {
        say({ headers: { link: `<${headerText(address)}>; rel="next"` }, body: '{}' })
        await walked(walkLinks(client(VENDOR), { path: at`/list` }, anything))
      },
      controls: [],
    },
    {
      name: 'a next address in a body',
      async call(address) {
        say({ body: JSON.stringify({ next: address }) })
        const page = z.object({ next: z.string() })
        await walked(walkNext(client(VENDOR), { path: at`/list` }, page, ({ next }) => next))
      },
      controls: [],
    },
    {
      name: 'the target of a scan',
      call: (address) => scanOnce(address, allowed),
      controls,
    },
    {
      name: 'a redirect of a target',
      async call(address) {
        say({ status: 302, headers: { location: headerText(address) } })
        await scanOnce(`${VENDOR}/`, allowed)
        // a target's redirects are followed only within its own origin, so only the server inside shows whether the
        // address was called
        throw new Error('A redirect of a target is no refusal')
      },
      controls: [],
    },
    {
      name: 'a token endpoint',
      call: (address) =>
        requestTokens(
          { outbound, clock: systemClock },
          { name: 'HostB', oauth: { tokenUrl: () => address, client: 'basic', pkce: false } },
          blankSettings,
          { clientId: 'client', clientSecret: 'canary', redirectUri: null },
          { code: 'canary', verifier: null },
        ),
      controls,
    },
    {
      name: 'a provider at which people sign in',
      call: async (issuer) => openOidc({ issuer, ...oidcClient }, outbound).addressFor(`${VENDOR}/back`, bound),
      controls,
    },
    {
      name: 'an endpoint that such a provider names',
      async call(address) {
        const named = { issuer: VENDOR, authorization_endpoint: address, token_endpoint: address, jwks_uri: address }
        say({ body: JSON.stringify(named) })
        await openOidc({ issuer: VENDOR, ...oidcClient }, outbound).redeem(`${VENDOR}/back`, 'canary', bound)
      },
      controls,
    },
    {
      name: 'the proof that a target is the asset’s',
      call: (address) => askHost({ outbound }, target, address),
      controls,
    },
  ]
}

/** A scan of a few requests; rejects if it got no answer from the target. */
async function scanOnce(address: string, allowed: Allowed): Promise<void> {
  const { state, requests, failures } = await scan({
    target: address,
    profile: 'BASIC',
    identities: [],
    browser: false,
    budget: { requests: 4, time: 6_000, timeout: 3_000, rate: 1_000 },
    allowed,
  })
  if (requests === 0 || failures === requests) throw new Error(`The scan ended ${state}`)
}

/** Keeps visible ASCII, and encodes everything else as a browser would. */
const headerText = (address: string) => address.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
