// Manifests and lockfiles in which a package is a block of lines: Maven's pom.xml, composer.lock, Pipfile.lock and NuGet's lockfile.

import type { ChangedLine } from '../../types.ts'
import type { LockfileReader, Side, Told } from '../types.ts'

const inElement = (text: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([^<]{1,300}?)\\s*</${name}>`).exec(text)?.[1]

/** A dependency, the project itself, or what began above the hunk. */
type Role = 'DEPENDENCY' | 'PROJECT' | 'UNKNOWN'

type Artifact = { group?: string; artifact?: string; isTouched: boolean; role: Role }

const fresh = (role: Role): Artifact => ({ isTouched: false, role })

/** The properties that the hunk itself sets; others stand elsewhere. */
function propertiesOf(lines: readonly ChangedLine[]): Map<string, { value: string; isTouched: boolean }> {
  const properties = new Map<string, { value: string; isTouched: boolean }>()
  for (const { text, mark } of lines) {
    const [, name, value] = /<([\w.-]{1,100})>\s*([\w.+-]{1,100})\s*<\/\1>/.exec(text) ?? []
    if (name && value && !/^(?:groupId|artifactId|version|scope|type)$/.test(name)) {
      properties.set(name, { value, isTouched: mark !== ' ' })
    }
  }
  return properties
}

/** Lines of touched properties that say the version of something that the hunk does not show. */
const unusedVersions = (lines: readonly ChangedLine[], touched: ChangedLine['mark']): number[] =>
  lines.flatMap(({ mark, number, text }) => {
    const [, name] = /<([\w.-]{1,100})>\s*\d[\w.+-]{0,99}\s*<\/\1>/.exec(text) ?? []
    const isVersion = mark === touched && name !== undefined && /version/i.test(name) && !NO_PACKAGE.test(name)
    return isVersion && !lines.some((line) => line.text.includes(`\${${name}}`)) ? [number] : []
  })

/** Versions of the language and of the model itself. */
const NO_PACKAGE = /^(?:version|modelVersion|(?:java|jdk|maven\.compiler)\b.*)$/i

/** groupId, artifactId and version stand in this order by custom; a block that began above the hunk has no groupId. */
function readPom({ lines, touched }: Side): Told {
  const told: Told = { packages: [], unclear: unusedVersions(lines, touched) }
  const properties = propertiesOf(lines)
  const resolved = (text: string | undefined) =>
    text?.replace(/\$\{([^}]{1,100})\}/g, (whole, name: string) => properties.get(name)?.value ?? whole)
  let block = fresh('UNKNOWN')
  for (const { mark, number, text } of lines) {
    if (/<\/?(?:dependency|plugin|parent|exclusion|extension)>/.test(text))
      block = fresh(text.includes('</parent>') ? 'PROJECT' : 'DEPENDENCY')
    // What stands outside of all these is the project itself.
    if (/<project\b|<modelVersion>/.test(text)) block = fresh('PROJECT')
    const isTouched = mark === touched
    const group = resolved(inElement(text, 'groupId'))
    const artifact = resolved(inElement(text, 'artifactId'))
    if (group !== undefined) block.group = group
    if (artifact !== undefined) block.artifact = artifact
    if ((group ?? artifact) !== undefined) block.isTouched ||= isTouched
    const said = inElement(text, 'version')
    if (said === undefined) continue
    const property = properties.get(/^\$\{([^}]{1,100})\}$/.exec(said)?.[1] ?? '')
    const version = (said.startsWith('${') ? property?.value : said)?.replace(/^\[([^,[\]()]{1,100})\]$/, '$1')
    if (block.role === 'PROJECT') continue
    const { group: groupId, artifact: artifactId } = block
    if (!(isTouched || block.isTouched || property?.isTouched)) continue
    const isCertain =
      block.role === 'DEPENDENCY' && version !== undefined && groupId !== undefined && artifactId !== undefined
    if (isCertain && /^[\w.+-]+$/.test(version) && !`${groupId}${artifactId}`.includes('${')) {
      told.packages.push({ name: `${groupId}:${artifactId}`, version, line: number })
    } else told.unclear.push(number)
  }
  return told
}

/** `"name": "vendor/package",` right above `"version": "v1.2.3",`. */
function readComposer({ lines, touched }: Side): Told {
  const told: Told = { packages: [], unclear: [] }
  let name: { value: string; isTouched: boolean } | null = null
  for (const { mark, number, text } of lines) {
    const named = /^\s*"name":\s*"([\w.-]{1,200}\/[\w.-]{1,200})"/.exec(text)?.[1]
    if (named !== undefined) name = { value: named, isTouched: mark === touched }
    const version = /^\s*"version":\s*"([^"]{1,200})"/.exec(text)?.[1]
    if (version === undefined) continue
    const isTouched = mark === touched || (name?.isTouched ?? false)
    if (isTouched && name !== null && !/^dev-|-dev$/.test(version)) {
      told.packages.push({ name: name.value, version, line: number })
    } else if (isTouched && name === null) told.unclear.push(number)
    name = null
  }
  return told
}

/** `"name": {` some lines above the version, as `"version": "==1.2.3"`. */
const readKeyed =
  (pinned: RegExp) =>
  ({ lines, touched }: Side): Told => {
    const told: Told = { packages: [], unclear: [] }
    let name: { value: string; isTouched: boolean } | null = null
    for (const { mark, number, text } of lines) {
      const key = /^\s*"([\w.-]{1,200})":\s*\{/.exec(text)?.[1]
      if (key !== undefined) name = { value: key, isTouched: mark === touched }
      else if (/^\s*\}/.test(text)) name = null
      const version = pinned.exec(text)?.[1]
      if (version === undefined) continue
      const isTouched = mark === touched || (name?.isTouched ?? false)
      if (isTouched && name !== null) told.packages.push({ name: name.value, version, line: number })
      else if (isTouched) told.unclear.push(number)
      name = null
    }
    return told
  }

export const blocks: readonly LockfileReader[] = [
  { ecosystem: 'Maven', isOf: (name) => /^pom\.xml$|\.pom$/.test(name), read: readPom },
  { ecosystem: 'Packagist', isOf: (name) => name === 'composer.lock', read: readComposer },
  { ecosystem: 'PyPI', isOf: (name) => name === 'Pipfile.lock', read: readKeyed(/^\s*"version":\s*"==([^"]{1,200})"/) },
  {
    ecosystem: 'NuGet',
    isOf: (name) => /^packages(?:\.[\w.-]{1,100})?\.lock\.json$/.test(name),
    read: readKeyed(/^\s*"resolved":\s*"([^"]{1,200})"/),
  },
]
