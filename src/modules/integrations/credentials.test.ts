// Credentials of integrations, through the endpoint and, for what must not be seen, from inside.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { serveAllVendors } from '../../../test/testkit/all-vendors.ts'
import { ask, type Data, refusal, run } from '../../../test/testkit/client.ts'
import { canary, dumpTables, inside } from '../../../test/testkit/inside.ts'
import {
  AUDIT,
  BOARDS,
  DELETE,
  HOST_A,
  HOST_B,
  INTEGRATION,
  INTEGRATIONS,
  SCANNER_A,
  SCANNER_B,
  saved,
  TASKS,
} from '../../../test/testkit/integrations.ts'
import { TENABLE } from '../../../test/testkit/scanners.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'
import { openConnection } from './connections.ts'
import { reencryptCredentials } from './service.ts'
import { findCompanyIntegration } from './store.ts'

/** A ScannerA that is asked so many times whether it accepts a credential, and does. */
const acceptKeys = (times: number) =>
  fakeVendor(
    TENABLE,
    [get('/vulns/export/status', json({ exports: [] }), { times })],
    vendorContract('tenable/tenable-vm'),
  )

const opened = async (companyId: string, id: string) => {
  const parts = await inside()
  const integration = await findCompanyIntegration(parts.db, companyId, id)
  if (!integration) throw new Error('There is no such integration')
  return (await openConnection(parts, integration)).credential
}

