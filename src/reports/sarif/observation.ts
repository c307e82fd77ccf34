// Converts one SARIF result into an observation, or says why it is not a finding.

import { createHash } from 'node:crypto'
import { isSecretWeakness, masked, maskedCode, withoutSecrets } from '../secrets.ts'
import type { CodeObservation, ScannedObservation } from '../types.ts'
import {
  at,
  type Fields,
  headline,
  links,
  list,
  object,
  objects,
  paragraphs,
  some,
  text,
  textAt,
  uniq,
  vulnerabilityIdsIn,
} from '../values.ts'
import { componentOf, fixesOf, unnamedComponent } from './components.ts'
import { exchangeOf } from './exchanges.ts'
import { flowOfResult } from './flows.ts'
import { typeOf } from './kinds.ts'
import { type Place, placeOfLocation, uriOf } from './places.ts'
import { cwesOf, ruleOfResult, severityOfResult, vulnerabilitiesOf } from './rule-of-result.ts'
import type { Rule, ToolPart } from './rules.ts'
import type { Run } from './run.ts'

/** Places of one result that are kept. */
const MOST_PLACES = 1000

export const isUndecided = ({ kind }: Fields): boolean => kind === 'open' || kind === 'review'

/** An observation; a sentence on why a result that someone may look for is left out; null for what is no finding. */
export function observationOf(result: Fields, run: Run): ScannedObservation | string | null {
  const kind = text(result.kind) ?? 'fail'
  if (isUndecided(result)) return `The tool did not decide on it (kind ${JSON.stringify(kind)})`
  if (kind !== 'fail' || result.baselineState === 'absent') return null
  const { rule, part, id: ruleId } = ruleOfResult(result, run.rules)
  const message = messageOf(result.message, rule, part)
  if (ruleId === undefined && message === undefined) return 'It has neither a rule nor a message'

  const places = placesOf(result, run)
  const [place] = places
  const type = typeOf(run.toolName, rule, ruleId)
  const common = {
    type,
    toolName: run.toolName,
    ruleId,
    title: titleOf(rule, ruleId, message, run.toolName),
    description: descriptionOf(rule, message, place),
    ...severityOfResult(result, rule, run.rules),
    cweIds: cwesOf(result, rule, run.rules),
    reference: links(...(rule?.reference?.split('\n') ?? []), textAt(result, 'hostedViewerUri')),
    solution: paragraphs(...fixesOf(result), remedyOf(rule?.help)),
    tags: some(rule?.tags ?? []),
    originalIssueIdFromTool: text(result.correlationGuid, 200),
    ...fingerprintsOf(result),
    decision: decisionOf(result),
  }
  const isSca = type === 'SCA_FINDING' || type === 'CONTAINER_FINDING'
  const vulnerabilityIds = isSca
    ? vulnerabilityIdsIn(rule?.vulnerabilityIds ?? [], ruleId, message)
    : vulnerabilitiesOf(rule, ruleId)
  if (isSca) {
    const component = componentOf(result, rule, message, place) ?? unnamedComponent(place)
    return { ...common, vulnerabilityIds, kind: 'COMPONENT', ...component, fileName: place?.fileName, image: run.image }
  }
  if (type === 'DAST_FINDING' || place?.isUrl === true || result.webRequest !== undefined) {
    const url = place?.fileName
    const isWeb = type === 'SAST_FINDING' || type === 'DAST_FINDING'
    return {
      ...common,
      type: isWeb ? 'DAST_FINDING' : type,
      vulnerabilityIds,
      kind: 'EXCHANGE',
      ...exchangeOf(result, run, url),
    }
  }
  const found: CodeObservation = {
    ...common,
    vulnerabilityIds,
    kind: 'CODE',
    ...inCode(places),
    partialFingerprint: common.partialFingerprint ?? (common.fingerprint === undefined ? inFunction(place) : undefined),
    image: run.image,
    ...flowOfResult(result, run),
  }
  found.commitRef = textAt(result, 'partialFingerprints', 'commitSha') ?? run.commitRef
  const isSecret = type === 'SECRET_FINDING' || isSecretWeakness(common.cweIds)
  return isSecret ? hidden(found, places, type === 'SECRET_FINDING') : found
}

