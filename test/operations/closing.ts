// A vulnerable service is scanned twice, fixed at the same address, scanned twice more, and broken again: what each scan finds,
// closes and reopens.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { credentials, launch, type Target } from '../targets/launch.ts'
import { type Access, ask, run as asked, type Data, isDone, unique } from './client.ts'
import { newEmbeddedPlace, somePort, startServer } from './server.ts'
import { type Home, newHome } from './writes.ts'

const SAVE = `mutation ($input: CreateOrUpdateScannerConfigurationInput!) { createOrUpdateScannerConfiguration(input: $input) {
  scannerConfiguration { id } } }`
const START = `mutation ($input: StartPlatformDastInput!) { startPlatformDast(input: $input) { controlSyncStatus { id } } }`
const SCAN = `query ($id: ID!) { controlSyncStatus(id: $id) { status failureReason
  dynamicScan { ending requests operations notes } } }`
const SECRET = `mutation ($input: CreateSecretInput!) { createSecret(input: $input) { secret { id } } }`

/**
 * `signIn` is the form's page, or the address that takes JSON credentials; `mostOpen` is how many findings may stay
 * open because their operation is no longer linked, or because a limit hides it.
 */
const ways = [
  { name: 'pages', signIn: '/signin', isDescribed: false, mostOpen: 8 },
  { name: 'OpenAPI', signIn: '/api/login', isDescribed: true, mostOpen: 0 },
] as const

/** A secret must name the fields of the form; an address that takes JSON has none. */
const FIELDS = { usernameSelector: '[name=username]', passwordSelector: '[name=password]' }

type Way = (typeof ways)[number]

/** Also found in the fixed service, because it serves its form over plain HTTP on the loopback address. */
const OF_PLAIN_HTTP = 'insecure-form'

/** A fixed address in front of whatever target is served. */
type Front = { url: string; serve: (target: Target) => void; close: () => void }

