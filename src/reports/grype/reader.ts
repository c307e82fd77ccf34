// Reads Grype's JSON: each match is a vulnerability in a component of an image, a directory or a bill of materials.

import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  objects,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  uniq,
} from '../values.ts'

export const grype: ReportReader = {
  format: 'grype',
  label: 'Grype JSON',
  recognises: ({ text: head }) =>
    /"matches"\s*:\s*\[/.test(head) && /"vulnerability"\s*:|"name"\s*:\s*"grype"|"ignoredMatches"/.test(head),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const context = await firstValues(source, ['source'])
  const scanned = context.get('source')
  const kind = textAt(scanned, 'type')
  const image =
    kind === 'image' ? (textAt(scanned, 'target', 'userInput') ?? textAt(scanned, 'target', 'imageID')) : undefined
  yield* jsonRows(source, ['matches[]', 'ignoredMatches[]'], (given) => [rowOf(given, kind, image)])
}

/** What was scanned stands behind the matches: where the report breaks off, only their layers tell of an image. */
function rowOf({ path, value, at: place }: Given, kind: string | undefined, image: string | undefined): Row {
  const [vulnerability, artifact] = [at(value, 'vulnerability'), at(value, 'artifact')]
  const id = textAt(vulnerability, 'id')
  const name = textAt(artifact, 'name')
  if (!isObject(vulnerability) || id === undefined || name === undefined) {
    const reason = 'It names no vulnerability, or no component'
    return { kind: 'LEFT_OUT', at: place, reason }
  }
  const related = objects(at(value, 'relatedVulnerabilities'))
  const score = scoreOf([vulnerability, ...related])
  const version = textAt(artifact, 'version')
  const fixed = uniq(texts(at(vulnerability, 'fix', 'versions'))).join(', ') || undefined
  const all: readonly Fields[] = [vulnerability, ...related]
  const location = at(artifact, 'locations', 0)
  const isImage = kind === undefined ? at(location, 'layerID') !== undefined : kind === 'image'
  const observation: ComponentObservation = {
    kind: 'COMPONENT',
    type: isImage ? 'CONTAINER_FINDING' : 'SCA_FINDING',
    toolName: 'Grype',
    ruleId: id,
    title: headline(`${id} in ${name}${version === undefined ? '' : ` ${version}`}`, id),
    description: paragraphs(...all.map((each) => text(each.description))),
    severity: severityOf(vulnerability.severity),
    ...score,
    cweIds: cwesIn(...all.flatMap((each) => objects(each.cwes).map(({ cwe }) => cwe))),
    vulnerabilityIds: uniq(all.map((each) => text(each.id))),
    exploitProbability: between(at(vulnerability, 'epss', 0, 'epss'), 0, 1),
    reference: links(text(vulnerability.dataSource), ...all.flatMap((each) => texts(each.urls))),
    solution: fixed === undefined ? undefined : `Update ${name} to ${fixed}.`,
    package: name,
    affectedVersion: version,
    patchedVersion: fixed,
    packageManager: textAt(artifact, 'type'),
    purl: textAt(artifact, 'purl'),
    fileName: textAt(location, 'path'),
    image,
    decision: path === 'ignoredMatches[]' ? ignoredBecause(value) : undefined,
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/** The newest version of CVSS that is given wins; among scores of one version that of the vulnerability's own source. */
function scoreOf(vulnerabilities: readonly Fields[]) {
  const scores = vulnerabilities.flatMap((each) => objects(each.cvss))
  const byVersion = (version: string) => scores.find((each) => text(each.version)?.startsWith(version))
  const best = byVersion('4') ?? byVersion('3') ?? byVersion('2')
  return { cvssScore: between(at(best, 'metrics', 'baseScore'), 0.1, 10), cvssVector: cvssVectorOf(best?.vector) }
}

/** A rule of the scanner, or of a VEX document that it was given. */
function ignoredBecause(value: unknown): ComponentObservation['decision'] {
  const rule = objects(at(value, 'appliedIgnoreRules'))[0]
  const reason = text(rule?.reason) ?? text(rule?.['vex-justification']) ?? 'A rule of the scanner ignores it.'
  const stated = text(rule?.['vex-status'])
  if (stated === 'not_affected') return { status: 'FALSE_POSITIVE', reason }
  return { status: stated === 'fixed' ? 'FIX_ACCEPTED' : 'SUPPRESSED', reason }
}
