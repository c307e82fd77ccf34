// Reads Nikto's reports: XML of every version, and JSON.

import { withoutCredentials } from '../credentials.ts'
import { firstCharacter } from '../detect.ts'
import { addressesIn } from '../html-text.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { readJson } from '../json-walk.ts'
import type { ExchangeObservation, ReportReader, ReportSource, Row } from '../types.ts'
import { headline, isObject, links, text, textAt, vulnerabilityIdsIn } from '../values.ts'
import { fieldsOf } from '../xml-fields.ts'
import { readXml } from '../xml-walk.ts'

export const nikto: ReportReader = {
  format: 'nikto',
  label: 'Nikto XML or JSON',
  recognises: ({ text: head }) =>
    /<niktoscan[\s>]/.test(head) ||
    (/"banner"\s*:/.test(head) && /"vulnerabilities"\s*:\s*\[/.test(head) && /"host"\s*:/.test(head)),
  read,
}

const MOST_SITES = 100_000

/** Where a scan was pointed at. */
type Site = { address: string }

async function* read(source: ReportSource): AsyncGenerator<Row> {
  yield* (await firstCharacter(source)) === '<' ? readXmlReport(source) : readJsonReport(source)
}

async function* readXmlReport(source: ReportSource): AsyncGenerator<Row> {
  let count = 0
  for await (const item of readXml(source.open(), [
    'niktoscan/niktoscan/scandetails/item',
    'niktoscan/scandetails/item',
  ])) {
    const place = `item ${++count}`
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: place, reason: item.reason }
    else {
      const fields = fieldsOf(item.element)
      const details = item.ancestors.at(-1)?.attributes ?? {}
      const site = { address: text(fields.namelink) ?? details.sitename ?? `http://${details.targethostname ?? ''}` }
      const given = {
        id: fields['@id'],
        method: fields['@method'],
        url: fields.uri,
        msg: fields.description,
        references: fields.references,
      }
      yield rowOf(given, site, place, true)
    }
  }
}

/** One host is an object, several are an array; what a host says of itself may stand behind its findings. */
async function* readJsonReport(source: ReportSource): AsyncGenerator<Row> {
  const sites = new Map<string, Record<string, string>>()
  const names = ['host', 'ip', 'port']
  for await (const item of readJson(
    source.open(),
    names.flatMap((name) => [name, `[].${name}`]),
  )) {
    if (item.kind !== 'VALUE' || sites.size >= MOST_SITES) continue
    const key = JSON.stringify(item.keys.slice(0, -1))
    sites.set(key, { ...sites.get(key), [String(item.keys.at(-1))]: text(item.value) ?? '' })
  }
  yield* jsonRows(source, ['vulnerabilities[]', '[].vulnerabilities[]'], ({ value, keys, at }: Given) => {
    const { host, ip, port } = sites.get(JSON.stringify(keys.slice(0, -2))) ?? {}
    return [rowOf(value, { address: addressOf(host || ip, port) }, at, false)]
  })
}

/** The report does not say whether it spoke TLS; the ports that are meant for it do. */
function addressOf(host: string | undefined, port: string | undefined): string {
  const scheme = port === '443' || port === '8443' ? 'https' : 'http'
  const isUsual = !port || port === '80' || port === '443'
  return `${scheme}://${host ?? ''}${isUsual ? '' : `:${port}`}`
}

function rowOf(value: unknown, site: Site, place: string, isWhole: boolean): Row {
  const message = textAt(value, 'msg')
  if (!isObject(value) || message === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It has no message' }
  const path = text(value.url) ?? '/'
  const url =
    isWhole || /^https?:/.test(path) ? site.address : `${site.address}${path.startsWith('/') ? '' : '/'}${path}`
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'Nikto',
    // Nikto numbers its tests; general ones, like a header that is missing, share a number and differ by their message.
    ruleId: [text(value.id), headline(withoutCredentials(message), message, 120)].filter(Boolean).join(': '),
    title: headline(withoutCredentials(message), message),
    description: withoutCredentials(message),
    // Nikto rates nothing.
    severity: 'LOW',
    vulnerabilityIds: vulnerabilityIdsIn(message, value.references),
    reference: links(...addressesIn(value.references), ...addressesIn(message)),
    url,
    method: text(value.method),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}
