// Finds secrets encoded in Base64: private keys, web tokens, and names with passwords.

import { isLiteral, mayBeKey, mayBePassword } from './chance.ts'
import { isNoPassword } from './passwords.ts'
import { jsonWebToken, privateKey } from './structured.ts'
import type { Detector, Place, Seen } from './types.ts'

const decoded = (text: string): string => Buffer.from(text, 'base64').toString('latin1')

/** What another detector finds in the decoded text counts for the whole of it. */
const inside = (inner: Detector, id: string, name: string, keyword: string, pattern: RegExp): Detector => ({
  id,
  name,
  severity: inner.severity,
  rank: 1,
  keywords: [keyword],
  *find(text, place): Iterable<Seen> {
    for (const match of text.matchAll(pattern)) {
      const lines = decoded(match[0]).split('\n')
      const below: Place['below'] = (most) => lines.slice(1, 1 + most)
      const [first] = inner.find(lines[0] ?? '', { ...place, below })
      if (first !== undefined) yield { start: match.index, end: match.index + match[0].length }
    }
  },
})

/** As in `client-key-data` of a kubeconfig; the keyword is `-----BEGIN` encoded. */
const encodedKey = inside(
  privateKey,
  'encoded-private-key',
  'private key in base 64',
  'LS0tLS1CRUdJT',
  /(?<![A-Za-z0-9+/])LS0tLS1CRUdJT[A-Za-z0-9+/]{80,}={0,2}/g,
)

const encodedToken = inside(
  jsonWebToken,
  'encoded-web-token',
  'JSON web token in base 64',
  'ZXlK',
  /(?<![A-Za-z0-9+/])ZXlK[A-Za-z0-9+/]{60,}={0,2}/g,
)

/** The password of `name:password` in base 64, or null. */
function passwordIn(encoded: string): string | null {
  const [, user = '', password] = /^([\x20-\x39\x3b-\x7e]{0,200}):([\x20-\x7e]{4,300})$/.exec(decoded(encoded)) ?? []
  return password === undefined || isNoPassword(password, user) ? null : password
}

/** `Authorization: Basic …`, `"auth": "…"` of a registry's settings, `_auth=…` of npm's. */
const basic: Detector = {
  id: 'basic-credentials',
  name: 'name and password in base 64',
  severity: 'HIGH',
  rank: 1,
  keywords: ['basic ', '"auth"', '_auth'],
  *find(text): Iterable<Seen> {
    for (const match of text.matchAll(
      /(?:\bBasic[ \t]{1,3}|"auth"\s?:\s?"|\b_auth["']?\s?[=:]\s?["']?)([A-Za-z0-9+/]{8,800}={0,2})(?![A-Za-z0-9+/=])/gi,
    )) {
      const [whole, encoded = ''] = match
      if (passwordIn(encoded) === null) continue
      const start = match.index + whole.length - encoded.length
      yield { start, end: start + encoded.length }
    }
  },
}

/** Lines of a manifest in which the data of its secret are looked for. */
const MANIFEST = 80

/** The values of a Kubernetes secret: its `data` stand below its `kind`, or above it where fields are sorted. */
const manifest: Detector = {
  id: 'kubernetes-secret',
  name: 'value of a Kubernetes secret',
  severity: 'MEDIUM',
  rank: 3,
  keywords: ['kind: secret', 'kind: "secret', "kind: 'secret", 'data:'],
  *find(text, { below }): Iterable<Seen> {
    const [whole, before = '', first = ''] =
      /^(\s{0,40}(?:-\s{1,4})?)(data(?=:\s*$)|kind(?=:\s["']?Secret["']?\s*$)):/.exec(text) ?? []
    if (whole === undefined) return
    const column = before.length
    const lines = objectBelow(below(MANIFEST), column, first)
    if (first === 'data' && !lines.some((line) => columnOf(line) === column && isKindSecret(line))) return
    let field: string | undefined = first
    for (const [index, line] of lines.entries()) {
      if (columnOf(line) === column) field = fieldOf(line)
      const value = field === 'data' ? encodedIn(line) : undefined
      if (value === undefined || !isSecretValue(decoded(value))) continue
      const start = line.lastIndexOf(value)
      yield { start, end: start + value.length, below: index + 1 }
    }
  },
}

const columnOf = (line: string): number => line.search(/[^\s-]/)

const fieldOf = (line: string): string | undefined => /^[\s-]{0,200}["']?([\w.-]{1,253})["']?:/.exec(line)?.[1]

const encodedIn = (line: string): string | undefined =>
  /^\s*["']?[\w.-]{1,253}["']?:\s?["']?([A-Za-z0-9+/]{8,4000}={0,2})["']?\s*$/.exec(line)?.[1]

const isKindSecret = (line: string): boolean => /^[\s-]*kind:\s["']?Secret["']?\s*$/.test(line)

/** The rest of the object whose fields stand at `column`, up to where `field` begins the next one. */
function objectBelow(lines: readonly string[], column: number, field: string): readonly string[] {
  const end = lines.findIndex((line) => {
    const indentation = line.search(/\S/)
    const isNext = columnOf(line) === column && fieldOf(line) === field
    return line.startsWith('---') || (indentation >= 0 && indentation < column) || isNext
  })
  return end < 0 ? lines : lines.slice(0, end)
}

const isSecretValue = (value: string): boolean => isLiteral(value) && (mayBeKey(value) || mayBePassword(value))

export const encoded: readonly Detector[] = [encodedKey, encodedToken, basic, manifest]
