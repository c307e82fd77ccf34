// Reads Nessus' exports, XML of the network and the web scanner, and CSV: each plugin on a port of a host is a finding.

import { readCsv } from '../csv.ts'
import { firstCharacter } from '../detect.ts'
import { addressesIn } from '../html-text.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { type Fields, text } from '../values.ts'
import { fieldsOf } from '../xml-fields.ts'
import { readXml } from '../xml-walk.ts'
import { rowOf } from './row.ts'

export const tenable: ReportReader = {
  format: 'tenable',
  label: 'Tenable Nessus XML or CSV',
  recognises: ({ text: head }) =>
    /<NessusClientData(_v2)?[\s>]/.test(head) ||
    /^"?Plugin ID"?[,;]"?CVE"?[,;]/.test(head) ||
    /^"?Plugin"?[,;]"?Plugin Name"?[,;]/.test(head),
  read,
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
      const host = around?.attributes.name ?? properties.get('host-fqdn') ?? properties.get('host-ip') ?? ''
      yield rowOf(ofXml(fieldsOf(item.element), host), `item ${++count} of ${host}`)
    }
  }
}

const ofXml = (fields: Fields, host: string) => ({
  host,
  plugin: text(fields['@pluginID']),
  name: text(fields['@pluginName']) ?? text(fields.plugin_name),
  family: text(fields['@pluginFamily']),
  severity: text(fields['@severity']),
  risk: text(fields.risk_factor),
  port: fields['@port'],
  protocol: text(fields['@protocol']),
  service: text(fields['@svc_name']),
  synopsis: text(fields.synopsis),
  description: text(fields.description),
  solution: text(fields.solution),
  output: text(fields.plugin_output),
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
    else yield rowOf(ofCsv(item.row), `row ${item.line}`)
  }
}

const ofCsv = (row: Readonly<Record<string, string>>) => ({
  host: row.Host || row['IP Address'] || row['DNS Name'] || '',
  plugin: row['Plugin ID'] || row.Plugin,
  name: row.Name || row['Plugin Name'],
  family: row.Family,
  severity: undefined,
  risk: row.Risk || row.Severity || row['Risk Factor'],
  port: row.Port,
  protocol: row.Protocol,
  service: undefined,
  synopsis: row.Synopsis,
  description: row.Description,
  solution: row.Solution || row['Steps to Remediate'],
  output: row['Plugin Output'] || row['Plugin Text'],
  links: addressesIn(row['See Also']),
  cves: row.CVE,
  cwes: row.CWE ?? row.XREF,
  score: row['CVSS v4.0 Base Score'] || row['CVSS v3.0 Base Score'] || row['CVSS v2.0 Base Score'] || row.CVSS,
  vector: row['CVSS v4.0 Vector'] || row['CVSS v3.0 Vector'],
  epss: row['EPSS Score'],
  url: undefined,
  method: undefined,
  input: undefined,
  proof: undefined,
  request: undefined,
  response: undefined,
})
