// Reads TruffleHog's JSON, versions 3 and 2, one document per finding. No secret is stored.

import { headOf } from '../detect.ts'
import { jsonRows } from '../json-rows.ts'
import { rememberer } from '../once.ts'
import { masked, withoutSecrets } from '../secrets.ts'
import type { CodeObservation, ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import {
  at,
  code,
  type Fields,
  isObject,
  links,
  list,
  object,
  objects,
  paragraphs,
  text,
  textAt,
  whole,
} from '../values.ts'

export const trufflehog: ReportReader = { format: 'trufflehog', label: 'TruffleHog JSON', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  return (
    /^\s*[[{]/.test(head) &&
    ((/"SourceMetadata"\s*:/.test(head) && /"(?:DetectorType|DetectorName|SourceType)"\s*:/.test(head)) ||
      (/"stringsFound"\s*:/.test(head) && /"(?:commitHash|printDiff|reason)"\s*:/.test(head)))
  )
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  // As one array where somebody put the documents into one.
  const isArray = /^\s*\[/.test((await headOf(source)).text)
  const tellsBefore = rememberer()
  let count = 0
  yield* jsonRows(source, [isArray ? '[]' : ''], ({ value, at: place }) =>
    rowsOf(value, isArray ? place : `document ${++count}`, tellsBefore),
  )
}

function* rowsOf(value: unknown, where: string, tellsBefore: ReturnType<typeof rememberer>): Iterable<Row> {
  const isThree = isObject(value) && isObject(value.SourceMetadata)
  const isTwo = isObject(value) && Array.isArray(value.stringsFound)
  if (!isThree && !isTwo) {
    // What the tool logs stands between its findings.
    const isLog = isObject(value) && (value.level !== undefined || value.msg !== undefined)
    if (!isLog) yield { kind: 'LEFT_OUT', at: where, reason: 'It is not a TruffleHog finding' }
    return
  }
  const { SourceMetadata, DetectorName, Raw, RawV2, path, commitHash, reason, stringsFound } = value
  const first = tellsBefore([SourceMetadata, DetectorName, Raw, RawV2, path, commitHash, reason, stringsFound], where)
  if (first !== undefined) yield { kind: 'PASSED_OVER', at: where, reason: `It is the same finding as ${first}` }
  else yield { kind: 'OBSERVATION', at: where, observation: isThree ? ofThree(value) : ofTwo(value) }
}

const common = { kind: 'CODE', type: 'SECRET_FINDING', toolName: 'TruffleHog', cweIds: [798] } as const

const ADVICE = 'Others can read the secret where it is: revoke it, then remove it.'

function ofThree(found: Fields): CodeObservation {
  const [source] = Object.entries(object(at(found.SourceMetadata, 'Data'))).filter(([, data]) => isObject(data))
  const data = object(source?.[1])
  const detector = text(found.DetectorName, 200) ?? `detector ${text(found.DetectorType, 20) ?? 'unknown'}`
  const isVerified = found.Verified === true
  const raw = [code(found.Raw), code(found.RawV2), decoded(found.Raw)]
  const shown = code(found.Redacted) ?? raw[0]
  const guide = textAt(found, 'ExtraData', 'rotation_guide')
  const where = [text(data.repository), text(data.bucket), text(data.image), text(data.channel_name)].filter(Boolean)[0]
  const certain = isVerified ? 'TruffleHog verified it: it is valid.' : 'TruffleHog did not verify it.'
  const commitRef = text(data.commit, 200)
  const described = text(found.DetectorDescription)
  return {
    ...common,
    ruleId: detector,
    title: `${isVerified ? 'Valid secret' : 'Secret'} of ${detector}`,
    description: withoutSecrets(paragraphs(described, certain, where && `Found in ${where}`, ADVICE), raw),
    severity: isVerified ? 'CRITICAL' : 'MEDIUM',
    reference: links(text(data.link), guide),
    tags: [isVerified ? 'verified' : 'unverified', source?.[0]].filter((tag) => tag !== undefined),
    fileName: text(data.file ?? data.path ?? data.key),
    image: text(data.image, 500),
    line: whole(data.line),
    codeSnippet: shown && masked(shown.trim()),
    firstLine: whole(data.line),
    commitRef,
  }
}

/** Version 3 gives the secret in base64 in some releases, and as it is in others. */
function decoded(value: unknown): string | undefined {
  const given = text(value, 20_000)
  return given !== undefined && /^[A-Za-z0-9+/]{8,}={0,2}$/.test(given)
    ? code(Buffer.from(given, 'base64').toString())
    : undefined
}

/** Version 2: one document is one reason in one file of one commit, with all strings that it found there. */
function ofTwo(found: Fields): CodeObservation {
  const strings = list(found.stringsFound).flatMap(
    (each) => text(isObject(each) ? objects([each])[0]?.value : each) ?? [],
  )
  const reason = text(found.reason, 200) ?? 'unknown'
  return {
    ...common,
    ruleId: reason,
    title: `Secret in the repository: ${reason}`,
    description: ADVICE,
    severity: reason === 'High Entropy' ? 'LOW' : 'HIGH',
    fileName: text(found.path),
    codeSnippet: strings.slice(0, 100).map(masked).join('\n') || undefined,
    commitRef: text(found.commitHash, 200),
  }
}