async function openFront(): Promise<Front> {
  let port = 0
  const server = createServer((socket) => {
    pipeline(socket, connect(port, '127.0.0.1'), socket, () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    serve: (target) => {
      port = Number(new URL(target.url).port)
    },
    close: () => void server.close(),
  }
}

async function configured(home: Home, url: string, { signIn, isDescribed }: Way): Promise<void> {
  const { access, companyId, assetId } = home
  const secretIds: string[] = []
  for (const { name, password } of credentials.filter(({ role }) => role === 'user')) {
    const values = { loginUrl: `${url}${signIn}`, username: name, password, ...FIELDS }
    const made = await asked(access, SECRET, {
      input: { companyId, name: unique('Secret'), type: 'FORM_LOGIN', values },
    })
    secretIds.push(made.createSecret.secret.id)
  }
  const [first, second] = secretIds
  const input = {
    assetId,
    targetUrl: `${url}/`,
    scanProfile: 'DEEP',
    secretIds: [first],
    secondSecretIds: [second],
    requestsPerSecond: 1000,
    maxMinutes: 20,
    ...(isDescribed ? { apiFormat: 'OPENAPI', apiSchemaSourceFile: null } : {}),
  }
  const file = isDescribed
    ? { path: 'input.apiSchemaSourceFile', bytes: await describedAt(url), filename: 'openapi.json' }
    : undefined
  const outcome = await ask(access, { query: SAVE, variables: { input }, ...(file ? { file } : {}) })
  if (!isDone(outcome)) throw new Error(JSON.stringify(outcome))
}

/** The API description, which the service only gives to signed-in users. */
async function describedAt(url: string): Promise<Uint8Array> {
  const [user] = credentials
  const body = JSON.stringify({ username: user?.name, password: user?.password })
  const headers = { 'content-type': 'application/json' }
  const signedIn = await fetch(`${url}/api/login`, { method: 'POST', headers, body })
  const { token } = JSON.parse(await signedIn.text())
  return (await fetch(`${url}/openapi.json`, { headers: { authorization: `Bearer ${token}` } })).bytes()
}

async function scanned({ access, assetId }: Home): Promise<Data> {
  const { startPlatformDast } = await asked(access, START, { input: { assetId } })
  for (;;) {
    const { controlSyncStatus } = await asked(access, SCAN, { id: startPlatformDast.controlSyncStatus.id })
    if (!['PENDING', 'RUNNING'].includes(controlSyncStatus.status)) return controlSyncStatus
    await delay(1000)
  }
}

type Known = { rule: string; operation: string; isOpen: boolean; cleanScans: number }

const named = ({ rule, operation }: Known): string => `${rule} at ${operation}`

/** The findings known for the asset. */
async function knownOf(client: Client, assetId: string): Promise<Known[]> {
  const { rows } = await client.query<Known>(
    `select rule, seen.operation, status <> 'FIX_ACCEPTED' as "isOpen", clean_scans as "cleanScans"
     from finding join dynamic_finding as seen using (company_id, asset_id, fingerprint)
     where asset_id = $1 order by rule, seen.operation`,
    [assetId],
  )
  return rows
}

/** What is served at the address of the asset, and what a scan of it shows to be wrong. */
type Step = { name: string; isMended: boolean; faultsOf?: (known: Known[], before: Known[], way: Way) => string[] }

const newOnes = (known: Known[], before: Known[]): string[] => {
  const left = before.map(named)
  return known.flatMap((one) => {
    const at = left.indexOf(named(one))
    if (at >= 0) left.splice(at, 1)
    return at < 0 ? [`${named(one)} is new`] : []
  })
}

const steps: readonly Step[] = [
  { name: 'vulnerable', isMended: false },
  {
    name: 'unchanged',
    isMended: false,
    faultsOf: (known, before) => [
      ...newOnes(known, before),
      ...known
        .filter(({ isOpen, cleanScans }) => !isOpen || cleanScans > 0)
        .map((one) => `${named(one)} is not found again`),
    ],
  },
  { name: 'mended', isMended: true, faultsOf: newOnes },
  {
    name: 'mended, again',
    isMended: true,
    faultsOf(known, before, { mostOpen }) {
      const left = known.filter(({ isOpen, rule }) => isOpen && rule !== OF_PLAIN_HTTP)
      for (const one of left) console.log(`  ${named(one)} is open, not seen by ${one.cleanScans} scans that asked`)
      return [...newOnes(known, before), ...(left.length > mostOpen ? [`${left.length} are open`] : [])]
    },
  },
  {
    name: 'broken again',
    isMended: false,
    faultsOf: (known, before) => [
      ...newOnes(known, before),
      ...known.filter(({ isOpen }) => !isOpen).map((one) => `${named(one)} is not opened again`),
    ],
  },
]

async function closedIn(way: Way, access: Access, client: Client): Promise<string[]> {
  const front = await openFront()
  const home = await newHome(access)
  const faults: string[] = []
  let before: Known[] = []
  for (const { name, isMended, faultsOf } of steps) {
    const target = await launch(isMended ? [] : undefined)
    front.serve(target)
    if (before.length === 0) await configured(home, front.url, way)
    const { status, failureReason, dynamicScan } = await scanned(home)
    await target.stop()
    const known = await knownOf(client, home.assetId)
    const open = known.filter(({ isOpen }) => isOpen)
    console.log(
      `${way.name}, ${name}: ${dynamicScan.operations} operations, ${known.length} known, ${open.length} open`,
    )
    const isEnded = status === 'SUCCEEDED' && dynamicScan.ending === 'COMPLETED'
    const found = [...(isEnded ? [] : [failureReason]), ...(faultsOf?.(known, before, way) ?? [])]
    faults.push(...found.map((fault) => `${way.name}, ${name}: ${fault}`))
    before = known
  }
  front.close()
  return faults
}

export async function run(): Promise<string[]> {
  const place = await newEmbeddedPlace()
  const server = await startServer(place, {
    environment: {
      MERLON_SCAN_ALLOW: '127.0.0.1:*',
      MERLON_OUTBOUND_ALLOW: 'http://127.0.0.1',
      MERLON_SCAN_LISTENER: `127.0.0.1:${await somePort()}`,
    },
  })
  const client = await place.connect()
  try {
    const faults: string[] = []
    for (const way of ways) faults.push(...(await closedIn(way, { url: server.url, key: server.key }, client)))
    return faults
  } finally {
    await client.end()
    await server.end('SIGTERM')
    await place.remove()
  }
}
