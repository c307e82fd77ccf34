// Decides whether an asset's host may be scanned: the operator or an administrator allowed it, or the host itself proves it.

import { randomBytes } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import { type Db, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { OutboundFailed } from '../../core/outbound-errors.ts'
import { isScanTarget } from '../../core/scan-targets.ts'
import type { Parts, WorkParts } from '../context.ts'
import * as store from './store.ts'

/** Where a host publishes the token that proves its owner. */
export const FILE_PATH = '/.well-known/merlon-scan.txt'
export const dnsName = (host: string): string => `_merlon-scan.${host.replace(/:\d+$/, '')}`

/** The largest file in bytes, and the time for it in milliseconds. */
const LARGEST = 4_096
const PATIENCE = 10_000

type At = { companyId: Id; assetId: Id; targetUrl: string }

/** The host of an address as it is stored: with its port, unless that is the scheme's default. */
const hostOf = (targetUrl: string): string => new URL(targetUrl).host.toLowerCase()

/** The operator's own setting for the host and port. */
export const isAllowedByOperator = ({ config }: Pick<Parts, 'config'>, targetUrl: string): boolean =>
  isScanTarget(config.scanTargets, targetUrl)

/** The record of the asset's target, created if there is none. */
export const targetOf = (db: Db, { companyId, assetId, targetUrl }: At): Promise<store.Target> =>
  store.ensureTarget(db, {
    companyId,
    assetId,
    host: hostOf(targetUrl),
    token: `merlon-${randomBytes(20).toString('hex')}`,
  })

/** Whether, and how, the host proves that it belongs to the asset; asks for the file first, then the DNS. */
export async function askHost(
  { outbound }: Pick<Parts, 'outbound'>,
  { token, host }: store.Target,
  targetUrl: string,
): Promise<'FILE' | 'DNS' | null> {
  if (await hasFile(outbound, targetUrl, token)) return 'FILE'
  return (await hasRecord(host, token)) ? 'DNS' : null
}

async function hasFile(outbound: Parts['outbound'], targetUrl: string, token: string): Promise<boolean> {
  try {
    const address = new URL(FILE_PATH, targetUrl).href
    const answer = await outbound.call(address, { largest: LARGEST, timeout: PATIENCE })
    return answer.status === 200 && linesOf(answer.body.toString('utf8')).includes(token)
  } catch (error) {
    if (error instanceof OutboundFailed) return false
    throw error
  }
}

async function hasRecord(host: string, token: string): Promise<boolean> {
  const records = await resolveTxt(dnsName(host)).catch(() => [])
  return records.some((parts) => parts.join('').trim() === token)
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).map((line) => line.trim())

/** Null if the target may be scanned, otherwise what to do, in a sentence. Asks the host if nobody has confirmed it yet. */
export async function whyNotScanned(parts: WorkParts, at: At): Promise<string | null> {
  if (isAllowedByOperator(parts, at.targetUrl)) return null
  const target = await targetOf(parts.db, at)
  if (target.verifiedBy !== null) return null
  const by = await askHost(parts, target, at.targetUrl)
  if (by === null) return howToVerify(target)
  await transaction(parts.db, (trx) => store.verifyTarget(trx, target, by))
  return null
}

const howToVerify = ({ host, token }: store.Target): string =>
  `${host} is not verified as this asset's: put ${token} on a line of ${FILE_PATH} there, or in a TXT record of ${dnsName(host)}, or have an administrator allow it`
