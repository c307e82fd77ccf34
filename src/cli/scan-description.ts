// Reads the API description that `merlon scan --schema` names: a local file, or an address that serves it.

import { readFile } from 'node:fs/promises'
import { type Certificate, readCertificate } from '../core/certificate.ts'
import { openOutbound } from '../core/outbound.ts'
import type { Allowed } from '../core/outbound-address.ts'
import { OutboundFailed } from '../core/outbound-errors.ts'
import type { ScanOptions } from '../scanner/options.ts'
import { reading } from './files.ts'
import { WrongUse } from './wrong-use.ts'

/** The largest description in bytes, and milliseconds to fetch it. */
const LARGEST = 32 * 1024 * 1024
const PATIENCE = 30_000

/** Throws WrongUse that says why there is no description. If an address at the target itself fails, the scan may still fetch it in another way. */
export async function readDescription(
  given: string,
  target: URL,
  allowed: Allowed,
  certificate?: string,
): Promise<NonNullable<ScanOptions['schema']>> {
  const taken = certificate === undefined ? null : readCertificate(certificate)
  if (certificate !== undefined && taken === null)
    throw new WrongUse('--certificate takes a SHA-256 fingerprint of 64 hexadecimal digits, or any')
  if (taken !== null && !/^https:\/\//i.test(given))
    throw new WrongUse('--certificate applies only to an https address in --schema')
  if (/^https?:\/\//i.test(given)) return fetched(given, target, allowed, taken)
  return { name: given, text: await reading(given, readFile(given, 'utf8')) }
}

async function fetched(
  address: string,
  target: URL,
  allowed: Allowed,
  certificate: Certificate | null,
): Promise<NonNullable<ScanOptions['schema']>> {
  const host = (URL.parse(address)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1')
  // whoever types the address allows calling it, without TLS too
  const named = { ...allowed, hosts: new Set([...allowed.hosts, host]), plain: new Set([...allowed.plain, host]) }
  const outbound = openOutbound({ allowed: named, certificate })
  try {
    const limits = { largest: LARGEST, timeout: PATIENCE, redirects: 'same-origin' } as const
    const { status, body, url } = await outbound.call(address, limits)
    if (status !== 200 && URL.parse(url)?.origin === target.origin) return { name: address, text: '', url, status }
    if (status !== 200) throw new WrongUse(`the description at ${address} answered ${status}`)
    return { name: address, text: body.toString('utf8'), url }
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    const way =
      error.reason === 'UNTRUSTED'
        ? '; to accept its certificate, give --certificate with its SHA-256 fingerprint, or with any'
        : ''
    throw new WrongUse(`the description at ${address} could not be fetched: ${error.message}${way}`)
  } finally {
    await outbound.close()
  }
}
