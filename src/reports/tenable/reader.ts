// Reads Nessus exports, XML of the network and the web scanner, and CSV: each plugin result on a port of a host becomes a finding.

import { readCsv } from '../csv.ts'
import { firstCharacter } from '../detect.ts'
import { addressesIn } from '../html-text.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { cvssVectorOf, type Fields, text } from '../values.ts'
import { fieldsOf } from '../xml-fields.ts'
import { readXml } from '../xml-walk.ts'
import { type Result, rowOf } from './row.ts'

export const tenable: ReportReader = {
  format: 'tenable',
  label: 'Tenable Nessus XML or CSV',
  recognises: ({ text: head }) => /<NessusClientData_v2[\s>]/.test(head) || looksLikeCsv(head),
  read,
}

/** The names of a plugin and of where it saw something; what the cloud product exports names them by their path. */
function looksLikeCsv(head: string): boolean {
  const names = (head.split('\n', 1)[0] ?? '').split(/[,;\t]/).map((name) => name.replace(/["\r]/g, '').trim())
  const has = (...wanted: readonly string[]) => wanted.some((name) => names.includes(name))
  return (has('Plugin ID', 'Plugin') && has('Name', 'Plugin Name')) || (has('definition.id') && has('definition.name'))
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  yield* (await firstCharacter(source)) === '<' ? readXmlReport(source) : readCsvReport(source)
}

async function* readXmlReport(source: ReportSource): AsyncGenerator<Row> {
  const host = 'NessusClientData_v2/Report/ReportHost'
  const properties = new Map<string, string>()
  let hostIndex: number | undefined
  let count = 0
  for await (const item of readXml(source.open(), [`${host}/HostProperties/tag`, `${host}/ReportItem`])) {
    if (item.kind === 'TRUNCATED') {
      yield item
      continue
    }
    const around = item.ancestors[2]
    if (around?.index !== hostIndex) properties.clear()
    hostIndex = around?.index
    if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: `item ${++count}`, reason: item.reason }
    else if (item.path.endsWith('/tag')) properties.set(item.element.attributes.name ?? '', item.element.text)
    else {
      const names = [around?.attributes.name, properties.get('host-fqdn'), properties.get('host-ip')]
      const host = names.map((name) => text(name, 500)).find((name) => name !== undefined) ?? ''
      const fields = fieldsOf(item.element)
      count++
      // A check of compliance that passed.
      if (text(fields['compliance-result'])?.toUpperCase() !== 'PASSED')
        yield rowOf(ofXml(fields, host), `item ${count} of ${host}`)
    }
  }
}

const ofXml = (fields: Fields, host: string): Result => ({
  host,
  // All checks of compliance of one policy share a plugin.
  plugin: [text(fields['@pluginID']), text(fields['compliance-check-id'], 100)].filter(Boolean).join(':'),
  name: text(fields['compliance-check-name']) ?? text(fields['@pluginName']) ?? text(fields.plugin_name),
  family: text(fields['@pluginFamily']),
  severity: text(fields['@severity']),
  risk: text(fields.risk_factor),
  port: fields['@port'],
  protocol: text(fields['@protocol']),
  service: text(fields['@svc_name']),
  synopsis: text(fields.synopsis),
  description: text(fields['compliance-info']) ?? text(fields.description),
  solution: text(fields['compliance-solution']) ?? text(fields.solution),
  output: text(fields['compliance-actual-value']) ?? text(fields.plugin_output),
  links: addressesIn(fields.see_also),
  cves: fields.cve,
  cwes: fields.cwe,
  score: fields.cvss4_base_score ?? fields.cvss3_base_score ?? fields.cvss_base_score,
  vector: fields.cvss4_vector ?? fields.cvss3_vector,
  epss: fields.epss_score,
  url: text(fields.url) ?? text(fields.uri),
  method: text(fields.request_method),
  input: text(fields.input_name),
  proof: text(fields.proof),
  request: text(fields.http_request) ?? text(fields.request_headers),
  response: text(fields.http_response) ?? text(fields.response_headers),
})

async function* readCsvReport(source: ReportSource): AsyncGenerator<Row> {
  for await (const item of readCsv(source.open)) {
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: `row ${item.line}`, reason: item.reason }
    else if (/^fixed$/i.test(item.row.state ?? ''))
      yield { kind: 'PASSED_OVER', at: `row ${item.line}`, reason: 'It is fixed' }
    else {
      const cells = Object.entries(item.row).map(([name, value]) => [name, text(value) ?? ''])
      const row: Readonly<Record<string, string>> = Object.fromEntries(cells)
      yield rowOf('definition.id' in row ? ofCloud(row) : ofCsv(row), `row ${item.line}`)
    }
  }
}

/** Of the names that Tenable Vulnerability Management writes: the path of a value in its own records. */
const ofCloud = (row: Readonly<Record<string, string>>): Result => ({
  ...nothing,
  id: row.id,
  isAccepted: /^accepted$/i.test(row.risk_modified ?? ''),
  host:
    row['asset.display_fqdn'] || row['asset.name'] || row['asset.display_ipv4_address'] || row['asset.host_name'] || '',
  plugin: row['definition.id'],
  name: row['definition.name'],
  family: row['definition.family'] || undefined,
  risk: row.severity || row['definition.severity'],
  port: row.port,
  protocol: row.protocol || undefined,
  synopsis: row['definition.synopsis'],
  description: row['definition.description'],
  solution: row['definition.solution'],
  output: row.output,
  links: addressesIn(row['definition.see_also']),
  cves: row['definition.cve'],
  cwes: row['definition.cwe']?.split(/[\s,;]+/),
  score: row['definition.cvss4.base_score'] || row['definition.cvss3.base_score'] || row['definition.cvss2.base_score'],
  vector: cvssVectorOf(row['definition.cvss4.base_vector']) ?? vectorOfThree(row['definition.cvss3.base_vector']),
  epss: row['definition.epss.score'],
  url: row.url || undefined,
})

/** The cloud product leaves the version out. */
const vectorOfThree = (vector: string | undefined): string | undefined =>
  cvssVectorOf(vector) ?? cvssVectorOf(`CVSS:3.1/${vector ?? ''}`)

const nothing: Result = {
  host: '',
  plugin: undefined,
  name: undefined,
  family: undefined,
  severity: undefined,
  risk: undefined,
  port: undefined,
  protocol: undefined,
  service: undefined,
  synopsis: undefined,
  description: undefined,
  solution: undefined,
  output: undefined,
  links: [],
  cves: undefined,
  cwes: undefined,
  score: undefined,
  vector: undefined,
  epss: undefined,
  url: undefined,
  method: undefined,
  input: undefined,
  proof: undefined,
  request: undefined,
  response: undefined,
}

const ofCsv = (row: Readonly<Record<string, string>>): Result => ({
  ...nothing,
  host: row.Host || row['IP Address'] || row['DNS Name'] || row.FQDN || row['Asset UUID'] || '',
  plugin: row['Plugin ID'] || row.Plugin,
  name: row.Name || row['Plugin Name'],
  family: row.Family,
  risk: row.Risk || row.Severity || row['Risk Factor'],
  port: row.Port,
  protocol: row.Protocol,
  synopsis: row.Synopsis,
  description: row.Description,
  solution: row.Solution || row['Steps to Remediate'],
  output: row['Plugin Output'] || row['Plugin Text'],
  links: addressesIn(row['See Also']),
  cves: row.CVE,
  cwes: row.CWE ?? row.XREF,
  score:
    row['CVSS v4.0 Base Score'] ||
    row['CVSS v3.0 Base Score'] ||
    row['CVSS3 Base Score'] ||
    row['CVSS v2.0 Base Score'] ||
    row.CVSS,
  vector: row['CVSS v4.0 Vector'] || row['CVSS v3.0 Vector'],
  epss: row['EPSS Score'],
})
