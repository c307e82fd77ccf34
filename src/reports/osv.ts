// Reads a vulnerability record in the OSV schema, whichever scanner passes it on.

import type { ComponentObservation } from './types.ts'
import {
  at,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  links,
  objects,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  uniq,
} from './values.ts'

/** Of one package by its name; `https://ossf.github.io/osv-schema/` says what the fields mean. */
export function osvFields(record: Fields, name: string) {
  const id = text(record.id) ?? ''
  const own = record.database_specific
  const fixed = fixedVersions(record, name)
  const vectors = objects(record.severity).map(({ score }) => cvssVectorOf(score))
  return {
    ruleId: id,
    title: headline(text(record.summary), `${id} in ${name}`),
    description: paragraphs(text(record.summary), text(record.details)),
    severity:
      severityOf(at(own, 'severity')) ??
      severityOf(record.severity) ??
      (id.startsWith('MAL-') ? 'CRITICAL' : undefined),
    cvssVector:
      vectors.find((vector) => vector?.startsWith('CVSS:4')) ?? vectors.find((vector) => vector !== undefined),
    cweIds: cwesIn(
      at(own, 'cwe_ids'),
      objects(at(own, 'cwes')).map(({ cweId }) => cweId),
    ),
    vulnerabilityIds: uniq([id, ...texts(record.aliases)]),
    reference: links(
      textAt(own, 'url'),
      `https://osv.dev/${encodeURIComponent(id)}`,
      ...objects(record.references).map(({ url }) => text(url)),
    ),
    solution: fixed === undefined ? undefined : `Update ${name} to ${fixed}.`,
    patchedVersion: fixed,
  } satisfies Partial<ComponentObservation>
}

/** The versions that fix the package; commits are not versions. */
function fixedVersions(record: Fields, name: string): string | undefined {
  const ranges = objects(record.affected)
    .filter((affected) => textAt(affected.package, 'name') === name)
    .flatMap((affected) => objects(affected.ranges))
    .filter(({ type }) => text(type) !== 'GIT')
  const versions = uniq(ranges.flatMap(({ events }) => objects(events).map(({ fixed }) => text(fixed))))
  return versions.slice(0, 20).join(', ') || undefined
}
