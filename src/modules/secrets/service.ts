// Secrets: who may list, create, change and delete them; how they are encrypted, decrypted for a scan, and re-encrypted.

import { type Db, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import { type Reseal, resealingColumn } from '../../core/resealing.ts'
import { readName, readText } from '../../core/text.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'
import { parseValues, readValues, type SecretType, type SecretValues, writeValues } from './values.ts'

export type { Secret } from './store.ts'
export type { SecretValues } from './values.ts'

const LONGEST_DESCRIPTION = 10_000

const placeOf = (companyId: Id, id: Id) => ({ companyId, table: 'secret', row: id, column: 'sealed' })

const find = (context: Context, id: Id) => () => store.findSecret(context.db, context.viewer, id)

/** The fields of a secret that an audit record may contain. */
const told = ({ name, type }: store.Secret) => ({ name, type })

export async function listSecrets(
  context: Context,
  companyId: Id,
  page: PageRequest,
  filter: store.SecretFilter,
): Promise<Page<store.Secret>> {
  await authorize(context, 'secrets:read', companyId)
  return store.listSecrets(context.db, companyId, page, filter)
}

export const getSecret = (context: Context, id: Id): Promise<store.Secret> =>
  authorizeRecord(context, 'secrets:read', 'Secret', id, find(context, id))

type GivenValues = Readonly<Record<string, string | null | undefined>>

type NewSecret = { name: string; description: string | null; type: SecretType; values: GivenValues }

export async function createSecret(context: Context, companyId: Id, input: NewSecret): Promise<store.Secret> {
  await authorize(context, 'secrets:write', companyId)
  const name = readName(input.name, 'input.name')
  const description = readText(input.description, 'input.description', LONGEST_DESCRIPTION)
  const values = requireValues(input.type, input.values)
  return transaction(context.db, async (trx) => {
    const id = await store.nextSecretId(trx)
    const sealed = await context.keyring.seal(trx, placeOf(companyId, id), writeValues(values))
    const fields = { companyId, id, name, description, type: input.type, createdById: context.viewer.userId, sealed }
    const secret = await store.insertSecret(trx, fields)
    await audit(trx, context, { companyId, object: `Secret ${id}`, after: told(secret) })
    return secret
  })
}

type SecretChange = {
  name?: string | null
  description?: string | null
  type?: SecretType | null
  values?: GivenValues | null
}

export async function updateSecret(context: Context, id: Id, input: SecretChange): Promise<store.Secret> {
  const { companyId } = await authorizeRecord(context, 'secrets:write', 'Secret', id, find(context, id))
  const name = input.name === undefined || input.name === null ? null : readName(input.name, 'input.name')
  const description = readText(input.description, 'input.description', LONGEST_DESCRIPTION)
  return transaction(context.db, async (trx) => {
    const before = await store.lockSecret(trx, companyId, id)
    if (!before) throw notFound('Secret', id)
    const type = input.type ?? before.type
    if (type !== before.type && !input.values) {
      throw badUserInput('A secret of another type needs values of its own', 'input.values')
    }
    const values = input.values ? writeValues(requireValues(type, input.values)) : null
    const after = await store.updateSecret(trx, before, {
      name: name ?? before.name,
      description: description === undefined ? before.description : description,
      type,
      sealed: values === null ? null : await context.keyring.seal(trx, placeOf(companyId, id), values),
    })
    const change = { ...told(after), valuesReplaced: values !== null }
    await audit(trx, context, { companyId, object: `Secret ${id}`, before: told(before), after: change })
    return after
  })
}

export async function deleteSecret(context: Context, companyId: Id, id: Id | null): Promise<Id> {
  await authorize(context, 'secrets:write', companyId)
  if (id === null) throw badUserInput('id says which secret is deleted', 'input.id')
  return transaction(context.db, async (trx) => {
    const before = await store.lockSecret(trx, companyId, id)
    if (!before) throw notFound('Secret', id)
    await store.deleteSecret(trx, before)
    await audit(trx, context, { companyId, object: `Secret ${id}`, before: told(before) })
    return id
  })
}

export const reencryptSecrets: Reseal = resealingColumn(placeOf, store.lockSealedBefore, store.updateSealed)

/** Re-encrypts the company's secrets and the credentials of its integrations under a new data key; returns how many as `reencrypted`. */
export async function rotateDataKey(
  context: Context,
  companyId: Id,
): Promise<{ keyVersion: number; reencrypted: number }> {
  await authorize(context, 'secrets:rotate', companyId)
  const keyVersion = await transaction(context.db, async (trx) => {
    const version = await context.keyring.rotate(trx, companyId)
    await audit(trx, context, { companyId, object: `DataKey ${companyId}/${version}`, after: { keyVersion: version } })
    return version
  })
  let reencrypted = 0
  for (const reencrypt of context.upward.reencrypt)
    reencrypted += await reencrypt(context.db, context.keyring, companyId, keyVersion)
  return { keyVersion, reencrypted }
}

/** A secret of the company, decrypted for a scan; null if there is none. Throws if its row was tampered with. */
export async function openSecret(db: Db, keyring: Keyring, companyId: Id, id: Id): Promise<SecretValues | null> {
  const sealed = await store.findSealed(db, companyId, id)
  return sealed && parseValues(await keyring.unseal(db, placeOf(companyId, id), sealed))
}

function requireValues(type: SecretType, given: GivenValues): SecretValues {
  const read = readValues(type, given)
  if ('values' in read) return read.values
  throw badUserInput(read.fault.message, `input.values.${read.fault.field}`)
}
