// Reads the XML report of Checkmarx SAST: the results of each query, with their data flows.

import { flowOf } from '../flow.ts'
import { isSecretWeakness, maskedCode } from '../secrets.ts'
import type { CodeObservation, FlowStep, ReportReader, ReportSource, Row } from '../types.ts'
import { code, cwesIn, headline, links, paragraphs, severityOf, some, text, uniq, whole } from '../values.ts'
import { type GivenElement, xmlRows } from '../xml-rows.ts'
import { childOf, childrenOf, type Element, textIn } from '../xml-walk.ts'

export const checkmarx: ReportReader = {
  format: 'checkmarx',
  label: 'Checkmarx SAST XML',
  recognises: ({ text: head }) => /^[^{[]{0,2000}?<CxXMLResults[\s>]/.test(head),
  read,
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return xmlRows(source, ['CxXMLResults/Query/Result'], rowsOf)
}

type Attributes = Readonly<Record<string, string>>

/** The state that a person set in Checkmarx. */
const NOT_EXPLOITABLE = '1'
const states: ReadonlyMap<string, string> = new Map([
  ['2', 'confirmed'],
  ['3', 'urgent'],
  ['4', 'proposed not exploitable'],
])

function* rowsOf({ element, ancestors, at }: GivenElement): Iterable<Row> {
  const query = ancestors.at(-1)?.attributes ?? {}
  const rule = text(query.name) ?? text(query.id)
  if (rule === undefined) yield { kind: 'LEFT_OUT', at, reason: 'It names no query' }
  else if (element.attributes.Status === 'Fixed') yield { kind: 'PASSED_OVER', at, reason: 'It is fixed' }
  else yield { kind: 'OBSERVATION', at, observation: observedOf(element, query, rule) }
}

/** The rule is the query's name, because the number of the same query differs in a custom preset. */
function observedOf(result: Element, query: Attributes, rule: string): CodeObservation {
  const { attributes } = result
  const path = childOf(result, 'Path')
  const nodes = childrenOf(path, 'PathNode')
  const cweIds = cwesIn(query.cweId)
  const isSecret = isSecretWeakness(cweIds)
  const steps = nodes.map(stepOf)
  const name = rule.replaceAll('_', ' ')
  const similar = text(path?.attributes.SimilarityId, 100)
  const state = states.get(attributes.state ?? '')
  const snippet = codeIn(nodes[0])
  return {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: 'Checkmarx',
    ruleId: rule,
    title: headline(name, rule),
    description: paragraphs(name, text(query.QueryPath), detailOf(nodes)),
    severity: severityOf(attributes.Severity) ?? severityOf(query.Severity),
    cweIds,
    reference: links(text(attributes.DeepLink)),
    tags: some(uniq([text(query.Language, 100), text(query.group, 200), state])),
    fingerprint: similar && `${rule}:${similar}`,
    fileName: text(attributes.FileName) ?? text(textIn(nodes[0], 'FileName')),
    line: whole(attributes.Line) ?? whole(textIn(nodes[0], 'Line')),
    column: whole(attributes.Column),
    codeSnippet: snippet && isSecret ? maskedCode(snippet) : snippet,
    firstLine: whole(textIn(lineIn(nodes[0]), 'Number')),
    source: endOf(nodes[0]),
    sink: endOf(nodes.at(-1)),
    flow: isSecret ? undefined : flowOf(steps),
    decision: decisionOf(attributes),
  }
}

const lineIn = (node: Element | undefined): Element | undefined => childOf(childOf(node, 'Snippet'), 'Line')

const codeIn = (node: Element | undefined): string | undefined => code(textIn(lineIn(node), 'Code'), 20_000)

const stepOf = (node: Element): FlowStep => ({
  path: text(textIn(node, 'FileName')),
  line: whole(textIn(node, 'Line')),
  text: codeIn(node) ?? text(textIn(node, 'Name')),
})

const endOf = (node: Element | undefined): string | undefined => {
  const [file, line] = [text(textIn(node, 'FileName')), text(textIn(node, 'Line'))]
  return file === undefined ? undefined : [file, line].filter(Boolean).join(':')
}

function detailOf(nodes: readonly Element[]): string | undefined {
  const [first, last] = [text(textIn(nodes[0], 'Name')), text(textIn(nodes.at(-1), 'Name'))]
  return first === undefined || last === undefined || nodes.length < 2 ? undefined : `From ${first} to ${last}`
}

function decisionOf({ FalsePositive, state, Remark }: Attributes): CodeObservation['decision'] {
  if (state !== NOT_EXPLOITABLE && FalsePositive?.toLowerCase() !== 'true') return undefined
  return { status: 'FALSE_POSITIVE', reason: text(Remark, 2000) ?? 'It is marked as not exploitable in Checkmarx.' }
}
