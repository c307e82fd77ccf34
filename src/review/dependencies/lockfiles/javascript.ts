// Lockfiles of npm, Yarn, pnpm and Bun.

import type { ChangedLine } from '../../types.ts'
import type { LockfileReader, Named, Side, Told } from '../types.ts'

/** Lines of one entry that are looked at for its name. */
const NEAR = 12

const indentOf = (text: string): number => text.length - text.trimStart().length

/** `https://host/@scope/name/-/name-1.2.3.tgz`, whatever the host. */
function fromTarball(text: string): { name: string; version: string } | null {
  const parts =
    /\/((?:@[\w.~-]{1,214}(?:\/|%2[fF]))?[\w.~-]{1,214})\/-\/([\w.~-]{1,214})-(\d+\.[\w.+-]{1,100})\.tgz/.exec(text)
  const name = parts?.[1]?.replace(/%2f/i, '/')
  if (parts?.[3] === undefined || name === undefined) return null
  return { name, version: parts[3] }
}

/** The name that a key says: in versions 2 and 3 it is a path, below node_modules but for the project's own folders. */
const nameOfKey = (key: string): string | null => {
  const at = key.lastIndexOf(MODULES)
  const name = at < 0 ? key : key.slice(at + MODULES.length)
  return /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name) ? name : null
}

const MODULES = 'node_modules/'

/** What an entry has that came from a registry or within another package, and one of the project's own folders has not. */
const FETCHED = /^\s*"(?:resolved|integrity|bundled)":/

function readPackageLock({ lines, touched }: Side): Told {
  const told: Told = { packages: [], unclear: [] }
  for (const [index, line] of lines.entries()) {
    const version = /^\s*"version":\s*"([^"]{1,200})"/.exec(line.text)?.[1]
    if (version === undefined) continue
    const indent = indentOf(line.text)
    const key = keyAbove(lines, index, indent)
    const tarball = below(lines, index, indent, /^\s*"resolved":\s*"([^"]{1,2000})"/)
    const source = tarball?.value === undefined ? null : fromTarball(tarball.value)
    const isTouched = line.mark === touched || key?.mark === touched || tarball?.mark === touched
    if (!isTouched || key?.value === '' || /^(?:file:|git|https?:)/.test(version)) continue
    const own = lines.slice(Math.max(0, index - 2), index).findLast(({ text }) => /^\s*"name":/.test(text))
    const said = own && indentOf(own.text) === indent ? /"name":\s*"([^"]{1,214})"/.exec(own.text)?.[1] : undefined
    const alias = /^npm:((?:@[^@/]{1,214}\/)?[^@/]{1,214})@(.{1,100})$/.exec(version)
    const isFetched = key?.value.includes(MODULES) || below(lines, index, indent, FETCHED) !== null
    const name =
      alias?.[1] ??
      source?.name ??
      (key !== null && isFetched ? said : undefined) ??
      (key === null || !isFetched ? null : nameOfKey(key.value))
    if (name !== null) told.packages.push({ name, version: alias?.[2] ?? version, line: line.number })
    else if (indent > 2 && !isFolder(key?.value)) told.unclear.push(line.number)
  }
  return told
}

/** A folder of the project and not a scope with its package. */
const isFolder = (key: string | undefined): boolean => key?.includes('/') === true && !/^@[^/]+\/[^/]+$/.test(key)

type Beside = { value: string; mark: ChangedLine['mark'] }

function keyAbove(lines: readonly ChangedLine[], from: number, indent: number): Beside | null {
  for (let at = from - 1; at >= Math.max(0, from - NEAR); at--) {
    const line = lines[at]
    if (!line || indentOf(line.text) >= indent) continue
    const key = /^\s*"([^"]{0,500})":\s*\{/.exec(line.text)?.[1]
    return key === undefined ? null : { value: key, mark: line.mark }
  }
  return null
}

function below(lines: readonly ChangedLine[], from: number, indent: number, pattern: RegExp): Beside | null {
  for (const line of lines.slice(from + 1, from + NEAR)) {
    if (indentOf(line.text) < indent) return null
    const match = indentOf(line.text) === indent ? pattern.exec(line.text) : null
    if (match !== null) return { value: match[1] ?? '', mark: line.mark }
  }
  return null
}

