// Turns a record of ScannerA's exports into an observation: of a host, or of a web application.

import { createHash } from 'node:crypto'
import { type Result, rowOf } from '../../reports/tenable/row.ts'
import type { ExchangeObservation, Row } from '../../reports/types.ts'
import { at, cvssVectorOf, type Fields, number, object, text, textAt, texts } from '../../reports/values.ts'

/** Both products tell their tools apart, so that each is compared with its own reports. */
const WEB_TOOL = 'Tenable WAS'

export const assetIdOf = (record: unknown): string | undefined => textAt(record, 'asset', 'uuid')

/** A finding of Vulnerability Management: a plugin on a port of a host. */
export function hostRow(record: unknown, place: string): Row {
  const plugin = object(at(record, 'plugin'))
  const host = ['fqdn', 'hostname', 'ipv4', 'ipv6', 'uuid'].map((name) => textAt(record, 'asset', name))
  const port = textAt(record, 'port', 'port')
  const protocol = textAt(record, 'port', 'protocol')
  const pluginId = text(plugin.id)
  const row = rowOf(
    {
      ...common(record, plugin),
      id: textAt(record, 'finding_id') ?? keyOf(assetIdOf(record), pluginId, port, protocol),
      host: host.find((name) => name !== undefined) ?? '',
      port,
      protocol,
      service: textAt(record, 'port', 'service'),
      url: undefined,
      method: undefined,
      input: undefined,
      proof: undefined,
    },
    place,
  )
  return decided(row, record, 'Nessus')
}

/** A finding of Web App Scanning: a plugin at an address. */
export function webRow(record: unknown, place: string): Row {
  const plugin = object(at(record, 'plugin'))
  const url = textAt(record, 'url')
  const input = textAt(record, 'input_name')
  const row = rowOf(
    {
      ...common(record, plugin),
      id: textAt(record, 'finding_id') ?? keyOf(assetIdOf(record), text(plugin.id), url, input),
      host: url ?? textAt(record, 'asset', 'fqdn') ?? '',
      port: undefined,
      protocol: undefined,
      service: undefined,
      url,
      method: textAt(record, 'http_method'),
      input,
      proof: textAt(record, 'proof'),
    },
    place,
  )
  return decided(row, record, WEB_TOOL)
}

type Place = 'id' | 'host' | 'port' | 'protocol' | 'service' | 'url' | 'method' | 'input' | 'proof'

const common = (record: unknown, plugin: Fields): Omit<Result, Place> => ({
  plugin: text(plugin.id),
  name: text(plugin.name),
  family: text(plugin.family),
  severity: textAt(record, 'severity_id'),
  risk: textAt(record, 'severity') ?? text(plugin.risk_factor),
  isAccepted: textAt(record, 'severity_modification_type')?.toUpperCase() === 'ACCEPTED',
  synopsis: text(plugin.synopsis),
  description: text(plugin.description),
  solution: text(plugin.solution),
  output: textAt(record, 'output'),
  links: texts(plugin.see_also),
  cves: texts(plugin.cve),
  cwes: texts(plugin.cwe),
  score: plugin.cvss4_base_score ?? plugin.cvss3_base_score ?? plugin.cvss_base_score ?? plugin.cvss2_base_score,
  vector: vectorOf(plugin),
  epss: fraction(plugin.epss_score),
  request: undefined,
  response: undefined,
})

/** Of hosts the version before the vector is left out. */
function vectorOf(plugin: Fields): string | undefined {
  const four = textAt(plugin, 'cvss4_vector', 'raw')
  const three = textAt(plugin, 'cvss3_vector', 'raw')
  return (
    (four === undefined ? undefined : (cvssVectorOf(four) ?? cvssVectorOf(`CVSS:4.0/${four}`))) ??
    (three === undefined ? undefined : (cvssVectorOf(three) ?? cvssVectorOf(`CVSS:3.1/${three}`)))
  )
}

/** EPSS stands as a percentage. */
const fraction = (percentage: unknown): number | undefined => {
  const value = number(percentage)
  return value === undefined ? undefined : Math.round(value * 1e6) / 1e8
}

const keyOf = (...parts: readonly (string | undefined)[]): string =>
  createHash('sha256')
    .update(parts.map((part) => part ?? '').join('|'))
    .digest('hex')

function decided(row: Row, record: unknown, toolName: string): Row {
  if (row.kind !== 'OBSERVATION' || row.observation.kind !== 'EXCHANGE') return row
  const observation: ExchangeObservation = { ...row.observation, toolName }
  if (textAt(record, 'state')?.toUpperCase() === 'FIXED') {
    const on = textAt(record, 'last_fixed')?.slice(0, 10)
    observation.decision = { status: 'FIX_ACCEPTED', reason: `Fixed in Tenable${on === undefined ? '' : ` on ${on}`}` }
  } else if (observation.decision) {
    const said = textAt(record, 'recast_reason')?.slice(0, 2000)
    observation.decision = { ...observation.decision, reason: said ?? observation.decision.reason }
  }
  return { ...row, observation }
}
