// Secrets that are known by their structure: private keys, JSON web tokens, passwords in addresses and connection strings.

import { entropyOf, isPlaceholder } from './placeholders.ts'
import type { Detector, Seen } from './types.ts'

const privateKey: Detector = {
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

const jsonWebToken: Detector = {
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

/** A password between `//user:` and `@host`. */
const inAddress: Detector = {
  id: 'password-in-address',
  name: 'password in an address',
  severity: 'HIGH',
  rank: 1,
  keywords: ['://'],
  *find(text) {
    for (const match of text.matchAll(
      /\b([a-z][a-z0-9+.-]{1,30}):\/\/([^\s/:@?#"'<>`{}]{0,100}):([^\s/@"'<>`]{3,300})@([A-Za-z0-9_.-]{1,253})/gi,
    )) {
      const [whole, scheme = '', user = '', password = '', host = ''] = match
      if (isNoPassword(password, user) || /^(?:example\.(?:com|org|net)|host|hostname|server)$/i.test(host)) continue
      if (/^https?$/i.test(scheme) && (password.length < 6 || isLocal(host))) continue
      const start = match.index + whole.length - host.length - 1 - password.length
      yield { start, end: start + password.length }
    }
  },
}

/** `Password=…;` in what a database is opened with. */
const inConnection: Detector = {
  id: 'password-in-connection-string',
  name: 'password in a connection string',
  severity: 'HIGH',
  rank: 1,
  keywords: ['password=', 'pwd='],
  *find(text) {
    const isConnection =
      /(?:data source|server|host|addr|address|provider|driver|initial catalog|database|user id|uid)\s?=[^;]{1,200};|jdbc:/i.test(
        text,
      )
    if (!isConnection) return
    for (const match of text.matchAll(/(?<=[;"'?&]\s{0,3})(?:password|pwd)\s?=\s?([^;"'&\s]{3,200})/gi)) {
      const [whole, password = ''] = match
      if (isNoPassword(password, '')) continue
      yield { start: match.index + whole.length - password.length, end: match.index + whole.length }
    }
  },
}

const COMMON =
  /^(?:pass(?:word|wd)?|pw|pwd|secret|user(?:name)?|admin|root|postgres|mysql|redis|guest|test|token|changeit|credentials?|key|mypass\w{0,5}|mysecret\w{0,5}|(?:user|db|my|some|the)_?pass(?:word|wd)?|x+|\*+|\d{1,4})$/i

const isNoPassword = (password: string, user: string): boolean =>
  COMMON.test(password) || password === user || /[${}()[\]|]|%[sd]|^:|\\/.test(password) || isPlaceholder(password)

const isLocal = (host: string): boolean => /^(?:localhost|127\.|0\.0\.0\.0|host|example)/i.test(host)

/** `curl -u name:password` and `Authorization: Basic …` as they are written in scripts and pages. */
const inCommand: Detector = {
  id: 'credentials-in-command',
  name: 'credentials in a command',
  severity: 'MEDIUM',
  rank: 2,
  keywords: ['curl'],
  *find(text): Iterable<Seen> {
    const user = /\bcurl\b.{0,500}?\s(?:-u|--user)[ =]?["']?([\w.@+-]{1,100}):([^\s"'`<>]{6,200})/.exec(text)
    if (user?.[2] !== undefined && !isNoPassword(user[2], user[1] ?? '')) {
      const start = user.index + user[0].length - user[2].length
      yield { start, end: start + user[2].length }
    }
    const header =
      /\bcurl\b.{0,500}?["'](?:Authorization:\s?(?:Basic|Bearer|Token|ApiKey)\s|(?:X-)?(?:Api-Key|Auth-Token|Access-Token|Token):\s?)([\w+/=.~-]{16,500})["']/i.exec(
        text,
      )
    if (header?.[1] !== undefined && !isPlaceholder(header[1]) && entropyOf(header[1]) >= 3) {
      const start = header.index + header[0].length - 1 - header[1].length
      yield { start, end: start + header[1].length }
    }
  },
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

export const structured: readonly Detector[] = [
  privateKey,
  puttyKey,
  jsonWebToken,
  inAddress,
  inConnection,
  inCommand,
  sharedAccess,
]
