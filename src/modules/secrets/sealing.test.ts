// The values of secrets are nowhere to be seen: through the endpoint, and from inside.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ask, run } from '../../../test/testkit/client.ts'
import { canary, dumpTables, inside } from '../../../test/testkit/inside.ts'
import {
  AUDIT,
  CREATE,
  newSecret,
  opened,
  ROTATE,
  SECRET,
  SECRETS,
  samples,
  types,
  UPDATE,
} from '../../../test/testkit/secrets.ts'
import { newWorld } from '../../../test/testkit/world.ts'
import { transaction } from '../../core/db/open.ts'
import { openKeyring } from '../../core/keyring.ts'
import { readRootKeys } from '../../core/root-key.ts'
import { openSecret, reencryptSecrets } from './service.ts'

describe('what secrets say', () => {
  test('what secrets say stands in no answer, log line, audit record or table', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const held = new Set<string>()
    const drawn = (type: (typeof types)[number]) => {
      const values = samples[type]()
      for (const text of Object.values(values)) for (const [mark] of text.matchAll(/canary-\w+/g)) held.add(mark)
      return values
    }
    const answers: unknown[] = []
    for (const type of types) {
      const input = { companyId, name: type, type, values: drawn(type) }
      const created = await ask(owner.key, CREATE, { input }, { 'idempotency-key': canary() })
      const { id } = created.data.createSecret.secret
      answers.push(created, await ask(owner.key, UPDATE, { input: { id, values: drawn(type) } }))
      answers.push(await ask(owner.key, UPDATE, { input: { id, values: { ...drawn(type), token: `${canary()}\n` } } }))
      answers.push(await ask(owner.key, CREATE, { input: { companyId, type, values: drawn(type) } }))
      answers.push(await ask(owner.key, CREATE, { input: { ...input, type: 'NONE', values: drawn(type) } }))
      answers.push(await ask(owner.key, CREATE, { input: { ...input, values: { ...drawn(type), other: 'x' } } }))
      answers.push(await ask(owner.key, SECRET, { id }))
    }
    answers.push(await ask(owner.key, SECRETS, { companyId }), await ask(owner.key, AUDIT, { companyId }))
    answers.push(await ask(owner.key, ROTATE, { input: { companyId } }))

    const { logged } = await inside()
    const written = { answers: JSON.stringify(answers), log: logged.join('\n'), tables: await dumpTables() }

    expect(held.size).toBeGreaterThan(50)
    for (const [place, text] of Object.entries(written)) {
      const seen = [...held].filter((mark) => text.includes(mark) || text.includes(Buffer.from(mark).toString('hex')))
      expect([place, seen]).toEqual([place, []])
    }
  })

  test('a sealed value opens in its own row and company only', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const [first, second] = [await newSecret(mine), await newSecret(mine)]
    const foreign = await newSecret(theirs)
    const { db } = await inside()
    const put = (from: string, to: string) =>
      sql`
      update secret set sealed = source.sealed, key_version = source.key_version
      from secret source where source.id = ${from} and secret.id = ${to}`.execute(db)

    await put(first, second)
    await put(first, foreign)

    await expect(opened(mine.companyId, first)).resolves.toEqual({ type: 'BEARER_TOKEN', token: 'abc' })
    await expect(opened(mine.companyId, second)).rejects.toThrow()
    await expect(opened(theirs.companyId, foreign)).rejects.toThrow()
    await expect(opened(theirs.companyId, first)).resolves.toBeNull()
  })

  test('another root key opens nothing', async () => {
    const world = await newWorld()
    const id = await newSecret(world)
    const { db } = await inside()

    const attempt = openSecret(
      db,
      openKeyring({ current: randomBytes(32), previous: null }, randomBytes(32)),
      world.companyId,
      id,
    )

    await expect(attempt).rejects.toThrow()
  })

  test('a data key that was never committed seals nothing that comes later', async () => {
    const world = await newWorld()
    const { companyId } = world
    const { config, db, keyring } = await inside()
    const place = { companyId, table: 'secret', row: '1', column: 'sealed' }
    const undone = transaction(db, async (trx) => {
      await keyring.seal(trx, place, 'lost')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')

    const id = await newSecret(world)

    const restarted = openKeyring(await readRootKeys(db, config), randomBytes(32))
    expect(await openSecret(db, restarted, companyId, id)).toEqual({ type: 'BEARER_TOKEN', token: 'abc' })
  })

  test('rotation seals every secret under a new key, and is safe to run again', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const ids: string[] = []
    for (let made = 0; made < 3; made += 1) ids.push(await newSecret(world, { values: { token: `t${made}` } }))
    const { db, keyring } = await inside()
    const sealedBefore = await sealedOf(ids)

    const { rotateDataKey } = await run(owner.key, ROTATE, { input: { companyId } })
    const again = await reencryptSecrets(db, keyring, companyId, rotateDataKey.keyVersion)

    const sealedAfter = await sealedOf(ids)
    const said = await Promise.all(ids.map((id) => opened(companyId, id)))
    expect(rotateDataKey).toEqual({ keyVersion: 2, reencrypted: 3 })
    expect(again).toBe(0)
    expect(sealedAfter.map(({ keyVersion }) => keyVersion)).toEqual([2, 2, 2])
    expect(sealedAfter.some(({ bytes }) => sealedBefore.some((before) => before.bytes.equals(bytes)))).toBe(false)
    expect(said).toEqual([0, 1, 2].map((made) => ({ type: 'BEARER_TOKEN', token: `t${made}` })))
  })
})

async function sealedOf(ids: readonly string[]): Promise<{ bytes: Buffer; keyVersion: number }[]> {
  const { db } = await inside()
  const { rows } = await sql<{ bytes: Buffer; keyVersion: number }>`
    select sealed as bytes, key_version as "keyVersion" from secret where id = any(${ids}::bigint[]) order by id`.execute(
    db,
  )
  return rows
}
