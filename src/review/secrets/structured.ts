// Secrets recognised by their structure: private keys, JSON web tokens, signed URLs.

import { entropyOf, isPlaceholder } from './placeholders.ts'
import type { Detector } from './types.ts'

export const privateKey: Detector = {
  id: 'private-key',
  name: 'private key',
  severity: 'HIGH',
  rank: 0,
  keywords: ['private key'],
  *find(text, { below }) {
    const header = /-----BEGIN ((?:[A-Z0-9]{1,20} ){0,3})PRIVATE KEY(?: BLOCK)?-----/.exec(text)
    if (!header) return
    const rest = text.slice(header.index + header[0].length)
    const body = [rest, ...below(12)].join('\n').split('-----END')[0] ?? ''
    const told = body
      .replace(/\\[nr]|\\\\n/g, '\n')
      .split('\n')
      .map(inner)
      .filter((line) => /^[A-Za-z0-9+/]{16,}={0,2}$/.test(line))
      .join('')
    if (told.length < 64 || entropyOf(told) < 4 || /^(.)\1{20}|example/i.test(told)) return
    const key = /[A-Za-z0-9+/]{16,}={0,2}/.exec(rest)
    const start = key === null ? header.index : header.index + header[0].length + key.index
    yield { start, end: key === null ? header.index + header[0].length : lastOf(text, start) }
  },
}

/** A line of a key without the quotes and signs with which a language or a comment holds it. */
function inner(line: string): string {
  const from = line.search(/[A-Za-z0-9]/)
  if (from < 0) return ''
  let end = Math.min(line.length, from + 4096)
  while (end > from && /[\s"'`+,;\\]/.test(line[end - 1] ?? '')) end--
  return line.slice(from, end)
}

/** The end of a key that goes on in one line: before its footer, or the line's. */
function lastOf(text: string, start: number): number {
  const footer = text.indexOf('-----END', start)
  return footer < 0 ? text.length : footer
}

const puttyKey: Detector = {
  id: 'putty-private-key',
  name: 'PuTTY private key',
  severity: 'HIGH',
  rank: 0,
  keywords: ['putty-user-key-file'],
  *find(text, { below }) {
    const header = /PuTTY-User-Key-File-[23]: [\w-]{3,40}/.exec(text)
    if (!header || !below(40).some((line) => /^Private-Lines: \d+/.test(line))) return
    yield { start: header.index, end: header.index + header[0].length }
  },
}

export const jsonWebToken: Detector = {
  id: 'json-web-token',
  name: 'JSON web token',
  severity: 'MEDIUM',
  rank: 1,
  keywords: ['eyj'],
  *find(text) {
    for (const match of text.matchAll(
      /(?<![\w.-])(ey[A-Za-z0-9_-]{15,1000})\.(ey[A-Za-z0-9_-]{10,4000})\.([A-Za-z0-9_-]{10,1000})(?![\w-])/g,
    )) {
      const [whole, header = '', payload = '', signature = ''] = match
      const isToken = 'alg' in fieldsOf(header)
      const claims = fieldsOf(payload)
      const isExample = claims.sub === '1234567890' || claims.name === 'John Doe'
      if (!isToken || Object.keys(claims).length === 0 || isExample || isPlaceholder(signature)) continue
      yield { start: match.index, end: match.index + whole.length }
    }
  },
}

function fieldsOf(part: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

/** A signature in the query of an Azure address. */
const sharedAccess: Detector = {
  id: 'azure-shared-access-signature',
  name: 'Azure shared access signature',
  severity: 'HIGH',
  rank: 0,
  keywords: ['sig='],
  *find(text) {
    for (const match of text.matchAll(/[?&](?:amp;)?sig=([A-Za-z0-9%+/]{40,100}(?:%3[dD]|=))/g)) {
      const [whole, signature = ''] = match
      const around = text.slice(Math.max(0, match.index - 500), match.index + 500)
      if (!/[?&](?:amp;)?s[vep]=/.test(around) || isPlaceholder(signature)) continue
      yield { start: match.index + whole.length - signature.length, end: match.index + whole.length }
    }
  },
}

export const structured: readonly Detector[] = [privateKey, puttyKey, jsonWebToken, sharedAccess]
