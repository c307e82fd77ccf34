// The cost of requests: hostile ones against a separate server, with its memory, and the worst document that each limit allows.

import { writeFile } from 'node:fs/promises'
import { getIntrospectionQuery } from 'graphql'
import { MOST_NAMES, MOST_VALUES } from '../../src/http/body.ts'
import { newKey } from '../../src/modules/access/keys.ts'
import { VIEWER_LEASE } from '../../src/modules/access/viewers.ts'
import { buildSchema } from '../../src/modules/schema.ts'
import { attack, ownTime, type Slow, WAITS } from '../hostile/attack.ts'
import { run as ask, type Data } from './client.ts'
import { milliseconds } from './figures.ts'
import { memory, processorTime, turnsOf } from './process.ts'
import { newEmbeddedPlace, type Place, type Server, startServer } from './server.ts'
import { type Home, newHome } from './writes.ts'

/** milliseconds that the slowest hostile request may take */
const SLOWEST = 250
/** milliseconds of processor time that the worst accepted document may take */
const MOST_PROCESSOR = 50
/** the peak of resident memory, as a multiple of the warm server's */
const MOST_GROWTH = 1.5
/** how often each worst document is sent, because the processor's clock only ticks every 10 ms */
const REPEATED = 40
/** findings to fill the pages with */
const FINDINGS = 1_000

type Worst = { limit: string; body: (turn: number) => string }

const body = (query: string, variables: unknown = {}) => JSON.stringify({ query, variables })
const many = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at)).join(' ')

/** values that a body may have in addition to those that every body has */
const VALUES = MOST_VALUES - 10
const listOf = (of: (index: number) => string, length = VALUES) => Array.from({ length }, (_, at) => of(at)).join(',')
/** Members with names that no earlier body had. */
const newNames = (turn: number, count: number) => listOf((at) => `"a name of some length ${turn}.${at}":${at}`, count)

const withIds = (turn: number, of: (index: number) => string): string =>
  `{"query":"query Q${turn}($ids: [ID!]) { imports(companyId: 1, assetIds: $ids) { collection { id } } }","variables":{"ids":[${listOf(of)}]}}`

