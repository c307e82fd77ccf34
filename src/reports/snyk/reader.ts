// Reads `snyk test --json`, `snyk container test --json` and `snyk iac test --json`; Snyk Code writes SARIF. Source: Snyk's docs.

import type { Keys } from '../json-items.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import type { Observation, ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { isObject, textAt } from '../values.ts'
import { misconfiguration, vulnerability } from './findings.ts'
import { factsOf, type Project, projectKey, vulnerabilityKey } from './projects.ts'

export const snyk: ReportReader = { format: 'snyk', label: 'Snyk JSON', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  if (!/^\s*[[{]/.test(head) || /"\$schema"\s*:\s*"[^"]*sarif|"bomFormat"\s*:/.test(head)) return false
  if (/"infrastructureAsCodeIssues"\s*:\s*\[/.test(head)) return true
  return (
    /"vulnerabilities"\s*:\s*\[/.test(head) &&
    (/"(?:licensesPolicy|dependencyCount|displayTargetFile|severityWithCritical|upgradePath)"\s*:/.test(head) ||
      /"id"\s*:\s*"(?:SNYK-|snyk:lic:)/.test(head))
  )
}

const paths = [
  'vulnerabilities[]',
  'applications[].vulnerabilities[]',
  'filtered.ignore[]',
  'infrastructureAsCodeIssues[]',
]

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const { projects, introduced, failures } = await factsOf(source)
  const told = new Set<string>()
  for await (const row of jsonRows(source, [...paths, ...paths.map((path) => `[].${path}`)], rowsOf)) yield row
  for (const reason of failures.slice(0, 1)) yield { kind: 'TRUNCATED', reason }

  function* rowsOf({ path, keys, value, at }: Given): Iterable<Row> {
    const project = projectOf(projects, keys)
    if (!isObject(value) || (textAt(value, 'id') ?? textAt(value, 'publicId')) === undefined) {
      yield { kind: 'LEFT_OUT', at, reason: 'It has no id' }
    } else if (path.endsWith('infrastructureAsCodeIssues[]')) {
      yield { kind: 'OBSERVATION', at, observation: misconfiguration(value, project) }
    } else if (value.type === 'license') {
      yield { kind: 'PASSED_OVER', at, reason: 'It is about a license, not a vulnerability' }
    } else {
      // One vulnerability of one component is told again for each way by which it comes in.
      const key = vulnerabilityKey(keys, value)
      if (told.has(key)) return
      told.add(key)
      const observation: Observation | null = vulnerability(value, project, introduced.get(key), isIgnored(path))
      yield observation === null
        ? { kind: 'LEFT_OUT', at, reason: 'It names no package' }
        : { kind: 'OBSERVATION', at, observation }
    }
  }
}

/** An application found in an image belongs to the image. */
function projectOf(projects: ReadonlyMap<string, Project>, keys: Keys): Project {
  const own = projects.get(projectKey(keys)) ?? {}
  const application = keys.indexOf('applications')
  if (application < 0) return own
  const around = projects.get(projectKey(keys.slice(0, application))) ?? {}
  return { ...own, image: around.image, isContainer: around.isContainer ?? own.isContainer }
}

const isIgnored = (path: string): boolean => path.endsWith('ignore[]')
