// Reads SPDX JSON, 2.2, 2.3 and the packages of 3.0: components, and the advisories that their references name.

import { type Given, jsonRows } from '../json-rows.ts'
import { readPurl } from '../purl.ts'
import type { ComponentObservation, ReportReader, ReportSource, Row } from '../types.ts'
import { type Fields, isObject, links, objects, text, textAt, vulnerabilityIdsIn } from '../values.ts'

export const spdx: ReportReader = {
  format: 'spdx',
  label: 'SPDX JSON',
  recognises: ({ text: head }) =>
    /"spdxVersion"\s*:\s*"SPDX-2/.test(head) || (/"@context"\s*:/.test(head) && /spdx\.org\/rdf\/3/.test(head)),
  read: (source: ReportSource) =>
    jsonRows(source, ['packages[]', '@graph[]'], (given: Given) =>
      given.path === 'packages[]' ? ofTwo(given) : ofThree(given),
    ),
}

function* ofTwo({ value, at: place }: Given): Iterable<Row> {
  const name = textAt(value, 'name')
  if (!isObject(value) || name === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'The package has no name' }
    return
  }
  const references = objects(value.externalRefs)
  const purl = text(references.find(({ referenceType }) => text(referenceType)?.endsWith('purl'))?.referenceLocator)
  const version = text(value.versionInfo)
  yield componentRow(place, name, version, purl, [text(value.licenseConcluded), text(value.licenseDeclared)])
  for (const [index, reference] of references.entries()) {
    const at = `${place}.externalRefs[${index}]`
    if (text(reference.referenceType) === 'advisory') yield* advisoryRows(at, reference, name, version, purl)
  }
}

function* advisoryRows(
  at: string,
  reference: Fields,
  name: string,
  version: string | undefined,
  purl: string | undefined,
): Iterable<Row> {
  const locator = text(reference.referenceLocator)
  const ids = vulnerabilityIdsIn(locator)
  const id = ids?.[0]
  if (id === undefined) {
    yield { kind: 'LEFT_OUT', at, reason: 'The advisory names no vulnerability' }
    return
  }
  const observation: ComponentObservation = {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: 'SPDX',
    ruleId: id,
    title: `${id} in ${name}`,
    description: text(reference.comment),
    vulnerabilityIds: ids,
    reference: links(locator),
    package: name,
    affectedVersion: version,
    purl,
    packageManager: readPurl(purl)?.type,
  }
  yield { kind: 'OBSERVATION', at, observation }
}

/** Of the graph only packages are components; its other elements are no rows. */
function* ofThree({ value, at }: Given): Iterable<Row> {
  if (!isObject(value) || text(value.type) !== 'software_Package') return
  const name = text(value.name)
  if (name === undefined) yield { kind: 'LEFT_OUT', at, reason: 'The package has no name' }
  else yield componentRow(at, name, text(value.software_packageVersion), text(value.software_packageUrl), [])
}

function componentRow(
  at: string,
  name: string,
  version: string | undefined,
  purl: string | undefined,
  licenses: readonly (string | undefined)[],
): Row {
  const license = licenses.find((each) => each !== undefined && each !== 'NOASSERTION' && each !== 'NONE')
  return { kind: 'COMPONENT', at, component: { name, version, purl, packageManager: readPurl(purl)?.type, license } }
}
