// Reads an npm registry advisory about a vulnerable package, whichever package manager passes it on.

import type { ComponentObservation, Row } from './types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  links,
  objects,
  paragraphs,
  severityOf,
  text,
  texts,
  uniq,
  vulnerabilityIdsIn,
} from './values.ts'

/** Dependency paths listed per version. */
const MOST_PATHS = 50

/** An advisory lists each installed version of the module. */
export function* advisoryRows(advisory: Fields, place: string, toolName: string): Iterable<Row> {
  const name = text(advisory.module_name)
  const title = text(advisory.title)
  if (name === undefined || title === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no package, or no vulnerability' }
    return
  }
  const installed = installedOf(advisory)
  for (const [version, paths] of installed) {
    const where = installed.length > 1 ? `${place}, version ${version}` : place
    const observation = observedOf(advisory, name, title, toolName, {
      ruleId: stableIdOf(advisory) ?? text(advisory.id),
      affectedVersion: version ?? text(advisory.vulnerable_versions),
      patchedVersion: text(advisory.patched_versions),
      solution: text(advisory.recommendation),
      description: paragraphs(text(advisory.overview), paths.length === 0 ? undefined : `Through ${paths.join(', ')}`),
      reference: links(text(advisory.url), ...(text(advisory.references)?.split(/\s+/) ?? [])),
      vulnerabilityIds: uniq([
        ...texts(advisory.cves),
        ...(vulnerabilityIdsIn(advisory.github_advisory_id, advisory.url) ?? []),
      ]),
    })
    yield { kind: 'OBSERVATION', at: where, observation }
  }
}

/** The distinct installed versions of the module with their dependency paths; one entry without a version if none is given. */
function installedOf(advisory: Fields): [string | undefined, readonly string[]][] {
  const installed = new Map<string | undefined, string[]>()
  for (const finding of objects(advisory.findings)) {
    const version = text(finding.version)
    const paths = installed.get(version) ?? []
    installed.set(version, paths)
    paths.push(...texts(finding.paths).slice(0, MOST_PATHS - paths.length))
  }
  return installed.size > 0 ? [...installed] : [[undefined, []]]
}

/** The GitHub advisory id, because npm gives an advisory a new number whenever it changes. */
export const stableIdOf = (advisory: Fields): string | undefined =>
  vulnerabilityIdsIn(advisory.github_advisory_id, advisory.url)?.[0]

/** The fields that all forms of an advisory share, with those specific to its form. */
export function observedOf(
  advisory: Fields,
  name: string,
  title: string,
  toolName: string,
  more: Partial<ComponentObservation>,
): ComponentObservation {
  return {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName,
    title: headline(title, title),
    severity: severityOf(advisory.severity),
    cvssScore: between(at(advisory.cvss, 'score'), 0.1, 10),
    cvssVector: cvssVectorOf(at(advisory.cvss, 'vectorString')),
    cweIds: cwesIn(advisory.cwe),
    package: name,
    packageManager: 'npm',
    ...more,
  }
}
