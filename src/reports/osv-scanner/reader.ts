// Reads OSV-Scanner's JSON: vulnerable packages by the lockfile, image or directory that contains them.

import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import { osvFields } from '../osv.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row } from '../types.ts'
import { at, between, type Fields, isObject, objects, text, textAt, texts, uniq } from '../values.ts'

export const osvScanner: ReportReader = {
  format: 'osv-scanner',
  label: 'OSV-Scanner JSON',
  recognises: ({ text: head }) =>
    /"results"\s*:\s*\[/.test(head) &&
    (/"experimental_config"/.test(head) || (/"packages"\s*:\s*\[/.test(head) && /"package"\s*:\s*\{/.test(head))),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const image = (await firstValues(source, ['image_metadata'])).get('image_metadata')
  const type = textAt(image, 'os') === undefined ? 'SCA_FINDING' : 'CONTAINER_FINDING'
  yield* jsonRows(source, ['results[].source', 'results[].packages[]'], withSources(type))
}

/** A result's source stands before its packages in what the scanner writes; without it the packages have no file. */
function withSources(type: ComponentObservation['type']): (given: Given) => Iterable<Row> {
  let path: string | undefined
  let result: unknown
  return (given) => {
    if (given.keys[1] !== result) path = undefined
    result = given.keys[1]
    if (given.path === 'results[].packages[]') return packageRows(given, { type, fileName: path })
    path = textAt(given.value, 'path')
    return []
  }
}

type Around = Pick<ComponentObservation, 'type' | 'fileName'>

function* packageRows({ value, at: place }: Given, around: Around): Iterable<Row> {
  const found = at(value, 'package')
  const name = textAt(found, 'name')
  if (!isObject(value) || name === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no package' }
    return
  }
  const component = {
    ...around,
    package: name,
    affectedVersion: textAt(found, 'version') ?? textAt(found, 'commit'),
    packageManager: textAt(found, 'ecosystem'),
  }
  const told = new Set<string>()
  const groupOf = new Map<string, Fields>()
  for (const group of objects(value.groups)) for (const id of texts(group.ids)) groupOf.set(id, group)
  for (const [index, vulnerability] of objects(value.vulnerabilities).entries()) {
    const here = `${place}.vulnerabilities[${index}]`
    const id = text(vulnerability.id)
    if (id === undefined) {
      yield { kind: 'LEFT_OUT', at: here, reason: 'It names no vulnerability' }
      continue
    }
    const group = groupOf.get(id)
    const first = texts(group?.ids).find((each) => told.has(each))
    if (first !== undefined) {
      yield { kind: 'PASSED_OVER', at: here, reason: `It is the same vulnerability as ${first} of the same package` }
      continue
    }
    told.add(id)
    yield { kind: 'OBSERVATION', at: here, observation: observed(vulnerability, group, component) }
  }
}

function observed(
  vulnerability: Fields,
  group: Fields | undefined,
  component: Around & { package: string },
): ComponentObservation {
  const fields = osvFields(vulnerability, component.package)
  return {
    kind: 'COMPONENT',
    toolName: 'OSV-Scanner',
    ...component,
    ...fields,
    tags: isCalled(vulnerability, group) === false ? ['not called'] : undefined,
    cvssScore: between(group?.max_severity, 0.1, 10),
    vulnerabilityIds: uniq([...fields.vulnerabilityIds, ...texts(group?.ids), ...texts(group?.aliases)]),
  }
}

/** What the analysis of calls says of the vulnerability; undefined where none was made. */
function isCalled(vulnerability: Fields, group: Fields | undefined): boolean | undefined {
  const id = text(vulnerability.id) ?? ''
  const called = at(group?.experimentalAnalysis ?? group?.experimental_analysis, id, 'called')
  return typeof called === 'boolean' ? called : undefined
}
