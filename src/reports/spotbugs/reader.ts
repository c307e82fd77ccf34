// Reads the XML of SpotBugs and its predecessor FindBugs: findings in Java bytecode, with or without messages.

import { htmlText } from '../html-text.ts'
import { isSecretWeakness } from '../secrets.ts'
import type { CodeObservation, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { cwesIn, headline, paragraphs, some, text, uniq, whole } from '../values.ts'
import { type GivenElement, xmlRows } from '../xml-rows.ts'
import { childrenOf, type Element, readXml, textIn } from '../xml-walk.ts'

export const spotbugs: ReportReader = {
  format: 'spotbugs',
  label: 'SpotBugs XML',
  recognises: ({ text: head }) => /^[^{[]{0,2000}?<BugCollection[\s>]/.test(head),
  read,
}

const PATTERN = 'BugCollection/BugPattern'
const DIRECTORY = 'BugCollection/Project/SrcDir'
const BUG = 'BugCollection/BugInstance'
const UNREAD = 'BugCollection/Errors/AnalysisError'

const MOST_PATTERNS = 10_000

type Known = { patterns: ReadonlyMap<string, Element>; directory: string }

/** What a pattern means stands behind the bugs: the first pass learns it. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const known = await knownOf(source)
  yield* xmlRows(source, [BUG, UNREAD], (given) => rowsOf(given, known))
}

async function knownOf(source: ReportSource): Promise<Known> {
  const patterns = new Map<string, Element>()
  const directories = new Set<string>()
  for await (const item of readXml(source.open(), [PATTERN, DIRECTORY])) {
    if (item.kind !== 'VALUE' || patterns.size >= MOST_PATTERNS) continue
    if (item.path === PATTERN) patterns.set(item.element.attributes.type ?? '', item.element)
    else if (directories.size < MOST_PATTERNS) directories.add(item.element.text.replaceAll('\\', '/'))
  }
  const written = [...directories].filter((directory) => !GENERATED.test(directory))
  return { patterns, directory: written.length === 1 ? `${written[0]}/` : '' }
}

/** Directories of what a build wrote, in which nobody mends anything. */
const GENERATED = /\/(?:target|build|generated|generated-sources)(?:\/|$)/

function* rowsOf({ path, element, at }: GivenElement, known: Known): Iterable<Row> {
  const { attributes } = element
  if (path === UNREAD) yield unreadRow(text(textIn(element, 'ErrorMessage'), 2000), at)
  else if (!attributes.type) yield { kind: 'LEFT_OUT', at, reason: 'It names no type of bug' }
  else yield { kind: 'OBSERVATION', at, observation: observedOf(element, attributes.type, known) }
}

/** It names no file, so that what is absent may stand anywhere. */
const unreadRow = (said: string | undefined, at: string): Row => ({
  kind: 'LEFT_OUT',
  at,
  reason: headline(said && `SpotBugs did not read a class: ${said}`, 'SpotBugs did not read a class', 300),
  isUndecided: true,
})

function observedOf(bug: Element, type: string, { patterns, directory }: Known): CodeObservation {
  const { attributes } = bug
  const pattern = patterns.get(type)
  const [short, long] = [text(textIn(bug, 'ShortMessage')), text(textIn(bug, 'LongMessage'))]
  const place = placeOf(bug)
  const cweIds = cwesIn(attributes.cweid ?? pattern?.attributes.cweid)
  const isOne = whole(attributes.instanceOccurrenceMax, 0) === 0
  const written = text(place?.sourcepath)
  return {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: 'SpotBugs',
    ruleId: type,
    title: headline(short ?? text(textIn(pattern ?? bug, 'ShortDescription')), type),
    description: paragraphs(
      isSecretWeakness(cweIds) ? short : (long ?? short),
      htmlText(textIn(pattern ?? bug, 'Details')),
    ),
    severity: severities.get(attributes.priority ?? ''),
    cweIds,
    tags: some(uniq([text(attributes.category, 100)])),
    // Its hash is of where the bug is in the class, without lines; equal ones of a method are numbered.
    fingerprint: isOne ? text(attributes.instanceHash, 200) : undefined,
    partialFingerprint: isOne ? undefined : text(attributes.instanceHash, 200),
    fileName: text(place?.relSourcepath) ?? (written && directory + written),
    line: whole(place?.start),
  }
}

/** The line that SpotBugs marks, else the first, else where the method, field or class begins. */
function placeOf(bug: Element): Readonly<Record<string, string>> | undefined {
  const own = childrenOf(bug, 'SourceLine')
  const marked = own.find(({ attributes }) => attributes.primary === 'true') ?? own[0]
  const around = ['Method', 'Field', 'Class'].flatMap((name) => childrenOf(bug, name).slice(0, 1))
  return [marked, ...around.flatMap((each) => childrenOf(each, 'SourceLine'))]
    .map((each) => each?.attributes)
    .find((attributes) => attributes?.sourcepath !== undefined)
}

const severities: ReadonlyMap<string, Severity> = new Map([
  ['1', 'HIGH'],
  ['2', 'MEDIUM'],
  ['3', 'LOW'],
  ['4', 'NOTIFICATION'],
  ['5', 'NOTIFICATION'],
])
