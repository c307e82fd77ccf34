// Reads SonarQube: responses of its web API (issues, hotspots), its generic issue data, and the output of sonar-report.

import { htmlText } from '../html-text.ts'
import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import type { ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { at, type Fields, isObject, object, objects, text, whole } from '../values.ts'
import { externalRow, isExternal, rulesById } from './external.ts'
import { htmlRows } from './html.ts'
import { issueRow, type Known, type Rule, ruleOfHtml } from './issue.ts'

export const sonarqube: ReportReader = { format: 'sonarqube', label: 'SonarQube JSON or HTML', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  if (/^\s*</.test(head)) return /<(?:title|h1)>\s*SonarQube [^<]{0,40}Report/i.test(head)
  if (!/^\s*\{/.test(head)) return false
  if (/"sonar(?:BaseURL|Component)"\s*:/.test(head)) return true
  if (/"hotspots"\s*:\s*\[/.test(head)) return /"paging"\s*:|"vulnerabilityProbability"\s*:/.test(head)
  return (
    /"issues"\s*:\s*\[/.test(head) && /"effortTotal"\s*:|"textRange"\s*:|"debt"\s*:|"primaryLocation"\s*:/.test(head)
  )
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  for await (const chunk of source.open()) {
    if (/^\s*</.test(Buffer.from(chunk.subarray(0, 1000)).toString())) yield* htmlRows(source)
    else yield* fromJson(source)
    return
  }
}

async function* fromJson(source: ReportSource): AsyncGenerator<Row> {
  const facts = await firstValues(source, ['rules', 'components', 'paging', 'total', 'ps', 'p'])
  const known: Known = { rules: rulesOf(facts.get('rules')), paths: pathsOf(facts.get('components')) }
  const external = rulesById(facts.get('rules'))
  yield* jsonRows(source, ['issues[]', 'hotspots[]'], (given) =>
    isObject(given.value) && isExternal(given.value)
      ? [externalRow(given.value, given.at, external)]
      : rowsOf(given, known),
  )
  const total = whole(at(facts.get('paging'), 'total'), 0) ?? whole(facts.get('total'), 0) ?? 0
  const size = whole(at(facts.get('paging'), 'pageSize')) ?? whole(facts.get('ps'))
  const page = whole(at(facts.get('paging'), 'pageIndex')) ?? whole(facts.get('p')) ?? 1
  if (size !== undefined && (page > 1 || total > size)) {
    yield { kind: 'TRUNCATED', reason: `It is page ${page} of the answer, ${size} of ${total}, not all of it` }
  }
}

function* rowsOf({ path, value, at: place }: Given, known: Known): Iterable<Row> {
  if (!isObject(value)) yield { kind: 'LEFT_OUT', at: place, reason: 'It is not an object' }
  else yield* issueRow(value, place, known, path === 'hotspots[]')
}

/** By key, as sonar-report writes them, or a list, as the API does. */
function rulesOf(value: unknown): ReadonlyMap<string, Rule> {
  const entries: [string, Fields][] = Array.isArray(value)
    ? objects(value).map((rule) => [text(rule.key, 200) ?? '', rule])
    : Object.entries(object(value)).map(([key, rule]) => [key, object(rule)])
  return new Map(
    entries.map(([key, rule]) => [key, ruleOfHtml(text(rule.name), text(rule.htmlDesc), htmlText(rule.htmlDesc))]),
  )
}

function pathsOf(value: unknown): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const component of objects(value)) {
    const [key, path] = [text(component.key, 2000), text(component.path, 2000)]
    if (key !== undefined && path !== undefined) paths.set(key, path)
  }
  return paths
}
