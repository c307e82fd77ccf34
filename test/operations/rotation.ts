// Keys are rotated while callers work: no call fails, and in the end nothing is encrypted under an old key.

import { randomBytes } from 'node:crypto'
import { ask, run as asked, type Data } from './client.ts'
import { milliseconds, quantile } from './figures.ts'
import { newPlace, type Place, runCommand, startServer } from './server.ts'
import { type Home, newHome } from './writes.ts'

const CREATE = 'mutation ($input: CreateSecretInput!) { createSecret(input: $input) { secret { id } } }'
const UPDATE = 'mutation ($input: UpdateSecretInput!) { updateSecret(input: $input) { secret { id } } }'
const ROTATE_DATA = 'mutation ($id: ID!) { rotateDataKey(input: { companyId: $id }) { keyVersion reencrypted } }'
const NEW_KEY = 'mutation { createApiKey(input: { name: "To be rotated" }) { apiKey { id } } }'
const ROTATE_KEY = 'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { key apiKey { id } } }'
const CLIENTS = 6

type Load = { stop(): Promise<{ calls: number; failures: string[]; took: number[] }> }

/** Callers that create, change and list secrets continuously. */
function startSecrets({ access, companyId }: Home): Load {
  let isStopping = false
  const [failures, took]: [string[], number[]] = [[], []]
  const call = async (query: string, variables: Record<string, unknown>): Promise<Data> => {
    const outcome = await ask(access, { query, variables })
    took.push(outcome.took)
    const failure = outcome.kind === 'lost' ? outcome.reason : outcome.failures[0]?.message
    if (failure) failures.push(failure)
    return outcome.kind === 'answered' ? outcome.data : null
  }
  const values = () => ({ token: randomBytes(16).toString('hex') })
  const client = async () => {
    while (!isStopping) {
      const input = { companyId, name: randomBytes(6).toString('hex'), type: 'BEARER_TOKEN', values: values() }
      const made = await call(CREATE, { input })
      await call(UPDATE, {
        input: { id: made?.createSecret?.secret.id ?? '1', type: 'BEARER_TOKEN', values: values() },
      })
      await call('query ($id: ID!) { secrets(companyId: $id) { collection { id } } }', { id: companyId })
    }
  }
  const running = Array.from({ length: CLIENTS }, client)
  return {
    async stop() {
      isStopping = true
      await Promise.all(running)
      return { calls: took.length, failures, took }
    },
  }
}

async function countUnderOld(place: Place): Promise<{ secrets: number; all: number }> {
  const client = await place.connect()
  const { rows } = await client.query<{ secrets: number; all: number }>(
    `select count(*)::int as all, (count(*) filter (where key_version <
       (select max(version) from data_key where data_key.company_id = secret.company_id)))::int as secrets from secret`,
  )
  await client.end()
  return rows[0] ?? { secrets: -1, all: 0 }
}

export async function run(rounds: number): Promise<string[]> {
  const place = await newPlace()
  const [first, second] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const both = { MERLON_ROOT_KEY: second, MERLON_PREVIOUS_ROOT_KEY: first }
  const faults: string[] = []
  try {
    const before = await startServer(place, { environment: { MERLON_ROOT_KEY: first } })
    const access = { url: before.url, key: before.key }
    const home = await newHome(access)
    await before.end('SIGTERM')
    const server = await startServer(place, { environment: both, port: before.port })
    const load = startSecrets(home)
    let { id } = (await asked(access, NEW_KEY)).createApiKey.apiKey
    for (let round = 0; round < rounds; round += 1) {
      if (round === Math.floor(rounds / 2)) {
        const { code, out, err } = await runCommand(['root-key', 'rotate'], { ...place.environment, ...both })
        console.log(out.trim())
        if (code !== 0) faults.push(`The root key was not rotated: ${err}`)
      }
      await asked(access, ROTATE_DATA, { id: home.companyId })
      id = (await asked(access, ROTATE_KEY, { id })).rotateApiKey.apiKey.id
    }
    const { calls, failures, took } = await load.stop()
    await asked(access, ROTATE_DATA, { id: home.companyId })
    const left = await countUnderOld(place)
    await server.end('SIGTERM')
    console.log(
      `${rounds} rotations of the data key and of an API key, one of the root key, under ${calls} calls: ${failures.length} failed; ` +
        `${left.all} secrets, ${left.secrets} under an old key; p50 ${milliseconds(quantile(took, 0.5))}, p99 ${milliseconds(quantile(took, 0.99))}`,
    )
    faults.push(...failures.slice(0, 20), ...(left.secrets === 0 ? [] : [`${left.secrets} are under an old key`]))

    const alone = await startServer(place, { environment: { MERLON_ROOT_KEY: second }, port: before.port })
    const { reencrypted } = (await asked(access, ROTATE_DATA, { id: home.companyId })).rotateDataKey
    if (reencrypted !== left.all)
      faults.push(`Only ${reencrypted} of ${left.all} secrets open with the new root key alone`)
    await alone.end('SIGTERM')
    const { code } = await runCommand(['serve'], { ...place.environment, MERLON_ROOT_KEY: first, PORT: '0' })
    if (code !== 1) faults.push('The old root key still starts the service')
  } finally {
    await place.remove()
  }
  return faults
}
