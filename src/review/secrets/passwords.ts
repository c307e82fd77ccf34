// Finds passwords by what they open: URLs, connection strings, database accounts, and commands that sign in.

import { entropyOf, isPlaceholder } from './placeholders.ts'
import type { Detector, Seen } from './types.ts'

/** A password between `//user:` and `@host`. */
const inAddress: Detector = {
  id: 'password-in-address',
  name: 'password in an address',
  severity: 'HIGH',
  rank: 1,
  keywords: ['://'],
  *find(text) {
    for (const match of text.matchAll(
      /\b([a-z][a-z0-9+.-]{1,30}):\/\/([^\s/:?#"'<>`{},]{0,100}):([^\s/"'<>`,]{3,300})@([A-Za-z0-9_.-]{1,253})/gi,
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

export const isNoPassword = (password: string, user: string): boolean =>
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

/** `CREATE USER … IDENTIFIED BY '…'`, also with the plug-in that reads it. */
const inAccount: Detector = {
  id: 'password-of-database-account',
  name: 'password of a database account',
  severity: 'HIGH',
  rank: 1,
  keywords: ['identified'],
  *find(text) {
    for (const match of text.matchAll(
      /\bIDENTIFIED\s{1,5}(?:WITH\s{1,5}['"]?\w{1,60}['"]?\s{1,5})?(?:BY|AS)\s{1,5}(?:PASSWORD\s{1,5})?\\?["']([^\s"';\\]{4,200})/gi,
    )) {
      const [whole, password = ''] = match
      if (isNoPassword(password, '')) continue
      yield { start: match.index + whole.length - password.length, end: match.index + whole.length }
    }
  },
}

/** Files of credentials whose lines are words: `machine host login name password …`, `host:port:database:name:…`. */
const inLogin: Detector = {
  id: 'password-of-login',
  name: 'password of a login',
  severity: 'HIGH',
  rank: 1,
  keywords: ['password ', ':5432:', 'convertto-securestring'],
  *find(text, { path }) {
    const patterns = [
      /\bmachine\s{1,5}\S{1,253}\s{1,5}login\s{1,5}\S{1,200}\s{1,5}password\s{1,5}(\S{4,200})/,
      /\bConvertTo-SecureString\b(?:\s{1,3}-\w{1,20}){0,3}\s{1,3}\\?["']?([^\s"'\\$(][^\s"'\\]{5,200})/i,
      ...(/(?:^|[/_])netrc$|\.netrc$/.test(path) ? [/^\s*password\s{1,5}(\S{4,200})\s*$/] : []),
      ...(/pgpass/.test(path) ? [/^[\w.*-]{1,253}:\d{1,5}:[^:]{1,63}:[^:]{1,63}:(\S{4,200})$/] : []),
    ]
    for (const pattern of patterns) {
      const match = pattern.exec(text)
      if (match?.[1] === undefined || match[1].startsWith('-') || isNoPassword(match[1], '')) continue
      const end = match.index + match[0].length
      yield { start: text.lastIndexOf(match[1], end), end: text.lastIndexOf(match[1], end) + match[1].length }
    }
  },
}

export const passwords: readonly Detector[] = [inAddress, inConnection, inAccount, inLogin, inCommand]