/** Entries of Yarn 1 and of later ones begin at the line's start; what follows is indented. */
function readYarn({ lines, touched }: Side): Told {
  const told: Told = { packages: [], unclear: [] }
  for (const [index, line] of lines.entries()) {
    const version = /^ {2}"?version"?:? "?([^"\s]{1,200})"?\s*$/.exec(line.text)?.[1]
    if (version === undefined) continue
    const header = headerAbove(lines, index)
    const rest = entryBelow(lines, index)
    const resolution = rest.find(({ text }) => /^ {2}"?(?:resolved|resolution)\b/.test(text))
    const name = nameOfResolution(resolution?.text) ?? nameOfDescriptor(header?.text)
    const isTouched = [line, header, resolution].some((each) => each?.mark === touched)
    if (!isTouched || /@(?:workspace|patch|portal|link|file):/.test(resolution?.text ?? header?.text ?? '')) continue
    if (name !== null) told.packages.push({ name, version, line: line.number })
    else told.unclear.push(line.number)
  }
  return told
}

function headerAbove(lines: readonly ChangedLine[], from: number): ChangedLine | undefined {
  for (let at = from - 1; at >= Math.max(0, from - NEAR); at--) {
    const text = lines[at]?.text ?? ''
    if (text === '') return undefined
    if (!text.startsWith(' ')) return lines[at]
  }
  return undefined
}

function entryBelow(lines: readonly ChangedLine[], from: number): readonly ChangedLine[] {
  const rest = lines.slice(from + 1, from + NEAR)
  const end = rest.findIndex(({ text }) => !text.startsWith(' '))
  return end < 0 ? rest : rest.slice(0, end)
}

function nameOfResolution(text: string | undefined): string | null {
  if (text === undefined) return null
  const berry = /resolution"?: "((?:@[^"/@]{1,214}\/)?[^"@]{1,214})@(?:npm|virtual):/.exec(text)?.[1]
  return berry ?? fromTarball(text)?.name ?? null
}

/** `"@scope/name@npm:^1.0.0, @scope/name@^1.1":` */
const nameOfDescriptor = (text: string | undefined): string | null => {
  const [, name, range = ''] = /^"?((?:@[^@/\s"]{1,214}\/)?[^@\s",]{1,214})@([^,"]{0,500})/.exec(text ?? '') ?? []
  const alias = /^npm:((?:@[^@/]{1,214}\/)?[^@]{1,214})@/.exec(range)?.[1]
  return alias ?? name ?? null
}

/** Keys of packages: `/name/1.2.3:`, `registry.example/name/1.2.3:`, `/name@1.2.3(peer):`, `name@1.2.3:`, in quotes where they begin with `@`. */
function readPnpm({ lines, touched }: Side): Told {
  const packages: Named[] = []
  for (const { mark, number, text } of lines) {
    if (mark !== touched) continue
    const parts =
      /^ {2}['"]?(?:\/|[\w.-]{1,200}\.[a-z]{2,20}(?::\d{1,5})?\/)?((?:@[\w.~-]{1,214}\/)?[\w.~-]{1,214})[@/](\d+\.\d+\.[A-Za-z0-9.+-]{1,100})(?:[(_][^:]{0,2000})?['"]?:/.exec(
        text,
      )
    if (parts?.[1] !== undefined && parts[2] !== undefined)
      packages.push({ name: parts[1], version: parts[2], line: number })
  }
  return { packages, unclear: [] }
}

function readBun({ lines, touched }: Side): Told {
  const packages: Named[] = []
  for (const { mark, number, text } of lines) {
    const parts = /^\s*"[^"]{1,500}":\s*\["((?:@[^"@/]{1,214}\/)?[^"@]{1,214})@(\d[^"]{0,100})"/.exec(text)
    if (mark === touched && parts?.[1] !== undefined && parts[2] !== undefined)
      packages.push({ name: parts[1], version: parts[2], line: number })
  }
  return { packages, unclear: [] }
}

const npm = (isOf: LockfileReader['isOf'], read: LockfileReader['read']): LockfileReader => ({
  ecosystem: 'npm',
  isOf,
  read,
})

export const javascript: readonly LockfileReader[] = [
  npm((name) => /^(?:\.?package-lock|npm-shrinkwrap)\.json$/.test(name), readPackageLock),
  npm((name) => name === 'yarn.lock', readYarn),
  npm((name) => /^pnpm-lock.*\.ya?ml$/.test(name), readPnpm),
  npm((name) => name === 'bun.lock', readBun),
]
