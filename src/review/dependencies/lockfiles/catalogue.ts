// Gradle's version catalogues: libraries with a version of their own, or with one that is named in another table.

import type { ChangedLine } from '../../types.ts'
import type { LockfileReader, Side, Told } from '../types.ts'

type Version = { value: string; line: ChangedLine }

/** A range says nothing certain; of a rich version what it prefers, or holds to strictly. */
function versionIn(text: string): string | undefined {
  const said = /^"([^"]{1,100})"/.exec(text)?.[1]
  const rich =
    /\bprefer\s*=\s*"([^"]{1,100})"/.exec(text)?.[1] ?? /\b(?:strictly|require)\s*=\s*"([^"]{1,100})"/.exec(text)?.[1]
  const version = said ?? rich
  return version !== undefined && /^\d[\w.-]{0,99}$/.test(version) ? version : undefined
}

/** `name = "1.2.3"`, or the same with what is required in braces; libraries and plugins have colons or an id. */
function versionsOf(lines: readonly ChangedLine[]): Map<string, Version> {
  const versions = new Map<string, Version>()
  for (const line of lines) {
    const [, name, rest = ''] = /^\s*"?([\w.-]{1,100})"?\s*=\s*(.{1,300})$/.exec(line.text) ?? []
    if (!name || /\b(?:module|group|id)\s*=/.test(rest)) continue
    const value = versionIn(rest)
    if (value !== undefined) versions.set(name, { value, line })
  }
  return versions
}

function coordinatesOf(text: string): string | undefined {
  const module = /\bmodule\s*=\s*"([\w.-]{1,200}:[\w.-]{1,200})"/.exec(text)?.[1]
  const group = /\bgroup\s*=\s*"([\w.-]{1,200})"/.exec(text)?.[1]
  const name = /\bname\s*=\s*"([\w.-]{1,200})"/.exec(text)?.[1]
  return module ?? (group && name ? `${group}:${name}` : undefined)
}

/** Comments say nothing, and TOML has two kinds of quotes. */
const plain = (line: ChangedLine): ChangedLine => ({
  ...line,
  text: line.text.replace(/^\s*#.*/, '').replaceAll("'", '"'),
})

/** Libraries by line; a version in its own line is that of every library that names it. */
function readCatalogue({ lines: written, touched }: Side): Told {
  const lines = written.map(plain)
  const told: Told = { packages: [], unclear: [] }
  const versions = versionsOf(lines)
  const isTouched = ({ mark }: ChangedLine) => mark === touched
  const named = new Set<string>()
  for (const line of lines) {
    const [, short, own] = /^\s*[\w.-]{1,100}\s*=\s*"([\w.-]{1,200}:[\w.-]{1,200}):([^"]{1,100})"/.exec(line.text) ?? []
    const reference = /\bversion(?:\.ref\s*=|\s*=\s*\{\s*ref\s*=)\s*"([\w.-]{1,100})"/.exec(line.text)?.[1]
    if (reference !== undefined) named.add(reference)
    const name = short ?? coordinatesOf(line.text)
    if (name === undefined) continue
    const given = /\bversion\s*=\s*("[^"]{1,100}"|\{[^}]{1,300}\})/.exec(line.text)?.[1]
    const version = versionIn(own === undefined ? (given ?? '') : `"${own}"`)
    const elsewhere = reference === undefined ? undefined : versions.get(reference)
    if (version !== undefined && isTouched(line)) told.packages.push({ name, version, line: line.number })
    else if (elsewhere && (isTouched(line) || isTouched(elsewhere.line)))
      told.packages.push({ name, version: elsewhere.value, line: (isTouched(line) ? line : elsewhere.line).number })
    else if (reference !== undefined && isTouched(line)) told.unclear.push(line.number)
  }
  for (const [name, { line }] of versions) if (isTouched(line) && !named.has(name)) told.unclear.push(line.number)
  return told
}

export const catalogue: LockfileReader = {
  ecosystem: 'Maven',
  isOf: (name) => /\.versions\.toml$/.test(name),
  read: readCatalogue,
  isWhole: true,
}
