// Manifests and lockfiles that name a package and its version in one line: Python, Go, Ruby, Gradle, .NET and Elixir.

import type { ChangedLine } from '../../types.ts'
import type { LockfileReader, Named, Side, Told } from '../types.ts'

type Pair = { name: string; version: string } | null

/** Reads each touched line by itself, or each of the parts that it is cut into. */
const byLine =
  (pairOf: (text: string) => Pair, partsOf = (text: string) => [text]) =>
  ({ lines, touched }: Side): Told => {
    const packages: Named[] = []
    for (const { mark, number, text } of lines) {
      if (mark !== touched) continue
      for (const pair of partsOf(text).map(pairOf)) if (pair !== null) packages.push({ ...pair, line: number })
    }
    return { packages, unclear: [] }
  }

function pairIn(text: string, pattern: RegExp): Pair {
  const [, name, version] = pattern.exec(text) ?? []
  return name === undefined || version === undefined ? null : { name, version }
}

/** A range does not name one version: only `==` and `===` without a star do. */
const requirement = (text: string): Pair =>
  pairIn(
    text.trim(),
    /^([A-Za-z0-9][\w.-]{0,200})\s{0,10}(?:\[[^\]]{0,300}\])?\s{0,10}={2,3}\s{0,10}(\w[\w.!+-]{0,99})\s{0,10}(?:;|#|\\|--|-C\b|,|$)/,
  )

/** `module version h1:…`; a line for the module's go.mod alone says nothing of its code. */
const goSum = (text: string): Pair => pairIn(text, /^(\S{1,300}) (v[\w.+-]{1,200}) h1:/)

const goRequire = (text: string): Pair =>
  /=>|^\s*(?:\/\/|replace|exclude|retract|go|toolchain|module)\b/.test(text)
    ? null
    : pairIn(text, /^(?:require\s+|\s+)([\w.~-]{1,100}\.[\w.~/-]{1,300}) (v\d[\w.+-]{0,200})(?:\s*\/\/.{0,200})?\s*$/)

/** `replace a => b v1.2.3`, where a may have a version too and b may be a folder. */
const goReplace = (text: string): { replaced: string; by: Pair } | null => {
  const [, replaced, rest] = /^(?:replace\s+|\s+)(\S{1,300}(?: v\S{1,200})?) => (.{1,500})$/.exec(text) ?? []
  if (replaced === undefined || rest === undefined) return null
  return { replaced, by: pairIn(rest, /^([\w.~-]{1,100}\.[\w.~/-]{1,300}) (v\d[\w.+-]{0,200})\s*(?:\/\/.*)?$/) }
}

