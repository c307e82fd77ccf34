// Reads Burp Suite's XML: each issue on a path becomes a finding.

import { withoutCredentials } from '../credentials.ts'
import { addressesIn, htmlText } from '../html-text.ts'
import type { ExchangeObservation, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { cwesIn, headline, links, paragraphs, text } from '../values.ts'
import { childOf, childrenOf, type Element, readXml, textIn } from '../xml-walk.ts'

export const burp: ReportReader = {
  format: 'burp',
  label: 'Burp Suite XML',
  recognises: ({ text: head }) =>
    /<issues\s[^>]{0,2000}burpVersion=/.test(head) || /<!ATTLIST issues burpVersion/.test(head),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  let count = 0
  for await (const item of readXml(source.open(), ['issues/issue'])) {
    const place = `issue ${++count}`
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: place, reason: item.reason }
    else yield rowOf(item.element, place)
  }
}

const severities: ReadonlyMap<string, Severity> = new Map([
  ['High', 'HIGH'],
  ['Medium', 'MEDIUM'],
  ['Low', 'LOW'],
  ['Information', 'NOTIFICATION'],
])

/** The type shared by the issues of all extensions; only their names distinguish them. */
const OF_EXTENSIONS = '134217728'

function rowOf(issue: Element, place: string): Row {
  const name = text(textIn(issue, 'name'))
  if (name === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It has no name' }
  const type = text(textIn(issue, 'type'))
  const severity = textIn(issue, 'severity') ?? ''
  const confidence = text(textIn(issue, 'confidence'), 40)
  const exchange = childOf(issue, 'requestresponse')
  const [request, response] = [childOf(exchange, 'request'), childOf(exchange, 'response')]
  const details = childrenOf(childOf(issue, 'issueDetailItems'), 'issueDetailItem').map((item) => htmlText(item.text))
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'Burp Suite',
    ruleId: type === undefined || type === OF_EXTENSIONS ? name : type,
    title: headline(name, name),
    description: paragraphs(
      withoutCredentials(htmlText(textIn(issue, 'issueDetail'))),
      ...details.map(withoutCredentials),
      htmlText(textIn(issue, 'issueBackground')),
    ),
    severity: severities.get(severity),
    cweIds: cwesIn(textIn(issue, 'vulnerabilityClassifications')),
    reference: links(
      ...addressesIn(textIn(issue, 'references')),
      ...addressesIn(textIn(issue, 'vulnerabilityClassifications')),
    ),
    solution: paragraphs(
      htmlText(textIn(issue, 'remediationDetail')),
      htmlText(textIn(issue, 'remediationBackground')),
    ),
    tags: confidence === undefined ? undefined : [`confidence: ${confidence.toLowerCase()}`],
    url: text(`${textIn(issue, 'host') ?? ''}${pathOf(issue)}`),
    method: request?.attributes.method,
    parameters: PARAMETER.exec(textIn(issue, 'location') ?? '')?.[1],
    request: messageOf(request),
    response: messageOf(response),
    decision:
      severity === 'False positive'
        ? { status: 'FALSE_POSITIVE', reason: 'It is marked as a false positive in Burp Suite.' }
        : undefined,
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/** The parameter at the end of a location, if there is one. */
const PARAMETER = / ?\[([^\]]{1,500})\]$/

/** The path in the location is more exact: for a backup file, for example, `path` is that of the original file. */
function pathOf(issue: Element): string {
  const location = textIn(issue, 'location') ?? ''
  return location.startsWith('/') ? location.replace(PARAMETER, '') : (textIn(issue, 'path') ?? '')
}

const messageOf = (message: Element | undefined): string | undefined =>
  withoutCredentials(
    text(message?.attributes.base64 === 'true' ? Buffer.from(message.text, 'base64').toString() : message?.text),
  )
