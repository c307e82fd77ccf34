// Interprets a package of SPDX 2.

import type { Given } from '../json-rows.ts'
import { readPurl } from '../purl.ts'
import type { Component, ComponentObservation, Row } from '../types.ts'
import { type Fields, headline, isObject, links, objects, text, textAt, vulnerabilityIdsIn } from '../values.ts'

export function* ofTwo({ value, at: place }: Given): Iterable<Row> {
  const name = textAt(value, 'name')
  if (!isObject(value) || name === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'The package has no name' }
    return
  }
  const references = objects(value.externalRefs)
  const purl = text(references.find(({ referenceType }) => text(referenceType)?.endsWith('purl'))?.referenceLocator)
  const licenses = [text(value.licenseConcluded), text(value.licenseDeclared)]
  const component: Component = {
    name,
    version: text(value.versionInfo),
    purl,
    packageManager: readPurl(purl)?.type,
    license: licenses.find((each) => each !== undefined && each !== 'NOASSERTION' && each !== 'NONE'),
    technology: text(value.primaryPackagePurpose)?.toLowerCase(),
  }
  yield { kind: 'COMPONENT', at: place, component }
  for (const [index, reference] of references.entries()) {
    const at = `${place}.externalRefs[${index}]`
    if (text(reference.referenceType) === 'advisory') yield advisoryRow(at, reference, component)
  }
}

function advisoryRow(at: string, reference: Fields, component: Component): Row {
  const locator = text(reference.referenceLocator)
  const ids = vulnerabilityIdsIn(locator)
  const id = ids?.[0]
  if (id === undefined) return { kind: 'LEFT_OUT', at, reason: 'The advisory names no vulnerability' }
  const observation: ComponentObservation = {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: 'SPDX',
    ruleId: id,
    title: headline(`${id} in ${component.name}`, id),
    description: text(reference.comment),
    vulnerabilityIds: ids,
    reference: links(locator),
    package: component.name,
    affectedVersion: component.version,
    purl: component.purl,
    packageManager: component.packageManager,
  }
  return { kind: 'OBSERVATION', at, observation }
}
