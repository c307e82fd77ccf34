// Matches packages against advisories: one finding for all ids of the same vulnerability.

import { severities } from '../../../core/issue-words.ts'
import type { ComponentObservation } from '../../../reports/types.ts'
import { cvssVectorOf, severityOf } from '../../../reports/values.ts'
import { type ChangedPackage, REVIEW_TOOL } from '../../types.ts'
import { compareVersions, type Ecosystem, isEcosystem } from '../versions/compare.ts'
import { isWithin } from './record.ts'
import type { Known } from './types.ts'

const managers: Readonly<Record<Ecosystem, { manager: string; type: string }>> = {
  npm: { manager: 'npm', type: 'npm' },
  'crates.io': { manager: 'cargo', type: 'cargo' },
  Go: { manager: 'go', type: 'golang' },
  PyPI: { manager: 'pip', type: 'pypi' },
  Maven: { manager: 'maven', type: 'maven' },
  RubyGems: { manager: 'bundler', type: 'gem' },
  Packagist: { manager: 'composer', type: 'composer' },
  NuGet: { manager: 'nuget', type: 'nuget' },
  Pub: { manager: 'pub', type: 'pub' },
  Hex: { manager: 'hex', type: 'hex' },
  SwiftURL: { manager: 'swift', type: 'swift' },
}

/** The findings of one package, of what is known of it. */
export function findingsOf(found: ChangedPackage, known: readonly Known[]): ComponentObservation[] {
  const { ecosystem, version } = found
  if (!isEcosystem(ecosystem)) return []
  const hits = known.filter((one) => isAffected(ecosystem, version, one))
  return aliased(hits).map(({ ids, hits: group }) => {
    // an advisory may have an entry for each line of versions
    const told = known.filter((one) => idsOf(one).some((id) => ids.has(id)))
    return observed(found, ecosystem, group, fixOf(ecosystem, version, told))
  })
}

const isAffected = (ecosystem: Ecosystem, version: string, { intervals, versions }: Known): boolean =>
  versions.includes(version) || intervals.some((interval) => isWithin(ecosystem, interval, version))

/**
 * The nearest version above that is named as fixed, and that nothing told of the vulnerability affects; where there is none, that which
 * nothing affects but what is told without an end. Null where there is neither.
 */
function fixOf(ecosystem: Ecosystem, version: string, told: readonly Known[]): string | null {
  const ends = told
    .flatMap(({ intervals }) => intervals.flatMap(({ fixed }) => fixed ?? []))
    .filter((end) => compareVersions(ecosystem, end, version) === 1)
    .toSorted((one, other) => compareVersions(ecosystem, one, other) ?? 0)
  const bounded = told.map((one) => ({ ...one, intervals: one.intervals.filter(isBounded) }))
  const freeOf = (entries: readonly Known[]) =>
    ends.find((end) => !entries.some((one) => isAffected(ecosystem, end, one)))
  return freeOf(told) ?? freeOf(bounded) ?? null
}

const isBounded = ({ fixed, lastAffected }: Known['intervals'][number]): boolean =>
  fixed !== null || lastAffected !== null

const idsOf = ({ id, said }: Known): string[] => [id, ...said.vulnerabilityIds]

/** Hits that share an id are one vulnerability. */
function aliased(hits: readonly Known[]): { ids: ReadonlySet<string>; hits: Known[] }[] {
  let groups: { ids: Set<string>; hits: Known[] }[] = []
  for (const hit of hits) {
    const ids = new Set(idsOf(hit))
    const same = groups.filter((group) => [...ids].some((id) => group.ids.has(id)))
    const joined = {
      ids: new Set([...ids, ...same.flatMap((group) => [...group.ids])]),
      hits: [...same.flatMap((group) => group.hits), hit],
    }
    groups = [...groups.filter((group) => !same.includes(group)), joined]
  }
  return groups
}

/** GitHub's advisories have the most information; of others, the first by name is taken. */
const worth = ({ id }: Known): string => (id.startsWith('GHSA-') ? ` ${id}` : id)

function observed(
  found: ChangedPackage,
  ecosystem: Ecosystem,
  group: readonly Known[],
  fixed: string | null,
): ComponentObservation {
  const hits = group.toSorted((one, other) => (worth(one) < worth(other) ? -1 : 1))
  const said = hits.map((hit) => hit.said)
  const [main] = hits
  const ids = [...new Set(hits.flatMap(idsOf))]
  const severity =
    severities[
      Math.max(...said.map((each) => severities.indexOf(severityOf(each.severity) ?? each.severity ?? 'NOTIFICATION')))
    ]
  const { name, version, path, line } = found
  const { manager, type } = managers[ecosystem]
  return {
    kind: 'COMPONENT',
    type: 'SCA_FINDING',
    toolName: REVIEW_TOOL,
    ruleId: ids.find((id) => id.startsWith('CVE-')) ?? main?.id,
    title: said[0]?.title ?? `A vulnerability in ${name}`,
    description: [`Line ${line} of ${path} adds ${name} ${version}.`, said[0]?.description]
      .filter(Boolean)
      .join('\n\n'),
    severity: said.some((each) => each.severity !== undefined) ? severity : 'MEDIUM',
    cvssScore: said.find((each) => each.cvssScore !== undefined)?.cvssScore,
    cvssVector: cvssVectorOf(said.find((each) => each.cvssVector !== undefined)?.cvssVector),
    cweIds: said.find((each) => each.cweIds !== undefined)?.cweIds,
    vulnerabilityIds: ids,
    reference: said.find((each) => each.reference !== undefined)?.reference,
    solution: fixed === null ? 'No fixed version is known.' : `Update ${name} to ${fixed} or later.`,
    package: name,
    affectedVersion: version,
    patchedVersion: fixed ?? undefined,
    packageManager: manager,
    purl: `pkg:${type}/${name.replace(':', '/').replace(/^@/, '%40')}@${version}`,
    fileName: path,
  }
}
