// The root key of the data: recorded at the first start, verified at every start, and replaced without stopping the service.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import { type Belonging, deriveKey, seal, sha256, unseal } from './crypto.ts'
import { type Db, type Trx, transaction } from './db/open.ts'
import { hasCode } from './error-code.ts'
import { OperatorError } from './errors.ts'
import { writeNewFile } from './private-file.ts'

/** The root key and, during a rotation, the previous one; 32 bytes each. */
export type RootKeys = { current: Buffer; previous: Buffer | null }

/** The data is encrypted under another root key than the given one. */
export class WrongRootKey extends OperatorError {
  constructor() {
    super(
      'The root key (MERLON_ROOT_KEY, or the file root-key in MERLON_DATA) is not the one that this data was encrypted under; for a restored backup give the key of the time of the backup',
    )
  }
}

/** The configured root keys: from the environment, or from `<data>/root-key`, which is created together with the data and never later. */
export async function readRootKeys(
  db: Db,
  config: Pick<Config, 'data' | 'rootKey' | 'previousRootKey'>,
): Promise<RootKeys> {
  const file = rootKeyFile(config)
  // the file is looked for last: another first start may write it meanwhile, and does so before it records the key
  if (config.rootKey === null && (await isUnderKey(db)) && !existsSync(file)) {
    throw new OperatorError(
      `This data was encrypted under a root key, and there is none: put it into ${file}, or give it as MERLON_ROOT_KEY; for a restored backup the key of the time of the backup`,
    )
  }
  const previous = config.previousRootKey === null ? null : Buffer.from(config.previousRootKey, 'hex')
  return { current: await loadRootKey(config.rootKey, file), previous }
}

/** The root key from 64 hexadecimal digits, or from `file`, which is created at the first start with mode 0600. */
export async function loadRootKey(hex: string | null, file: string): Promise<Buffer> {
  if (hex !== null) return Buffer.from(hex, 'hex')
  try {
    return parseKeyFile(await readFile(file, 'utf8'), file)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await writeNewFile(file, `${randomBytes(32).toString('hex')}\n`)
  return parseKeyFile(await readFile(file, 'utf8'), file)
}

function parseKeyFile(text: string, file: string): Buffer {
  const hex = text.trim()
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error(`The root key in ${file} is not 64 hexadecimal digits`)
  return Buffer.from(hex, 'hex')
}

/** The path of the root key, unless the environment has it. */
export const rootKeyFile = ({ data }: Pick<Config, 'data'>): string => join(data, 'root-key')

async function isUnderKey(db: Db): Promise<boolean> {
  const { rows } = await sql`select from root_key limit 1`.execute(db)
  return rows.length > 0
}

const INSTALLATION: Belonging = { companyId: '0', table: 'root_key', row: '0', column: 'wrapped', keyVersion: 1 }

/** An identifier of a root key that reveals nothing about it. */
const fingerprintOf = (root: Buffer): Buffer => sha256(deriveKey(root, 'fingerprint'))

const wrapInstallation = (root: Buffer, installation: Buffer): Buffer =>
  seal(deriveKey(root, 'installation'), installation, INSTALLATION)

/**
 * The installation's own key, 32 random bytes created at the first start. Audit records, seals and stored answers depend on it, so that they
 * survive a rotation of the root key. Throws WrongRootKey if the data is under neither key.
 */
export async function openInstallationKey(db: Db, keys: RootKeys): Promise<Buffer> {
  const first = wrapInstallation(keys.current, randomBytes(32))
  await db
    .insertInto('root_key')
    .values({ version: 1, fingerprint: fingerprintOf(keys.current), wrapped: first })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { root, wrapped } = await rootInUse(db, keys)
  return unseal(deriveKey(root, 'installation'), wrapped, INSTALLATION)
}

/** The key that the data is under now; locked until the transaction ends, so that no rotation happens meanwhile. */
export async function rootInUse(
  db: Db | Trx,
  { current, previous }: RootKeys,
): Promise<{ root: Buffer; wrapped: Buffer }> {
  const { rows } = await sql<{ fingerprint: Buffer; wrapped: Buffer }>`
    select fingerprint, wrapped from root_key order by version desc limit 1 for share`.execute(db)
  const [newest] = rows
  const root = [current, previous].find((key) => key && newest?.fingerprint.equals(fingerprintOf(key)))
  if (!newest || !root) throw new WrongRootKey()
  return { root, wrapped: newest.wrapped }
}

/**
 * Rewraps everything under the previous root key with the current one; returns the number of data keys. Services that were started with both
 * keys keep running. Does nothing if it was done before.
 */
export async function rotateRootKey(db: Db, keys: RootKeys, rewrap: (trx: Trx) => Promise<number>): Promise<number> {
  return transaction(db, async (trx) => {
    await sql`lock table root_key in exclusive mode`.execute(trx)
    const { root, wrapped } = await rootInUse(trx, keys)
    if (root.equals(keys.current)) return 0
    const installation = unseal(deriveKey(root, 'installation'), wrapped, INSTALLATION)
    const rewrapped = await rewrap(trx)
    await sql`insert into root_key (version, fingerprint, wrapped) select max(version) + 1, ${fingerprintOf(keys.current)},
      ${wrapInstallation(keys.current, installation)} from root_key`.execute(trx)
    return rewrapped
  })
}