describe('a credential that its vendor accepted', () => {
  test('is kept sealed, replaced by the next, and opens to what was given', async () => {
    const { seen } = await acceptKeys(2)
    const { companyId, owner } = await newWorld()
    const made = await saved(owner.key, SCANNER_A, { companyId, accessKey: 'access-1', secretKey: 'secret-1' })
    const first = await opened(companyId, made.id)
    await saved(owner.key, SCANNER_A, { companyId, accessKey: 'access-2', secretKey: 'secret-2' })
    const second = await opened(companyId, made.id)
    const kept = await saved(owner.key, SCANNER_A, { companyId })

    expect([first, second]).toEqual([
      { kind: 'KEY_PAIR', accessKey: 'access-1', secretKey: 'secret-1' },
      { kind: 'KEY_PAIR', accessKey: 'access-2', secretKey: 'secret-2' },
    ])
    expect(kept).toMatchObject({ id: made.id, accessKey: 'access-2', hasCredential: true })
    expect(seen.map(({ headers }) => headers['x-apikeys'])).toEqual([
      'accessKey=access-1;secretKey=secret-1',
      'accessKey=access-2;secretKey=secret-2',
    ])
  })

  test('shows its access key whole to those who manage integrations, and its end to others', async () => {
    await acceptKeys(1)
    const { companyId, owner } = await newWorld()
    const people = [
      owner,
      await newPerson(companyId, 'OWNER', ['read', 'write']),
      await newPerson(companyId, 'ANALYST'),
      await newPerson(companyId, 'READER', ['read']),
    ]
    const { id } = await saved(owner.key, SCANNER_A, { companyId, accessKey: '0123456789abcdef', secretKey: 's' })

    const seen = await Promise.all(
      people.map(async ({ key }) => [
        (await run(key, INTEGRATION, { id })).integration.accessKey,
        (await run(key, INTEGRATIONS, { companyId })).integrations.collection[0].accessKey,
      ]),
    )

    const [whole, end] = ['0123456789abcdef', '****cdef']
    expect(seen).toEqual([
      [whole, whole],
      [end, end],
      [end, end],
      [end, end],
    ])
  })

  test('is not sent to another address than the one that it was given for', async () => {
    const { companyId, owner } = await newWorld()
    const accepting = (origin: string) =>
      fakeVendor(origin, [get('/api/v4/user', json({ id: 1 }))], vendorContract('gitlab/gitlab'))
    const [mine, other] = [await accepting('https://mine.example.test'), await accepting('https://else.example.test')]
    await saved(owner.key, HOST_B, { companyId, instanceUrl: 'https://mine.example.test', personalToken: 'first' })

    const failure = await refusal(owner.key, HOST_B, { input: { companyId, instanceUrl: 'https://else.example.test' } })
    const moved = await saved(owner.key, HOST_B, {
      companyId,
      instanceUrl: 'https://else.example.test',
      personalToken: 'second',
    })

    expect(failure.extensions.code).toBe('BAD_USER_INPUT')
    expect(moved.instanceUrl).toBe('https://else.example.test')
    const shown = [mine, other].map(({ seen }) => seen.map(({ headers }) => headers['private-token']))
    expect(shown).toEqual([['first'], ['second']])
  })

  test('opens in its own row and company only', async () => {
    await acceptKeys(2)
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const input = { accessKey: 'access', secretKey: 'secret' }
    const own = await saved(mine.owner.key, SCANNER_A, { companyId: mine.companyId, ...input })
    const foreign = await saved(theirs.owner.key, SCANNER_A, { companyId: theirs.companyId, ...input })
    const { db } = await inside()

    await sql`update integration set sealed = source.sealed, key_version = source.key_version
      from integration source where source.id = ${own.id} and integration.id = ${foreign.id}`.execute(db)

    await expect(opened(theirs.companyId, foreign.id)).rejects.toThrow()
    await expect(opened(mine.companyId, own.id)).resolves.toMatchObject({ secretKey: 'secret' })
  })

  test('is sealed anew under a new data key', async () => {
    await acceptKeys(1)
    const { companyId, owner } = await newWorld()
    const { id } = await saved(owner.key, SCANNER_A, { companyId, accessKey: 'access', secretKey: 'secret' })
    const { db, keyring } = await inside()
    const { rotateDataKey } = await run(
      owner.key,
      'mutation ($companyId: ID!) { rotateDataKey(input: { companyId: $companyId }) { keyVersion reencrypted } }',
      { companyId },
    )

    const left = await reencryptCredentials(db, keyring, companyId, rotateDataKey.keyVersion)

    expect([rotateDataKey.reencrypted, left]).toEqual([1, 0])
    expect(await opened(companyId, id)).toMatchObject({ secretKey: 'secret' })
  })

  test('stands in no answer, log line, audit record or table', async () => {
    const vendors = await serveAllVendors()
    const { companyId, owner } = await newWorld()
    const held = new Set<string>()
    const drawn = () => {
      const mark = canary()
      held.add(mark)
      return mark
    }
    const kinds = [
      [SCANNER_A, () => ({ accessKey: 'an-access-key', secretKey: drawn() })],
      [SCANNER_B, () => ({ apiToken: drawn() })],
      [HOST_A, () => ({ email: 'me@example.test', apiToken: drawn() })],
      [HOST_B, () => ({ personalToken: drawn() })],
      [BOARDS, () => ({ personalToken: drawn(), organizationName: 'acme' })],
      [TASKS, () => ({ personalToken: drawn() })],
    ] as const
    const answers: unknown[] = []
    for (const [mutation, credential] of kinds) {
      vendors.accepts = false
      answers.push(await ask(owner.key, mutation, { input: { companyId, ...credential() } }))
      vendors.accepts = true
      const kept = await ask(
        owner.key,
        mutation,
        { input: { companyId, ...credential() } },
        { 'idempotency-key': canary() },
      )
      const { id } = (Object.values(kept.data)[0] as Data).integration
      answers.push(kept, await ask(owner.key, mutation, { input: { companyId, ...credential(), baseUrl: 'x' } }))
      answers.push(await ask(owner.key, mutation, { input: { companyId, ...credential(), code: `${drawn()}\n` } }))
      answers.push(await ask(owner.key, mutation, { input: { companyId: '999999999', ...credential() } }))
      answers.push(await ask(owner.key, INTEGRATION, { id }))
    }
    answers.push(await ask(owner.key, HOST_B, { input: { companyId, code: drawn(), state: drawn() } }))
    const reader = await newPerson(companyId, 'READER')
    answers.push(await ask(reader.key, SCANNER_A, { input: { companyId, accessKey: drawn(), secretKey: drawn() } }))
    answers.push(await ask(owner.key, INTEGRATIONS, { companyId }), await ask(owner.key, AUDIT, { companyId }))

    const { logged } = await inside()
    const written = { answers: JSON.stringify(answers), log: logged.join('\n'), tables: await dumpTables() }

    expect(held.size).toBeGreaterThan(30)
    expect(vendors.shown).toHaveLength(2 * kinds.length)
    expect(vendors.shown.filter((credential) => !held.has(credential))).toEqual([])
    for (const [place, text] of Object.entries(written)) {
      const seen = [...held].filter((mark) => text.includes(mark) || text.includes(Buffer.from(mark).toString('hex')))
      expect([place, seen]).toEqual([place, []])
    }
  })

  test('is in audit records, without its value', async () => {
    await acceptKeys(1)
    const { companyId, owner } = await newWorld()
    const { id } = await saved(owner.key, SCANNER_A, { companyId, accessKey: '0123456789abcdef', secretKey: 's' })
    await run(owner.key, DELETE, { input: { id } })

    const { auditRecords } = await run(owner.key, AUDIT, { companyId })

    const about = auditRecords.collection.filter(({ object }: Data) => object === `Integration ${id}`)
    expect(about).toMatchObject([
      { operation: 'deleteIntegration', before: { integrationType: 'SCANNER_A', accessKey: '****cdef' } },
      { operation: 'createOrUpdateScannerAIntegration', after: { credentialReplaced: true, accessKey: '****cdef' } },
    ])
  })
})