/** The worst document that each limit accepts; each turn has a different text, so that none is cached. */
function worstDocuments({ companyId }: Home): Worst[] {
  const page = (size: number, fields: string) =>
    `issues(companyId: "${companyId}", pagination: { perPage: ${size} }) { collection { ${fields} } }`
  const fields = 'id title description severity status createdAt updatedAt type'
  return [
    { limit: 'bytes: one text of 60 kB', body: (turn) => body(`{ asset(id: "${'x'.repeat(60_000)}${turn}") { id } }`) },
    { limit: 'bytes: comments of 60 kB', body: (turn) => body(`#${'x'.repeat(60_000)}${turn}\n{ __typename }`) },
    {
      limit: 'tokens: one field 1,900 times',
      body: (turn) => body(`query Q${turn} { ${many(1_900, () => '__typename')} }`),
    },
    {
      limit: 'tokens: one field 200 times with other arguments',
      body: (turn) => body(`query Q${turn} { ${many(200, (at) => `asset(id: ${at}) { id }`)} }`),
    },
    {
      limit: 'tokens: 200 fragments that spread one another',
      body: (turn) =>
        body(
          `query Q${turn} { ...F0 } ${many(199, (at) => `fragment F${at} on Query { ...F${at + 1} }`)} fragment F199 on Query { __typename }`,
        ),
    },
    {
      limit: 'tokens: 120 fragments beside one another, of the same fields',
      body: (turn) =>
        body(
          `query Q${turn} { ${many(120, (at) => `...F${at}`)} } ${many(120, (at) => `fragment F${at} on Query { viewer { id name } }`)}`,
        ),
    },
    {
      limit: 'depth: 15 levels of introspection',
      body: (turn) =>
        body(`query Q${turn} { __schema { types { fields { type { ${'ofType { '.repeat(12)} name ${' }'.repeat(16)} }`),
    },
    {
      limit: 'aliases: 30 pages of 30',
      body: (turn) => body(`query Q${turn} { ${many(30, (at) => `a${at}: ${page(30, fields)}`)} }`),
    },
    { limit: 'cost: one page of 1,000', body: (turn) => body(`query Q${turn} { ${page(1_000, fields)} }`) },
    { limit: 'cost: one page of 1,000, asked again', body: () => body(`{ ${page(1_000, fields)} }`) },
    { limit: 'introspection, whole', body: (turn) => body(`${getIntrospectionQuery()} #${turn}`) },
    {
      limit: 'names: as many variables as a body may have, which nobody declared',
      body: (turn) => `{"query":"query Q${turn} { __typename }","variables":{${newNames(turn, MOST_NAMES - 2)}}}`,
    },
    {
      limit: 'names: twice as many',
      body: (turn) => `{"query":"query Q${turn} { __typename }","variables":{${newNames(turn, 2 * MOST_NAMES)}}}`,
    },
    {
      limit: 'values: as many members of few names',
      body: (turn) =>
        `{"query":"query Q${turn} { __typename }","variables":{"a":[${listOf((at) => `{"n${at % 9_000}":1}`, VALUES / 2)}]}}`,
    },
    { limit: 'values: a list of as many ids', body: (turn) => withIds(turn, (at) => String(at + 1)) },
    { limit: 'values: a list of as many that are no ids', body: (turn) => withIds(turn, () => '{}') },
    {
      limit: 'values: nested as deep',
      body: () => `{"query":"{ __typename }","variables":{"a":${'['.repeat(VALUES)}${']'.repeat(VALUES)}}}`,
    },
    { limit: 'values: one too many, in 2 MB', body: () => `{"variables":{"a":[${'1,'.repeat(1_000_000)}1]}}` },
    {
      limit: 'variables: a text of 2 MB',
      body: (turn) => body(`query Q${turn}($id: ID!) { asset(id: $id) { id } }`, { id: 'é'.repeat(1_000_000) }),
    },
  ]
}

async function post({ url, key }: Server, text: string): Promise<{ status: number; bytes: number; refused: string }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: text })
  const answer = await response.text()
  const { errors = [] } = JSON.parse(answer) as { errors?: { extensions?: { code?: string } }[] }
  return { status: response.status, bytes: Buffer.byteLength(answer), refused: errors[0]?.extensions?.code ?? '' }
}

/** Each worst document alone: the server's processor time, and how much larger the answer is than the request. */
async function tryWorst(server: Server, home: Home): Promise<string[]> {
  const pid = server.child.pid ?? 0
  const faults: string[] = []
  for (const { limit, body: bodyOf } of worstDocuments(home)) {
    for (let turn = 0; turn < 5; turn += 1) await post(server, bodyOf(REPEATED + 1 + turn))
    const before = await processorTime(pid)
    let answer = { status: 0, bytes: 0, refused: '' }
    for (let turn = 0; turn < REPEATED; turn += 1) answer = await post(server, bodyOf(turn + 1))
    const each = ((await processorTime(pid)) - before) / REPEATED
    const ratio = answer.bytes / Buffer.byteLength(bodyOf(1))
    console.log(`${limit}: ${each.toFixed(1)} ms of processor, answer × ${ratio.toFixed(2)} ${answer.refused}`)
    if (each > MOST_PROCESSOR) faults.push(`${limit} took ${milliseconds(each)} of processor time`)
  }
  return faults
}

/**
 * Hostile requests, eight at once: the slowest one, and how far the server's memory grows beyond that of a warm one.
 * Time in which the machine had no processor to spare is not counted against the server.
 */
