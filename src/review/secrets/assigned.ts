// Finds secrets of no known form by where they stand: assigned to a name that says that it holds one.

import { entropyOf, isPlaceholder } from './placeholders.ts'
import type { Detector, Seen } from './types.ts'

/** Words of names that hold secrets; they are what the filter looks for as well. */
const NAMES = [
  'passw',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'api_key',
  'api-key',
  'apikey',
  'access_key',
  'access-key',
  'accesskey',
  'auth_key',
  'authkey',
  'private_key',
  'privatekey',
  'encryption_key',
  'encryptionkey',
  'signing_key',
  'signingkey',
  'account_key',
  'accountkey',
  'master_key',
  'masterkey',
  'credential',
]

const NAME = NAMES.join('|')

/** The rest of a name, quoted or not, then a sign of assignment. */
const SIGN = String.raw`[\w.\-]{0,40})["'\]]{0,3}[ \t]{0,10}(?:=>|:=|\?\?=|\|\|=|=|:|,)[ \t]{0,10}`

/** A value in quotes or, in files of settings, up to the line's end. \x60 is the back-quote. */
const VALUE = String.raw`(?:[bru@$]{0,2}(["'\x60])((?:(?!\2)[^\\\s]|\\.){6,500})\2|([^\s"'\x60;,(){}<>\[\]]{8,500})[ \t]{0,10}(?:$|[;#]))`

const ASSIGNED = new RegExp(String.raw`([\w.\-$]{0,40}(?:${NAME})${SIGN}${VALUE}`, 'gi')

/** The same without what stands before the word, which takes most of the time to look for. */
const MAY_BE_ASSIGNED = new RegExp(`((?:${NAME})${SIGN}${VALUE}`, 'i')

/** Where a value needs no quotes: settings, manifests, scripts. */
const SETTINGS =
  /(?:^|\/)(?:[^/]{0,100}\.(?:env|ini|cfg|conf|config|properties|ya?ml|toml|tfvars|sh|bash|zsh|ps1|bat|cmd|txt|htpasswd|npmrc|netrc|pypirc|service)|\.env[^/]{0,60}|dockerfile[^/]{0,60}|\.npmrc|\.netrc|\.pypirc|\.pgpass|credentials|\.git-credentials)$/i

/** Names that hold what is told of a secret, and not one. */
const TELLING =
  /(?:name|names|id|ids|type|types|path|file|url|uri|endpoint|header|field|label|length|size|count|limit|max|min|expir\w{0,6}|ttl|regex|pattern|prefix|suffix|hint|error|message|msg|title|text|description|placeholder|policy|rule|rules|strength|algorithm|alg|kind|class|selector|ref|reference|key_?name|hash|hashed|hasher|encoder|input|form|page|route|link|icon|column|index|table|param|parameter|version|format|status|enabled|required|scopes?|mode|provider|issuer|audience|color|colour|style|store|manager|service|validator|encoding|public|sha\d*|md5|digest|checksum|integrity|cache|separator|delimiter|offset|start|end|list|map|set|re|env|var|location|namespace|arn|vault|engine|tokens|tokenizer|tokenize|tokenized)$/i

const isPassword = /passw|pwd|passphrase/i

export const assigned: Detector = {
  id: 'assigned',
  name: 'secret under a telling name',
  severity: 'MEDIUM',
  rank: 3,
  keywords: NAMES,
  *find(text, { path }): Iterable<Seen> {
    if (!MAY_BE_ASSIGNED.test(text)) return
    for (const match of text.matchAll(ASSIGNED)) {
      const [whole, name = '', , quoted, plain] = match
      const value = quoted ?? plain ?? ''
      if (quoted === undefined && !SETTINGS.test(path)) continue
      if (!mayBeSecret(name, value)) continue
      const start = (match.index ?? 0) + whole.indexOf(value, name.length)
      yield { start, end: start + value.length }
    }
  },
}

function mayBeSecret(name: string, value: string): boolean {
  if (TELLING.test(name) || isPlaceholder(value) || isCode(value)) return false
  return isPassword.test(name) ? mayBePassword(value) : mayBeKey(value)
}

/** What names or makes a value where the program runs, is a path or an address, or is text for people. */
function isCode(value: string): boolean {
  if (/^(?:true|false|null|none|undefined|nil|string|number|password|secret|token)$/i.test(value)) return true
  if (
    /[()[\]{}<>|]|\*\.|\.\*|=>|::|&&|\\[nrtux]|^[./~]|^\w+:\/\/|^data:|^[#.]|^--|\.(?:js|ts|py|java|php|go|json|ya?ml|pem|crt|key|html|css)$/i.test(
      value,
    )
  )
    return true
  if (/^[A-Za-z_$][\w$]*(?:[.:/][A-Za-z_$-][\w$-]*)+$/.test(value)) return true
  return /^[A-Z][A-Z0-9_]*$/.test(value) && value.includes('_')
}

function mayBeKey(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~!@#$%^&*:;-]+$/.test(value)) return false
  const digits = value.replace(/[^0-9]/g, '').length
  if (digits < 2 || isWords(value)) return false
  const isHex = /^[0-9a-f-]+$/i.test(value)
  return entropyOf(value) >= (isHex ? 3 : 3.5)
}

function mayBePassword(value: string): boolean {
  if (value.length < 8 || value.length > 128) return false
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((each) => each.test(value)).length
  return classes >= 3 && !isWords(value) && entropyOf(value) >= 2.7 && /[0-9]|[^\w.:/-]/.test(value)
}

/** Words with signs or capitals between them, at most a digit here or there: `reset-password-2`, `resetPassword`. */
function isWords(value: string): boolean {
  const parts = value.split(/[-_.:/ ]+|(?<=[a-z])(?=[A-Z])/)
  const words = parts.filter((part) => /^(?:[A-Za-z]?[a-z]+|[A-Z]+)\d{0,2}$/.test(part) || /^\d{1,4}$/.test(part))
  return (
    words.length === parts.length && parts.some((part) => /^[A-Za-z]/.test(part)) && value.length / parts.length < 11
  )
}
