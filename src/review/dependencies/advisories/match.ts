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

type Hit = { known: Known; fixed: string | null }

/** The findings of one package, of what is known of it. */
export function findingsOf(found: ChangedPackage, known: readonly Known[]): ComponentObservation[] {
  const { ecosystem, version } = found
  if (!isEcosystem(ecosystem)) return []
  const hits = known.flatMap((one): Hit[] => {
    const inside = one.intervals.filter((interval) => isWithin(ecosystem, interval, version))
    if (inside.length === 0 && !one.versions.includes(version)) return []
    return [{ known: one, fixed: fixOf(ecosystem, version, one, inside) }]
  })
  return aliased(hits).map((group) => observed(found, ecosystem, group))
}

/** The nearest version above that is fixed: the end of the interval it is in, else the first end that lies above. */
function fixOf(ecosystem: Ecosystem, version: string, known: Known, inside: readonly Known['intervals'][number][]) {
  const ends = (inside.some(({ fixed }) => fixed !== null) ? inside : known.intervals).flatMap(
    ({ fixed }) => fixed ?? [],
  )
  const above = ends.filter((end) => compareVersions(ecosystem, end, version) === 1)
  return above.toSorted((one, other) => compareVersions(ecosystem, one, other) ?? 0)[0] ?? null
}

/** Hits that share an id are one vulnerability. */
function aliased(hits: readonly Hit[]): Hit[][] {
  let groups: { ids: Set<string>; hits: Hit[] }[] = []
  for (const hit of hits) {
    const ids = new Set([hit.known.id, ...hit.known.said.vulnerabilityIds])
    const same = groups.filter((group) => [...ids].some((id) => group.ids.has(id)))
    const joined = {
      ids: new Set([...ids, ...same.flatMap((group) => [...group.ids])]),
      hits: [...same.flatMap((group) => group.hits), hit],
    }
    groups = [...groups.filter((group) => !same.includes(group)), joined]
  }
  return groups.map((group) => group.hits)
}

/** GitHub's advisories have the most information; of others, the first by name is taken. */
const worth = ({ known: { id } }: Hit): string => (id.startsWith('GHSA-') ? ` ${id}` : id)

function observed(found: ChangedPackage, ecosystem: Ecosystem, group: readonly Hit[]): ComponentObservation {
  const hits = group.toSorted((one, other) => (worth(one) < worth(other) ? -1 : 1))
  const said = hits.map(({ known }) => known.said)
  const [main] = hits
  const ids = [...new Set(hits.flatMap(({ known }) => [known.id, ...known.said.vulnerabilityIds]))]
  const fixes = hits.flatMap(({ fixed }) => fixed ?? [])
  // Of several fixes the highest is fixed for all of them.
  const fixed = fixes.toSorted((one, other) => compareVersions(ecosystem, other, one) ?? 0)[0]
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
    ruleId: ids.find((id) => id.startsWith('CVE-')) ?? main?.known.id,
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
    solution: fixed === undefined ? 'No fixed version is known.' : `Update ${name} to ${fixed} or later.`,
    package: name,
    affectedVersion: version,
    patchedVersion: fixed,
    packageManager: manager,
    purl: `pkg:${type}/${name.replace(':', '/').replace(/^@/, '%40')}@${version}`,
    fileName: path,
  }
}