async function tryHostile(server: Server, count: number, anotherKey: () => Promise<string>): Promise<string[]> {
  const pid = server.child.pid ?? 0
  const turns = () => ({ service: turnsOf(pid), client: turnsOf(process.pid) })
  const facts = { url: server.url, key: await anotherKey(), anotherKey, schema: buildSchema(), concurrency: 8, turns }
  await attack({ ...facts, seed: 1, count: 3_000 })
  const warm = await memory(pid, 'VmRSS')
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const before = await processorTime(pid)
  const outcome = await attack({ ...facts, seed: 20_260, count })
  const each = ((await processorTime(pid)) - before) / count
  const peak = await memory(pid, 'VmHWM')
  const slow = [...outcome.slowestOf].toSorted(([, left], [, right]) => ownTime(right) - ownTime(left)).slice(0, 12)
  const tooSlow = slow.filter(([kind, one]) => ownTime(one) > SLOWEST + (kind === WAITS ? VIEWER_LEASE : 0))
  console.log(
    `${count} hostile requests: ${JSON.stringify(outcome.statuses)}, ${each.toFixed(1)} ms of processor each; median ` +
      `${outcome.median.toFixed(1)} ms, slowest ${milliseconds(outcome.slowest)} (${outcome.slowestName}); ` +
      `memory ${warm.toFixed(0)} MiB warm, ${peak.toFixed(0)} MiB at most, ${(peak / warm).toFixed(2)} times`,
  )
  console.log(`slowest of each class: ${slow.map(([kind, one]) => `${kind} ${shown(one)}`).join(', ')}`)
  return [
    ...outcome.faults,
    ...tooSlow.map(([, one]) => `${one.name} took ${shown(one)}`),
    ...(peak > warm * MOST_GROWTH ? [`Memory went from ${warm.toFixed(0)} to ${peak.toFixed(0)} MiB`] : []),
  ]
}

const shown = (slow: Slow): string =>
  `${milliseconds(ownTime(slow))} (the service ran for ${milliseconds(slow.ran)}; ${milliseconds(slow.waited)} more without a processor)`

async function fill(server: Server, home: Home): Promise<void> {
  const findings = (from: number): Data[] =>
    Array.from({ length: 100 }, (_, at) => ({
      sastFinding: {
        assetId: Number(home.assetId),
        title: `Finding ${from + at}`,
        description: 'A sentence on what is wrong, as long as such sentences are. '.repeat(5),
        ruleId: `rule ${from + at}`,
        toolName: 'a tool',
        codeSnippet: 'eval(input)',
        fileName: `src/${from + at}.py`,
        vulnerableLine: 3,
        firstLine: 1,
      },
    }))
  const query = `mutation ($input: BatchCreateOrUpdateFindingsInput!) {
    batchCreateOrUpdateFindings(input: $input) { issues { id } } }`
  for (let from = 0; from < FINDINGS; from += 100)
    await ask({ url: server.url, key: server.key }, query, { input: { findings: findings(from) } })
}

/** The key of a new administrator, because hostile requests revoke keys, disable users and remove their permissions. */
async function newAdministratorKey(place: Place): Promise<string> {
  const { key, publicId, hash } = newKey()
  const client = await place.connect()
  await client
    .query(
      `with person as (
        insert into portal_user (email, name, is_administrator) values ($1, 'Another', true) returning id
      )
      insert into api_key (public_id, hash, user_id, name, scopes)
      select $2, $3, person.id, 'Another', (select scopes from api_key order by id limit 1) from person`,
      [`${publicId}@documents.test`, publicId, hash],
    )
    .finally(() => client.end())
  return key
}

export async function run(count: number): Promise<string[]> {
  const place = await newEmbeddedPlace()
  const server = await startServer(place, { words: ['--no-worker'] })
  try {
    const home = await newHome({ url: server.url, key: server.key })
    await fill(server, home)
    // hostile requests come first, because memory left over from the worst documents would hide how much they need
    const anotherKey = () => newAdministratorKey(place)
    const faults = await tryHostile(server, count, anotherKey)
    // the hostile requests may have deleted the data
    const again = { ...server, key: await anotherKey() }
    const newer = await newHome({ url: again.url, key: again.key })
    await fill(again, newer)
    return [...faults, ...(await tryWorst(again, newer))]
  } finally {
    await server.end('SIGTERM')
    await place.remove()
  }
}
