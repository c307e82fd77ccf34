// What npm's registry says of a vulnerable package, whichever package manager hands it on.

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

/** Paths to one version that are told. */
const MOST_PATHS = 50

/** An advisory speaks of each version of the module that is installed. */
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

/** Each version of the module that is installed, once, with the paths that lead to it; one without a version where none is told. */
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

/** That of GitHub's database: npm numbers an advisory anew each time that it changes. */
export const stableIdOf = (advisory: Fields): string | undefined =>
  vulnerabilityIdsIn(advisory.github_advisory_id, advisory.url)?.[0]

/** What is common to every form of an advisory, and what its form says beside. */
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