/** The lines within `exclude ( … )`, as far as it is shown: what stands there is not used. */
function excludedIn(lines: readonly ChangedLine[]): Set<ChangedLine> {
  const excluded = new Set<ChangedLine>()
  let isWithin = false
  for (const [at, line] of lines.entries()) {
    const isNextHunk = line.number > (lines[at - 1]?.number ?? 0) + 1
    if (isNextHunk || /^\S/.test(line.text)) isWithin = /^exclude\s*\(/.test(line.text)
    else if (isWithin) excluded.add(line)
  }
  return excluded
}

/** What is required, and what stands in for it as far as the hunk shows. */
function readGoMod({ lines, touched }: Side): Told {
  const replacements = lines.map(({ text }) => goReplace(text))
  const replaced = new Set(replacements.flatMap((each) => each?.replaced ?? []))
  const excluded = excludedIn(lines)
  const packages = lines.flatMap((line, index): Named[] => {
    const { mark, number, text } = line
    if (mark !== touched || excluded.has(line)) return []
    const pair = replacements[index]?.by ?? goRequire(text)
    if (pair === null) return []
    const isReplaced = replaced.has(pair.name) || replaced.has(`${pair.name} ${pair.version}`)
    return isReplaced && replacements[index] === null ? [] : [{ ...pair, line: number }]
  })
  return { packages, unclear: [] }
}

/** `    name (1.2.3)`, with four spaces; six are what a gem asks for. A platform behind the version is no part of it. */
function gem(text: string): Pair {
  const pair = pairIn(text, /^ {4}([\w.-]{1,200}) \(([\w.-]{1,200})\)\s*$/)
  if (pair === null || !/^\d/.test(pair.version)) return null
  return {
    ...pair,
    version: pair.version.replace(/-(?:x86|x64|arm|aarch|java|jruby|universal|mingw|mswin|ruby).*$/, ''),
  }
}

const gradleLock = (text: string): Pair => {
  const [, group, artifact, version] = /^([\w.-]{1,200}):([\w.-]{1,200}):([\w.+-]{1,100})=/.exec(text) ?? []
  return group && artifact && version ? { name: `${group}:${artifact}`, version } : null
}

/** `group: 'a', name: 'b', version: '1.0'`, with `=` in Kotlin. */
const gradleNamed = (text: string): Pair => {
  const part = (name: string) =>
    new RegExp(`(?:^|[ (,])${name} {0,3}[:=] {0,3}["']([\\w.+-]{1,200})["']`).exec(text)?.[1]
  const [group, artifact, version] = [part('group'), part('name'), part('version')]
  const isKnown = group && artifact && version && /^\d/.test(version) && !version.endsWith('+')
  return isKnown ? { name: `${group}:${artifact}`, version } : null
}

const gradleBuild = (text: string): Pair => {
  if (/^\s*\/[/*]/.test(text)) return null
  const [, group, artifact, version] =
    /\b\w{0,40}(?:mplementation|api|ompile|untimeOnly|ompileOnly|classpath|rocessor|kapt|ksp|latform)\w{0,20}[ (]{1,3}["']([\w.-]{1,200}):([\w.-]{1,200}):(\d[\w.+-]{0,100})["'@:]/.exec(
      text,
    ) ?? []
  if (!group || !artifact || !version) return gradleNamed(text)
  return /[+]$/.test(version) ? null : { name: `${group}:${artifact}`, version }
}

/** The elements of a line that are no comment. */
const elements = (text: string): string[] => text.replace(/<!--.*?(?:-->|$)/g, '').split(/(?=<)/)

/** `<PackageReference Include="A" Version="1.2.3" />`, a PackageVersion, or `<package id="A" version="1.2.3" />`. */
const nuget = (text: string): Pair => {
  if (!/<(?:Package(?:Reference|Version)|package)\s/.test(text)) return null
  const name = /\s(?:Include|Update|id)=["']([\w.-]{1,200})["']/.exec(text)?.[1]
  const version = /\s[Vv]ersion=["']\[?(\d[\w.+-]{0,100})\]?["']/.exec(text)?.[1]
  return name !== undefined && version !== undefined ? { name, version } : null
}

/** `"plug": {:hex, :plug, "1.14.0", …`: the second name is the package's. */
const mix = (text: string): Pair => pairIn(text, /^\s*"[^"]{1,100}":\s*\{:hex, :"?(\w{1,100})"?, "(\d[^"]{0,100})"/)

export const oneLine: readonly LockfileReader[] = [
  {
    ecosystem: 'PyPI',
    isOf: (name, path) =>
      (/^[\w.-]+\.(?:txt|in|pip)$/i.test(name) && /requirements|^constraints/i.test(name)) ||
      /(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/.test(path),
    read: byLine(requirement),
  },
  { ecosystem: 'Go', isOf: (name) => name === 'go.sum', read: byLine(goSum) },
  { ecosystem: 'Go', isOf: (name) => name === 'go.mod', read: readGoMod, isWhole: true },
  { ecosystem: 'RubyGems', isOf: (name) => /^(?:Gemfile|gems)\.l(?:ock|ocked)$/.test(name), read: byLine(gem) },
  { ecosystem: 'Maven', isOf: (name) => /\.lockfile$/.test(name), read: byLine(gradleLock) },
  {
    ecosystem: 'NuGet',
    isOf: (name) => /\.(?:cs|fs|vb)proj$|^Directory\.(?:Packages|Build)\.props$|^packages\.config$/.test(name),
    read: byLine(nuget, elements),
  },
  { ecosystem: 'Hex', isOf: (name) => name === 'mix.lock', read: byLine(mix) },
  { ecosystem: 'Maven', isOf: (name) => /\.gradle(?:\.kts)?$/.test(name), read: byLine(gradleBuild) },
]
