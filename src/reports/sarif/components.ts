// Finds the component of a SARIF result. SARIF has no field for it; tools give it in one of a few known ways.

import { percentDecoded } from '../../core/percent.ts'
import type { ComponentObservation } from '../types.ts'
import { at, type Fields, object, objects, text, texts } from '../values.ts'
import type { Place } from './places.ts'
import type { Rule } from './rules.ts'

type Named = Pick<ComponentObservation, 'package' | 'affectedVersion' | 'patchedVersion' | 'packageManager' | 'purl'>

/** Sentences of Trivy, Grype, OSV-Scanner, Snyk and govulncheck; each with its groups `name` and `version`. */
const sentences: readonly RegExp[] = [
  /^Package: (?<name>\S{1,300})\s+Installed Version: (?<version>\S{1,200})/,
  /reports (?<name>\S{1,300}) at version (?<version>\S{1,200})\s+which is a vulnerable \((?<manager>[\w-]{1,40})\)/,
  /Package '(?<name>@?[^'@]{1,300})@(?<version>[^']{1,200})' is vulnerable/,
  /introduces a vulnerable (?<name>\S{1,300}) package/,
  /\b\d{1,9} (?:vulnerable )?(?:package|module)s? \((?<name>[^),\s]{1,300})/,
]

/** Undefined when the result names no component. */
export function componentOf(
  result: Fields,
  rule: Rule | undefined,
  message: string | undefined,
  place: Place | undefined,
): Named | undefined {
  const own = object(result.properties)
  const of = rule?.properties ?? {}
  const said = inWords(message)
  const version = first(own, of, [
    'componentVersion',
    'packageVersion',
    'installedVersion',
    'affected_version',
    'version',
  ])
  const patched =
    first(own, of, ['fixedVersion', 'fixed_version', 'patchedVersion', 'fixVersion']) ??
    /^Fixed Version: (\S[^\n]{0,200})/m.exec(message ?? '')?.[1]?.trim()
  const purl = purlOf([place?.logicalName, place?.fileName, own.purl, own.purls, of.purl, of.purls])
  const fromPurl = purl === undefined ? undefined : packageOfPurl(purl)
  const name = first(own, of, ['component', 'packageName', 'package', 'componentName', 'dependency'])
  const logical = nameAtVersion(place?.logicalName)
  const found = fromPurl ?? said ?? (name === undefined ? undefined : { package: name }) ?? logical
  if (found === undefined) return undefined
  return {
    package: found.package,
    affectedVersion: found.affectedVersion ?? version ?? logical?.affectedVersion,
    patchedVersion: patched,
    packageManager: found.packageManager ?? managerIn(own, of),
    purl,
  }
}

const managerIn = (own: Fields, of: Fields): string | undefined =>
  first(own, of, ['packageManager', 'componentOrigin', 'ecosystem'])

/** What is named in the place of a result without a component: the file that its dependencies stand in. */
export const unnamedComponent = (place: Place | undefined): Named => ({
  package: place?.logicalName ?? place?.fileName?.split('/').at(-1) ?? 'unknown',
})

function first(own: Fields, of: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = text(own[key], 300) ?? text(of[key], 300)
    if (value !== undefined) return value
  }
  return undefined
}

function inWords(message: string | undefined): Named | undefined {
  const start = message?.slice(0, 2000)
  if (start === undefined) return undefined
  for (const sentence of sentences) {
    const groups = sentence.exec(start)?.groups
    if (groups?.name === undefined) continue
    return { package: groups.name, affectedVersion: groups.version, packageManager: groups.manager }
  }
  return undefined
}

/** `lodash@4.17.4`, `@types/node@1.0.0`, `org.x:y@1.0`; not an address or a path. */
function nameAtVersion(name: string | undefined): Named | undefined {
  const match = /^(@?[\w.+~:/-]{1,300})@([\w.+~:-]{1,200})$/.exec(name ?? '')
  return match?.[1] === undefined ? undefined : { package: match[1], affectedVersion: match[2] }
}

/** The first purl; of a rule's several only when there is one, as it says what it is about, not what was found. */
function purlOf(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const purls = texts(value).filter((each) => each.startsWith('pkg:'))
    if (purls.length === 1) return purls[0]?.slice(0, 1000)
  }
  return undefined
}

/** `pkg:npm/%40scope/name@1.0.0?arch=x` is `@scope/name`, `1.0.0`, `npm`. Source: the package URL specification. */
function packageOfPurl(purl: string): Named | undefined {
  const match = /^pkg:\/{0,2}([A-Za-z0-9.+-]{1,40})\/([^?#]{1,600})/.exec(purl)
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  const [path, version] = splitLast(match[2], '@')
  const steps = path.split('/').filter(Boolean).map(percentDecoded)
  const separator = match[1] === 'maven' ? ':' : '/'
  const isDistribution = ['deb', 'rpm', 'apk', 'alpm', 'oci'].includes(match[1])
  const name = isDistribution ? steps.at(-1) : steps.join(separator)
  if (!name) return undefined
  return { package: name, affectedVersion: version && percentDecoded(version), packageManager: match[1] }
}

function splitLast(value: string, mark: string): [string, string | undefined] {
  const index = value.lastIndexOf(mark)
  return index > 0 ? [value.slice(0, index), value.slice(index + 1)] : [value, undefined]
}

/** Descriptions of the fixes that a result proposes. */
export const fixesOf = (result: Fields): readonly (string | undefined)[] =>
  objects(result.fixes)
    .slice(0, 10)
    .map((fix) => text(at(fix, 'description', 'text')) ?? text(at(fix, 'description', 'markdown')))
