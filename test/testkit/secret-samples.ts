// Generates tokens that match each kind, and others that miss it by one detail, reproducibly for a given seed.

import { crcInBase62, grafanaChecksum } from '../../src/review/secrets/checks.ts'
import { type Part, readForm } from '../../src/review/secrets/form.ts'
import type { Kind } from '../../src/review/secrets/kinds/types.ts'

/** Returns numbers from 0 to below `most` (mulberry32). */
type Chance = (most: number) => number

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
}

const ASCII = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))

const members = new Map<string, string[]>()

function membersOf(chars: string): string[] {
  const known = members.get(chars) ?? ASCII.filter((char) => new RegExp(`[${chars}]`).test(char))
  members.set(chars, known)
  return known
}

const pick = <T>(chance: Chance, from: readonly T[]): T => {
  const value = from[chance(from.length)]
  if (value === undefined) throw new Error('There is nothing to pick from')
  return value
}

function made(part: Part, chance: Chance): string {
  if ('text' in part) return pick(chance, part.text)
  const length = part.least + chance(part.most - part.least + 1)
  const inner = membersOf(part.chars)
  const ends = inner.filter((char) => /[A-Za-z0-9]/.test(char))
  return Array.from({ length }, (_, index) => pick(chance, index === 0 || index === length - 1 ? ends : inner)).join('')
}

/** A token of the kind with a valid checksum. */
export function tokenOf(kind: Kind, chance: Chance): string {
  if (kind.check === 'discord') {
    const account = Buffer.from(`1${Array.from({ length: 17 }, () => chance(10)).join('')}`).toString('base64url')
    return `${account}.${made({ chars: 'A-Za-z0-9_-', least: 6, most: 6 }, chance)}.${made({ chars: 'A-Za-z0-9_-', least: 27, most: 38 }, chance)}`
  }
  const token = readForm(kind.form)
    .map((part) => made(part, chance))
    .join('')
  if (kind.check === 'crc-base62') return token.slice(0, -6) + crcInBase62(token.slice(token.indexOf('_') + 1, -6))
  if (kind.check === 'grafana') return token.slice(0, -8) + grafanaChecksum(token.slice(0, -9))
  return token
}

type Wrong = 'LENGTH' | 'ALPHABET' | 'CHECKSUM' | 'PREFIX' | 'PLACEHOLDER'

/** Texts that miss the kind by one detail. */
export function wrongTokensOf(kind: Kind, chance: Chance): { wrong: Wrong; text: string }[] {
  const parts = readForm(kind.form)
  const token = tokenOf(kind, chance)
  const wrongs: { wrong: Wrong; text: string }[] = []
  const last = parts.findLastIndex((part) => 'chars' in part)
  const part = parts[last]
  if (part && 'chars' in part && last === parts.length - 1) {
    const shorter = parts.map((each, index) =>
      index === last ? { ...part, least: part.least - 1, most: part.least - 1 } : each,
    )
    const longer = parts.map((each, index) =>
      index === last ? { ...part, least: part.most + 1, most: part.most + 1 } : each,
    )
    for (const form of [shorter, longer])
      wrongs.push({ wrong: 'LENGTH', text: form.map((each) => made(each, chance)).join('') })
    const outside = pick(
      chance,
      ASCII.filter((char) => /[A-Za-z0-9]/.test(char) && !membersOf(part.chars).includes(char)).concat('~'),
    )
    if (!membersOf(part.chars).includes(outside)) {
      const at = token.length - 1 - chance(Math.max(1, part.least - 2))
      wrongs.push({ wrong: 'ALPHABET', text: token.slice(0, at) + outside + token.slice(at + 1) })
    }
  }
  const [first] = parts
  if (first && 'text' in first && first.text.every((text) => text.length >= 2)) {
    wrongs.push({ wrong: 'PREFIX', text: `${token.startsWith('z') ? 'y' : 'z'}${token.slice(1)}` })
  }
  if (kind.check === 'crc-base62' || kind.check === 'grafana') {
    wrongs.push({ wrong: 'CHECKSUM', text: token.slice(0, -1) + (token.endsWith('0') ? '1' : '0') })
  }
  const same = parts.map((each) =>
    'text' in each ? (each.text[0] ?? '') : (membersOf(each.chars)[0] ?? '').repeat(each.least),
  )
  wrongs.push({ wrong: 'PLACEHOLDER', text: same.join('') })
  return wrongs
}

/** Lines in which a token of the kind is usually written, each with the path of a typical file. */
export function linesWith(kind: Kind, token: string, chance: Chance): { path: string; line: string }[] {
  if (kind.words === undefined) {
    return [
      { path: 'src/client.ts', line: `const value = '${token}'` },
      { path: 'config/settings.yaml', line: `  value: ${token}` },
      { path: 'deploy.sh', line: `export VALUE=${token}` },
      { path: 'config.json', line: `  "value": "${token}",` },
      { path: 'src/Client.java', line: `    client.open("${token}");` },
      { path: 'src/client.go', line: `\t// it was ${token} before` },
    ]
  }
  const word = pick(chance, kind.words)
  const upper = word.toUpperCase().replaceAll(/[-.]/g, '_')
  return [
    { path: 'src/client.ts', line: `const ${word.replaceAll(/[-.]/g, '_')}Key = '${token}'` },
    { path: 'config/settings.yaml', line: `  ${word}_token: ${token}` },
    { path: 'deploy.sh', line: `export ${upper}_KEY="${token}"` },
    { path: 'config.json', line: `  "${word}ApiKey": "${token}",` },
    { path: 'application.properties', line: `${word}.api.token=${token}` },
    { path: 'src/client.py', line: `${upper}_TOKEN = "${token}"` },
    { path: 'app/client.rb', line: `  :${word}_key => "${token}",` },
    { path: 'src/Client.kt', line: `val ${word.replaceAll(/[-.]/g, '_')}Token: String? = "${token}"` },
    { path: 'Dockerfile', line: `ENV ${upper}_TOKEN ${token}` },
    { path: 'src/start.js', line: `const it = new ${word.replaceAll(/[-.]/g, '_')}Client("${token}")` },
    { path: 'src/read.js', line: `fetch("https://api.${word}.com/v1?api_token=${token}&page=1")` },
    { path: 'pom.xml', line: `    <${word}Token>${token}</${word}Token>` },
  ]
}

/** A diff that adds the lines to the files. */
export const diffAdding = (files: readonly { path: string; lines: readonly string[] }[]): string =>
  files
    .map(
      ({ path, lines }) =>
        `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`,
    )
    .join('')
