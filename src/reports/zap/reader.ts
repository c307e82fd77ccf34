// Reads ZAP's reports, XML and JSON: each alert becomes a finding, with all the requests that raised it.

import { withoutCredentials } from '../credentials.ts'
import { firstCharacter } from '../detect.ts'
import { addressesIn, htmlText } from '../html-text.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import type { ExchangeObservation, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { cwesIn, type Fields, headline, isObject, links, objects, paragraphs, text, texts, uniq } from '../values.ts'
import { fieldsOf } from '../xml-fields.ts'
import { readXml } from '../xml-walk.ts'

export const zap: ReportReader = {
  format: 'zap',
  label: 'ZAP XML or JSON',
  recognises: ({ text: head }) =>
    /<OWASPZAPReport[\s>]/.test(head) ||
    (/"@programName"\s*:\s*"(OWASP )?ZAP"/.test(head) && !/^\s*</.test(head)) ||
    (/"site"\s*:\s*\[/.test(head) && /"alerts"\s*:\s*\[/.test(head) && !isOfGitLab(head)),
  read,
}

/** A DAST report of GitLab names the sites that ZAP saw, beside the vulnerabilities that it made of the alerts. */
const isOfGitLab = (head: string): boolean => /"scan"\s*:\s*\{/.test(head)

async function* read(source: ReportSource): AsyncGenerator<Row> {
  if ((await firstCharacter(source)) === '<') yield* readXmlReport(source)
  else yield* jsonRows(source, ['site[].alerts[]'], ({ value, at }: Given) => [rowOf(value, at)])
}

async function* readXmlReport(source: ReportSource): AsyncGenerator<Row> {
  let count = 0
  for await (const item of readXml(source.open(), ['OWASPZAPReport/site/alerts/alertitem'])) {
    const place = `alertitem ${++count}`
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: place, reason: item.reason }
    else yield rowOf(fieldsOf(item.element), place)
  }
}

const severities: readonly Severity[] = ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH']

/** Requests that are told in the description. */
const MOST_TOLD = 100

function rowOf(alert: unknown, place: string): Row {
  const title = isObject(alert) ? (text(alert.name) ?? text(alert.alert)) : undefined
  if (!isObject(alert) || title === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It has no name' }
  const instances = instancesOf(alert.instances)
  const first = instances[0] ?? {}
  const rule = text(alert.alertRef) ?? text(alert.pluginid)
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'ZAP',
    ruleId: rule,
    title: headline(title, title),
    description: paragraphs(htmlText(alert.desc), htmlText(alert.otherinfo), withoutCredentials(told(instances))),
    severity: severities[Number(text(alert.riskcode))],
    cweIds: cwesIn(alert.cweid),
    reference: links(...addressesIn(alert.reference)),
    solution: htmlText(alert.solution),
    fingerprint: fingerprintOf(text(first.uri) ?? text(alert.uri), text(alert.alertRef), rule, title),
    url: withoutCredentials(text(first.uri) ?? text(alert.uri)),
    method: text(first.method),
    parameters: text(first.param),
    request: exchangeOf(first.requestheader ?? first['request-header'], first.requestbody ?? first['request-body']),
    response: exchangeOf(
      first.responseheader ?? first['response-header'],
      first.responsebody ?? first['response-body'],
    ),
    // ZAP calls an alert of confidence 0 a false positive: somebody marked it.
    decision:
      text(alert.confidence) === '0'
        ? { status: 'FALSE_POSITIVE', reason: 'It is marked as a false positive in ZAP.' }
        : undefined,
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/**
 * An alert has one entry for each site, whose requests come in another order with every scan. Without an alertRef, alerts of one plugin
 * differ by their names.
 */
function fingerprintOf(uri: string | undefined, ref: string | undefined, rule: string | undefined, title: string) {
  if (rule === undefined || uri === undefined || !URL.canParse(uri)) return undefined
  return [new URL(uri).origin, rule, ...(ref === undefined ? [title] : [])].join(' ')
}

/** XML has one element or several below `instances`, JSON an array. */
function instancesOf(value: unknown): readonly Fields[] {
  if (Array.isArray(value)) return objects(value)
  if (!isObject(value)) return []
  return Array.isArray(value.instance) ? objects(value.instance) : objects([value.instance])
}

const told = (instances: readonly Fields[]): string | undefined =>
  instances.length === 0
    ? undefined
    : uniq(
        instances
          .slice(0, MOST_TOLD)
          .map((each) => texts([each.method, each.uri, each.param, each.evidence]).join(' ')),
      )
        .concat(instances.length > MOST_TOLD ? [`and ${instances.length - MOST_TOLD} more`] : [])
        .join('\n')

const exchangeOf = (header: unknown, body: unknown): string | undefined =>
  withoutCredentials(text([text(header), text(body)].filter(Boolean).join('\n\n')))
