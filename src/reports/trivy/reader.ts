// Reads Trivy's JSON of every schema: vulnerabilities, misconfigurations and secrets of images, folders and clusters.

import type { Keys } from '../json-items.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { readJson } from '../json-walk.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { text } from '../values.ts'
import { misconfigurationRow, modifiedRow, secretRow, type Target, vulnerabilityRow } from './rows.ts'

export const trivy: ReportReader = {
  format: 'trivy',
  label: 'Trivy JSON',
  recognises: ({ text: head }) =>
    /"SchemaVersion"\s*:\s*\d/.test(head) ||
    /"ClusterName"\s*:/.test(head) ||
    (/^\s*\[/.test(head) &&
      /"Target"\s*:\s*"/.test(head) &&
      /"(Vulnerabilities|Type|Class|Misconfigurations)"\s*:/.test(head)),
  read,
}

/** Where results stand: of one artifact, of a cluster in its newer and older forms, and in reports without a schema. */
const resultPaths = [
  'Results[]',
  'Resources[].Results[]',
  'Vulnerabilities[].Results[]',
  'Misconfigurations[].Results[]',
  '[]',
]

const findingPaths = resultPaths.flatMap((path) =>
  ['Vulnerabilities[]', 'Misconfigurations[]', 'Secrets[]', 'ExperimentalModifiedFindings[]'].map(
    (kind) => `${path}.${kind}`,
  ),
)

/** Targets of one report. */
const MOST_TARGETS = 200_000

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const targets = await targetsOf(source)
  yield* jsonRows(source, findingPaths, (given) => {
    const target = targets.get(keyOf(given.keys.slice(0, -2))) ?? {}
    const row = rowOf(given, { ...targets.get(''), ...target })
    return row === null ? [] : [row]
  })
}

function rowOf(given: Given, target: Target): Row | null {
  const kind = given.keys.at(-2)
  if (kind === 'Vulnerabilities') return vulnerabilityRow(given, target)
  if (kind === 'ExperimentalModifiedFindings') return modifiedRow(given, target)
  return kind === 'Secrets' ? secretRow(given, target) : misconfigurationRow(given, target)
}

/** What each result says of where its findings are; what is said of the whole report stands under ''. */
async function targetsOf(source: ReportSource): Promise<ReadonlyMap<string, Target>> {
  const names = { Target: 'target', Class: 'class', Type: 'type' } as const
  const paths = resultPaths.flatMap((path) => Object.keys(names).map((name) => `${path}.${name}`))
  const targets = new Map<string, Target>()
  const set = (key: string, more: Target) => {
    if (targets.size < MOST_TARGETS) targets.set(key, { ...targets.get(key), ...more })
  }
  const whole = { ArtifactName: 'artifact', ArtifactType: 'artifactType', ClusterName: 'cluster' } as const
  for await (const item of readJson(source.open(), [...paths, ...Object.keys(whole)])) {
    if (item.kind !== 'VALUE') continue
    const name = String(item.keys.at(-1))
    const value = text(item.value)
    if (Object.hasOwn(whole, item.path)) set('', { [whole[item.path as keyof typeof whole]]: value })
    else set(keyOf(item.keys.slice(0, -1)), { [names[name as keyof typeof names]]: value })
  }
  return targets
}

const keyOf = (keys: Keys): string => JSON.stringify(keys)
