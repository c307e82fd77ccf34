// Collects what a Snyk report says about its projects, which comes after their vulnerabilities, and the dependency paths of each.

import type { Keys } from '../json-items.ts'
import { readJson } from '../json-walk.ts'
import { ReportFault, type ReportSource } from '../types.ts'
import { type Fields, object, text, texts } from '../values.ts'

export type Project = { manager?: string; file?: string; image?: string; isContainer?: boolean }

/** How a vulnerable component comes in: the first ways, and how many there are. */
export type Introduced = { ways: string[]; count: number }

type Facts = {
  projects: Map<string, Project>
  introduced: Map<string, Introduced>
  /** sentences of projects that Snyk could not test */
  failures: string[]
}

const MOST_PROJECTS = 100_000
const MOST_VULNERABILITIES = 500_000
const MOST_WAYS = 5

const fields = ['packageManager', 'displayTargetFile', 'targetFile', 'projectName', 'platform', 'docker.image', 'error']

const paths = [
  ...fields,
  'path',
  'vulnerabilities[]',
  'applications[].vulnerabilities[]',
  ...fields.map((field) => `applications[].${field}`),
]

export async function factsOf(source: ReportSource): Promise<Facts> {
  const facts: Facts = { projects: new Map(), introduced: new Map(), failures: [] }
  for await (const item of readJson(source.open(), [...paths, ...paths.map((path) => `[].${path}`)])) {
    if (item.kind !== 'VALUE') continue
    if (item.path.endsWith('vulnerabilities[]')) count(facts, item.keys, object(item.value))
    else take(facts, item.keys, text(item.value, 1000))
  }
  return facts
}

function count({ introduced }: Facts, keys: Keys, value: Fields): void {
  const key = vulnerabilityKey(keys, value)
  const known = introduced.get(key) ?? { ways: [], count: 0 }
  known.count++
  const way = dependencyPathOf(value)
  if (known.ways.length < MOST_WAYS && way !== undefined) known.ways.push(way)
  introduced.set(key, known)
  if (introduced.size > MOST_VULNERABILITIES)
    throw new ReportFault('The report has too many vulnerabilities for one file')
}

function take({ projects, failures }: Facts, keys: Keys, value: string | undefined): void {
  if (value === undefined) return
  const key = projectKey(keys)
  const project = projects.get(key) ?? {}
  projects.set(key, project)
  if (projects.size > MOST_PROJECTS) throw new ReportFault('The report has too many projects for one file')
  const field = String(keys.at(-1))
  if (field === 'packageManager') {
    project.manager = value
    project.isContainer ||= /^(?:deb|rpm|apk|linux)/.test(value)
  } else if (field === 'displayTargetFile') project.file = value
  else if (field === 'targetFile') project.file ??= value
  else if (field === 'platform') project.isContainer = true
  else if (field === 'projectName' && value.startsWith('docker-image|')) {
    project.image = value.slice('docker-image|'.length)
    project.isContainer = true
  } else if (field === 'error') failures.push(`Snyk could not test everything: ${value.slice(0, 300)}`)
}

/** `[3].applications[1]` and so on: all before the field or list that the keys lead to. */
export function projectKey(keys: Keys): string {
  const application = keys.indexOf('applications')
  const end = application >= 0 ? application + 2 : typeof keys[0] === 'number' ? 1 : 0
  return JSON.stringify(keys.slice(0, end))
}

export const vulnerabilityKey = (keys: Keys, value: Fields): string =>
  JSON.stringify([
    projectKey(keys),
    text(value.id, 200),
    nameOf(value),
    text(value.version, 200),
    keys.includes('ignore'),
  ])

export const nameOf = (value: Fields): string | undefined => text(value.name, 300) ?? text(value.packageName, 300)

/** `app@1.0 > express@4.0 > qs@6.0` */
const dependencyPathOf = (value: Fields): string | undefined =>
  texts(value.from)
    .slice(0, 50)
    .map((step) => step.slice(0, 200))
    .join(' > ') || undefined
