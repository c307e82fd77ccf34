// Finds secrets without a known form by their context: assigned to a name that says it holds one.

import { digitsOf, isLiteral, mayBeKey, mayBePassword } from './chance.ts'
import type { Detector, Seen } from './types.ts'

/** Words of names that hold secrets; they are what the filter looks for as well. */
const NAMES = [
  'passw',
  'passphrase',
  'pwd',
  'pswd',
  'secret',
  'token',
  'api_key',
  'api-key',
  'apikey',
  'api key',
  'access_key',
  'access-key',
  'accesskey',
  'access key',
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
  'shared_key',
  'sharedkey',
  'consumer_key',
  'consumerkey',
  'license_key',
  'licensekey',
  'credential',
]

/** Words that are secrets' names by themselves, and are parts of other words too: `DB_PASS`, and not `passed`. */
const WHOLE = ['pass', 'key']

const NAME = `${NAMES.join('|')}|(?<![a-z])(?:${WHOLE.join('|')})(?![a-z])`

/** The rest of a name, quoted or not. */
const REST = String.raw`[\w.\-]{0,40})\\?["'\])]{0,3}`

/** Types as they stand between a name and its sign: `token: str =`, `token string =`. */
const TYPE = String.raw`(?::?[ \t]?(?:\*?[sS]tring\??|str|&'?\w{0,10} ?str|Optional\[str\])[ \t]{0,3}(?==))?`

/** Signs of assignment and comparison, and what a value stands in for where it is missing: `env.TOKEN ||`. */
const SIGN = String.raw`(?:=>|:{1,3}=|\?\?=|\|\|=|[?.+]=|={1,3}|!={1,2}|:|,|\|\||\?\?|\bor\b)`

/** A pair of two attributes or fields: `key="password" value=`, `"name": "password", "value":`. */
const PAIR = String.raw`,?[ \t]{1,5}\\?["']?(?:value|content|default)\\?["']?[ \t]?[=:]`

/** From the name to the value: a sign, a pair, a call, or only space before a quote, as in `password "…"`. */
const BETWEEN = String.raw`[ \t]{0,10}(?:${TYPE}[ \t]{0,10}${SIGN}|${PAIR}|(?:\(|[ \t])(?=["']))[ \t]{0,10}`

/** A value in quotes or, in files of settings, up to the line's end. \x60 is the back-quote. */
const VALUE = String.raw`(?:[bru@$]{0,2}\\?(["'\x60])(?:(?:Bearer|Basic|Token) )?((?:(?!\\?\2)[^\\\s]|\\(?!\2).){6,500})\\?\2|([^\s"'\x60;,(){}<>\[\]\\]{8,500})[ \t]{0,10}(?:$|[;#]|\\[nr]))`

const ASSIGNED = new RegExp(String.raw`([\w.\-$]{0,40}(?:${NAME})${REST}${BETWEEN}${VALUE}`, 'gi')

/** The same without what stands before the word, which takes most of the time to look for. */
const MAY_BE_ASSIGNED = new RegExp(`((?:${NAME})${REST}${BETWEEN}${VALUE}`, 'i')

const NAMED = String.raw`([\w\-]{0,40}(?:${NAME})[\w\-]{0,40})`