function placesOf(result: Fields, run: Run): Place[] {
  const places = objects(result.locations)
    .slice(0, MOST_PLACES)
    .map((location) => placeOfLocation(location, run.places))
  if (places.length > 0 || result.analysisTarget === undefined) return places
  const fileName = uriOf(result.analysisTarget, run.places)
  return [{ fileName, isUrl: fileName !== undefined && /^https?:/i.test(fileName) }]
}

/** Of a file without lines, such as an archive, the function alone tells findings apart. */
const inFunction = (place: Place | undefined): string | undefined =>
  place?.line !== undefined || place?.snippet !== undefined || place?.logicalName === undefined
    ? undefined
    : short(place.logicalName)

/** The file, or what a tool names that sees no files: two functions are two places. */
const whereOf = (place: Place | undefined): string | undefined => place?.fileName ?? place?.logicalName

function inCode(places: readonly Place[]): Partial<CodeObservation> {
  const [place, ...others] = places
  const otherPlaces = others.flatMap((other) => {
    const fileName = whereOf(other)
    return fileName === undefined ? [] : [{ fileName, line: other.line }]
  })
  return {
    fileName: whereOf(place),
    line: place?.line,
    column: place?.column,
    codeSnippet: place?.snippet,
    firstLine: place?.firstLine,
    around: place?.around,
    otherPlaces: some(otherPlaces),
  }
}

/** Message strings with their arguments; a link to another place of the result is only its words. */
function messageOf(message: unknown, rule: Rule | undefined, part: ToolPart): string | undefined {
  const id = textAt(message, 'id')
  const named = id === undefined ? undefined : (rule?.messages.get(id) ?? part.messages.get(id))
  const words = textAt(message, 'text') ?? named ?? textAt(message, 'markdown')
  const given = list(at(message, 'arguments'))
  const filled =
    given.length === 0 ? words : words?.replace(/\{(\d{1,3})\}/g, (mark, at) => text(given[Number(at)]) ?? mark)
  return text(filled?.replace(/\[([^[\]]{1,2000})\]\(\d{1,9}\)/g, '$1'))
}

function titleOf(
  rule: Rule | undefined,
  ruleId: string | undefined,
  message: string | undefined,
  tool: string,
): string {
  const isTelling = (words: string | undefined) =>
    words !== undefined && words !== ruleId && words !== rule?.name && !/^(?:semgrep|opengrep) finding: /i.test(words)
  const [short, long] = [rule?.title, rule?.description]
  const words =
    (isTelling(short) && (short?.length ?? 0) <= 200 ? short : undefined) ??
    message ??
    (isTelling(long) ? long : undefined) ??
    (rule?.name?.includes(' ') ? rule.name : undefined)
  return headline(words, ruleId ?? `Finding of ${tool}`)
}

function descriptionOf(
  rule: Rule | undefined,
  message: string | undefined,
  place: Place | undefined,
): string | undefined {
  const has = (words: string | undefined) => words !== undefined && (message ?? '').includes(words)
  const about = has(rule?.description) ? undefined : rule?.description
  const isRepeated = has(rule?.help) || rule?.help === about || remedyOf(rule?.help) !== undefined
  const where =
    place?.fileName === undefined && place?.logicalName !== undefined ? `At ${place.logicalName}` : undefined
  return paragraphs(message, place?.message, where, about, isRepeated ? undefined : rule?.help)
}

