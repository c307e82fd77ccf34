// ScannerA: Tenable Vulnerability Management and Web App Scanning, whose findings come as exports.

import { isIPv4 } from 'node:net'
import type { Row } from '../../reports/types.ts'
import { objects, text, textAt } from '../../reports/values.ts'
import { VendorRefused } from '../errors.ts'
import { at } from '../paths.ts'
import { rateTable } from '../rates.ts'
import type { PullAsked } from '../scanner.ts'
import type { Session } from '../session.ts'
import type { Connector } from '../types.ts'
import { exported, hostExporter, type Wanted, webExporter } from './exports.ts'
import { assetIdOf, hostRow, webRow } from './findings.ts'
import { hostOf, listProjects, readHost, readProjectId, readTargets } from './projects.ts'
import { exportsSchema } from './schemas.ts'

const ADDRESS = 'https://cloud.tenable.com'

export const scannerA: Connector = {
  type: 'SCANNER_A',
  name: 'ScannerA',
  base: ({ baseUrl }) => baseUrl ?? ADDRESS,
  rates: rateTable.SCANNER_A,
  authorization(credential) {
    if (credential.kind !== 'KEY_PAIR') throw new VendorRefused('ScannerA', 'CREDENTIAL')
    return { 'x-apikeys': `accessKey=${credential.accessKey};secretKey=${credential.secretKey}` }
  },
  headers: { 'user-agent': 'Integration/1.0 (Merlon; Merlon; Build/1)' },
  readError: (body) =>
    text(textAt(body, 'message')) ?? textAt(body, 'error') ?? textAt(objects(body)[0], 'reason') ?? null,
  oauth: null,
  check,
  scanner: { listProjects, requireProjectId: readProjectId, pull },
}

/** A container may have one of the two products alone. */
async function check({ client }: Session): Promise<void> {
  try {
    await client.get(at`/vulns/export/status`, exportsSchema)
  } catch (error) {
    if (!(error instanceof VendorRefused) || error.kind !== 'PERMISSION') throw error
    await client.get(at`/was/v1/export/vulns/status`, exportsSchema)
  }
}

/** A pull of all asks for what is open: what it does not have is fixed, deleted or aged out. */
async function* pull(session: Session, { projectId, since }: PullAsked): AsyncGenerator<Row> {
  const { product, id } = readProjectId(projectId)
  // 0 may count as not said, which means 30 days
  const from = since === null ? 1 : Math.max(1, Math.floor(Date.parse(since) / 1000))
  const state = since === null ? ['OPEN', 'REOPENED'] : ['OPEN', 'REOPENED', 'FIXED']
  yield { kind: 'SCOPE', scope: projectId }
  yield* product === 'vm' ? pullHost(session, id, { since: from, state }) : pullWeb(session, id, { since: from, state })
}

type Narrowing = Omit<Wanted, 'more'>

/** Exports are not of one host: its only address narrows them down where it has one, and its id decides. */
async function* pullHost(session: Session, id: string, wanted: Narrowing): AsyncGenerator<Row> {
  const { ipv4 } = await readHost(session, id)
  const [address, another] = ipv4.filter((each) => isIPv4(each))
  const more = address !== undefined && another === undefined ? { cidr_range: `${address}/32` } : {}
  for await (const item of exported(session, hostExporter, { ...wanted, more })) {
    if (item.kind === 'INCOMPLETE') yield { kind: 'TRUNCATED', reason: item.reason }
    else if (assetIdOf(item.record) === undefined) yield { kind: 'LEFT_OUT', at: item.at, reason: 'It names no asset' }
    else if (assetIdOf(item.record) === id) yield hostRow(item.record, item.at)
  }
}

/** A configuration's findings are those at the hosts that it scans. */
async function* pullWeb(session: Session, id: string, wanted: Narrowing): AsyncGenerator<Row> {
  const hosts = await readTargets(session, id)
  for await (const item of exported(session, webExporter, { ...wanted, more: {} })) {
    if (item.kind === 'INCOMPLETE') yield { kind: 'TRUNCATED', reason: item.reason }
    else {
      const url = textAt(item.record, 'url')
      const host = url === undefined ? textAt(item.record, 'asset', 'fqdn')?.toLowerCase() : hostOf(url)
      if (!host) yield { kind: 'LEFT_OUT', at: item.at, reason: 'It names no address' }
      else if (hosts.has(host)) yield webRow(item.record, item.at)
    }
  }
}