/** Where a value ends with what is around it, and what such a line has in any case, which is found much faster. */
const ENCLOSED: readonly { hint: RegExp; pattern: RegExp }[] = [
  // an element of XML
  {
    hint: /<[\w.:-]{3}/,
    pattern: new RegExp(
      String.raw`<([\w.\-:]{0,40}(?:${NAME})[\w.\-]{0,40})(?:[ \t][^<>]{0,200})?>[ \t]{0,10}([^\s<>]{6,500})[ \t]{0,10}(?:</|$)`,
      'gi',
    ),
  },
  // an argument of a command
  {
    hint: /(?:^|[^\w-])--?[a-z]/i,
    pattern: new RegExp(String.raw`(?<![\w-])(?:--?)${NAMED}[ \t=]["']?([^\s"'\x60<>]{8,500})`, 'gi'),
  },
  // a line of a container or a C shell
  {
    hint: /\b(?:ENV|setenv)\b/i,
    pattern: new RegExp(String.raw`\b(?:ENV|setenv)[ \t]{1,5}${NAMED}[ \t]{1,5}["']?([^\s"'\x60]{8,500})`, 'gi'),
  },
  // the query of an address
  {
    hint: /[?&][\w-]{3,90}=/,
    pattern: new RegExp(String.raw`[?&]${NAMED}=([\w.~%+\-]{16,500})(?=["'\x60&#\s)<>]|$)`, 'gi'),
  },
  // a header in quotes
  {
    hint: /["'\x60][\w-]{3,90}:[ \t]?[^\s"'\x60]{8}/,
    pattern: new RegExp(String.raw`["'\x60]${NAMED}:[ \t]?([^\s"'\x60]{8,500})["'\x60]`, 'gi'),
  },
  // a setting in quotes
  {
    hint: /["'\x60 n][A-Z][A-Z0-9_]{2,90}=[^\s"'\x60\\&]{8}/,
    pattern: new RegExp(String.raw`(?:["'\x60 ]|\\n)${NAMED}=([^\s"'\x60\\&]{8,500})(?=\\[nr]|["'\x60])`, 'gi'),
  },
]

/** Where a value needs no quotes: settings, manifests, scripts. */
const SETTINGS =
  /(?:^|\/)(?:[^/]{0,100}\.(?:env|ini|cfg|conf|config|properties|ya?ml|toml|tfvars|sh|bash|zsh|ps1|bat|cmd|txt|htpasswd|npmrc|netrc|pypirc|service)|\.env[^/]{0,60}|dockerfile[^/]{0,60}|\.npmrc|\.netrc|\.pypirc|\.pgpass|credentials|\.git-credentials)$/i

/** Names that hold information about a secret, and not the secret. */
const TELLING =
  /(?:name|names|id|ids|type|types|path|file|url|uri|endpoint|header|field|label|length|size|count|limit|max|min|expir\w{0,6}|ttl|regex|pattern|prefix|suffix|hint|error|message|msg|title|text|description|placeholder|policy|rule|rules|strength|algorithm|alg|kind|class|selector|ref|reference|key_?name|hash|hashed|hasher|encoder|input|form|page|route|link|icon|column|index|table|param|parameter|version|format|status|enabled|required|scopes?|mode|provider|issuer|audience|color|colour|style|store|manager|service|validator|encoding|public|sha\d*|md5|digest|checksum|integrity|cache|separator|delimiter|offset|start|end|list|map|set|re|env|var|location|namespace|arn|vault|engine|tokens|tokenizer|tokenize|tokenized)$/i

/** Keys that are no secrets: of tables, maps and caches, and public keys. */
const NO_SECRET =
  /(?:public|foreign|primary|partition|sort|cache|hash|object|row|index|lookup|unique|natural|composite|group|entry|map|storage|query|translation|i18n|hot|short_?cut|react|msg|message|csrf|xsrf|anti_?forgery|authenticity|verification|idempotency|locali[sz]ation|site|resource|registry|image|file|bucket|item|node|event|state|config|schema|meta|data)[_.-]?(?:key|token)s?$/i

const isPassword = /passw|pwd|pswd|passphrase|pass$/i

/** `key` alone, without a word that says what it opens. */
const isKeyAlone = /(?:^|[^a-z])key$/i

/** Files whose elements have a `key` by which a list tells them apart. */
const ELEMENTS = /\.(?:jsx|tsx|vue|svelte|astro)$/i

/** `<li key="…">`: an attribute, where an assignment would have room around its sign. */
const OF_ELEMENT = /^key=["'`]/

/** A line without any of these has no key and no password, but for one of letters alone in twenty or more. */
const VARIED = /[0-9!#$%^@~]/

export const assigned: Detector = {
  id: 'assigned',
  name: 'hard-coded credential',
  severity: 'MEDIUM',
  rank: 3,
  keywords: [...NAMES, 'pass=', 'pass:', 'pass"', "pass'", '_key', 'key='],
  *find(text, { path }): Iterable<Seen> {
    if (!VARIED.test(text)) return
    if (MAY_BE_ASSIGNED.test(text)) {
      for (let at = 0; ; ) {
        ASSIGNED.lastIndex = at
        const match = ASSIGNED.exec(text)
        if (match === null) break
        const [whole, name = '', , quoted, plain] = match
        const value = quoted ?? plain ?? ''
        const isOfElement = ELEMENTS.test(path) && OF_ELEMENT.test(whole)
        if ((quoted === undefined && !SETTINGS.test(path)) || isOfElement || !mayBeSecret(name, value)) {
          // What was taken for a value may be the name: `key="password" value="…"`.
          at = match.index + name.length
          continue
        }
        at = match.index + whole.length
        const start = match.index + whole.indexOf(value, name.length)
        yield { start, end: start + value.length }
      }
    }
    for (const { hint, pattern } of ENCLOSED) {
      if (!hint.test(text)) continue
      for (const match of text.matchAll(pattern)) {
        const [whole, name = '', value = ''] = match
        if (!mayBeSecret(name, value)) continue
        const start = match.index + whole.indexOf(value, whole.indexOf(name) + name.length)
        yield { start, end: start + value.length }
      }
    }
  },
}

function mayBeSecret(name: string, value: string): boolean {
  if (TELLING.test(name) || NO_SECRET.test(name) || !isLiteral(value)) return false
  if (isPassword.test(name)) return mayBePassword(value)
  return mayBeKey(value) && (!isKeyAlone.test(name) || (value.length >= 20 && digitsOf(value) >= 2))
}