/** The section of a rule's help on what to do, from its heading to the next. */
function remedyOf(help: string | undefined): string | undefined {
  const heading =
    /^#{1,6} *(?:recommendations?|remediation|solution|mitigation|how to fix|prevention|best practices)\b.*$/im
  const start = help === undefined ? null : heading.exec(help)
  if (help === undefined || start === null) return undefined
  const rest = help.slice(start.index + start[0].length)
  const end = rest.search(/^#{1,6} /m)
  return text(end < 0 ? rest : rest.slice(0, end))
}

/** Keys that tools use among partial fingerprints for what is none: the author and words of a commit. */
const notFingerprints = new Set(['commitSha', 'commitMessage', 'author', 'email', 'date'])

/** The first of those that are stable by what their tools say, before any other by the order of the alphabet. */
const preferred = ['matchBasedId/v1', 'snyk/asset/finding/v1', 'primaryLocationLineHash']

/** Semgrep's, with the number of the match among equal ones of the file, which changes when one above it comes or goes. */
const NUMBERED = /^([0-9a-f]{64,})_\d+$/

function fingerprintsOf(result: Fields): { fingerprint?: string; partialFingerprint?: string } {
  const [full] = valuesOf(result.fingerprints)
  const partial = valuesOf(result.partialFingerprints)
  const numbered = NUMBERED.exec(full?.[1] ?? '')
  if (numbered) return { partialFingerprint: joined(partial) ?? numbered[1] }
  return { fingerprint: full?.[1], partialFingerprint: joined(partial) }
}

function valuesOf(value: unknown): [string, string][] {
  if (value === undefined) return []
  const entries = Object.entries(object(value))
    .slice(0, 50)
    .filter(([key]) => !notFingerprints.has(key))
    .map(([key, each]): [string, string | undefined] => [key, text(each) ?? textAt(each, 'value')])
    // Where a tool wants a login for it, it says so in its place.
    .flatMap(([key, each]): [string, string][] => (each === undefined || /\s/.test(each) ? [] : [[key, short(each)]]))
  const rank = (key: string) => (preferred.includes(key) ? preferred.indexOf(key) : preferred.length)
  return entries.sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

/** GitHub's own alone, as it is made to be; others tell a finding only together. */
const joined = (entries: readonly [string, string][]): string | undefined => {
  if (entries[0]?.[0] === 'primaryLocationLineHash') return entries[0][1]
  return entries.length === 0 ? undefined : short(entries.map(([key, value]) => `${key}=${value}`).join('|'))
}

const short = (value: string): string =>
  value.length <= 200 ? value : createHash('sha256').update(value).digest('hex')

/** Suppressed only where nothing of it is still under review, and nothing was rejected: in doubt a finding stays open. */
function decisionOf(result: Fields): ScannedObservation['decision'] {
  const suppressions = objects(result.suppressions)
  const statuses = suppressions.map((suppression) => text(suppression.status) ?? 'accepted')
  if (statuses.length === 0 || statuses.some((status) => status !== 'accepted')) return undefined
  const reasons = uniq(suppressions.map((suppression) => text(suppression.justification, 2000)))
  const inSource = suppressions.some((suppression) => suppression.kind === 'inSource')
  const reason = inSource ? 'Suppressed in the source code' : 'Suppressed in the tool'
  return { status: 'SUPPRESSED', reason: reasons.join('\n') || reason }
}

/** A secret's code, and the words about it, without the secret, which steps would have: some tools give it as the snippet itself. */
function hidden(found: CodeObservation, places: readonly Place[], isSnippet: boolean): CodeObservation {
  const snippets = isSnippet ? uniq(places.map(({ snippet }) => snippet)) : []
  const whole = snippets.filter((snippet) => !/\s/.test(snippet.trim()))
  const { codeSnippet, around } = found
  const isWhole = codeSnippet !== undefined && whole.includes(codeSnippet)
  const { flow: _, ...kept } = found
  return {
    ...kept,
    title: withoutSecrets(found.title, snippets) ?? found.title,
    description: withoutSecrets(found.description, snippets),
    codeSnippet: codeSnippet === undefined ? undefined : isWhole ? masked(codeSnippet.trim()) : maskedCode(codeSnippet),
    around: around && { ...around, code: maskedCode(withoutSecrets(around.code, snippets) ?? '') },
  }
}
