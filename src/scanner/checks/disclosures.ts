// Checks for needless information in responses: versions, stack traces, paths, internal addresses, card numbers, hashes.

import type { PassiveCheck, Severity } from '../check.ts'
import { headerOf, headersOf, mediaTypeOf } from '../http.ts'
import { isMarked, isOwnAddress } from '../random-values.ts'
import { readCookie } from '../set-cookie.ts'
import type { Exchange } from '../types.ts'
import { cardsIn } from './card-numbers.ts'
import { sqlErrorIn } from './sql-messages.ts'
import { traceIn } from './traces.ts'

type Rule = {
  id: string
  title: string
  cwe: number
  severity: Severity
  solution: string
  /** the text that proves it, and its cause (the operation if left out) */
  find: (exchange: Exchange) => { proof: string; cause?: string } | null
}

const LONGEST = 300_000
const READABLE = /^(text\/|application\/(json|xml|problem|javascript|graphql|hal|vnd)|$)/
const body = ({ text, answer }: Exchange) => (READABLE.test(mediaTypeOf(answer)) ? text.slice(0, LONGEST) : '')
const first = (pattern: RegExp, text: string): string | null => pattern.exec(text)?.[0].slice(0, 200) ?? null
const isScript = ({ answer }: Exchange) => /javascript|css/.test(mediaTypeOf(answer))
const origin = ({ request }: Exchange) => new URL(request.url).origin
const sent = ({ request }: Exchange) =>
  `${request.headers.map(([, value]) => value).join(' ')} ${request.url} ${unescaped(request.url)} ${request.body?.toString() ?? ''} ${unescaped(request.body?.toString() ?? '')}`

const unescaped = (text: string) =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The value of a header, with the header's name as the cause. */
const header = (name: string, pattern: RegExp) => (exchange: Exchange) => {
  const value = headerOf(exchange.answer, name)
  return pattern.test(value) ? { proof: value, cause: `${origin(exchange)} ${name}` } : null
}

const PATHS =
  /(?:^|[\s"'(=>])((?:\/(?:home|usr|var|opt|srv|app|root|etc|www|data|Users|mnt|tmp)\/[\w.@+-]{1,60}(?:\/[\w.@+-]{1,60}){0,8}\/[\w.@+-]{1,60}\.(?:py|js|ts|rb|php|java|go|cs|jsx|tsx|mjs|cjs|pl|jar|class|inc|tpl|erb|ini|conf|db|sqlite3?|sql|log))|[A-Z]:\\(?:[\w .@+-]{1,60}\\){1,8}[\w .@+-]{1,60}\.\w{1,5})/m
/** The folder where the file has a name that the scan made, which is another one each time. */
const withoutOwnName = (path: string): string => (isMarked(path) ? path.replace(/[^/\\]*$/, '') : path)

/** Paths that other checks send, which a page may have stored. */
const ASKED = /\bwi[mn]\.ini$/i
const PRIVATE =
  /(?<![\d.])(10(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|192\.168(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){2})(?![\d.])/
const COMMENT =
  /(?:<!--|\/\/|\/\*|#)(?:(?!<!--|\/\/|\/\*|#)[^\n]){0,200}\b(TO[D]O|FIX[M]E|HACK|BUG|password|passwd|secret|backdoor|debug|credentials?|username)\b[^\n]{0,120}/i

/** Password hashes: bcrypt, Argon2, crypt, and LDAP schemes. */
const HASHES =
  /\$2[abxy]?\$\d\d\$[./\w]{53}(?![./\w])|\$argon2(?:id|i|d)\$v=\d{1,3}\$m=\d[\w=,]{1,40}\$[\w+/]{11,100}\$[\w+/]{16,200}|\$[56]\$(?:rounds=\d{1,9}\$)?[./\w]{1,16}\$[./\w]{43,86}|\{SSHA(?:256|512)?\}[\w+/]{28,120}={0,2}/

const rules: readonly Rule[] = [
  {
    id: 'server-version',
    title: 'Server version disclosed',
    cwe: 497,
    severity: 'NOTIFICATION',
    solution: 'Remove the version from the Server header.',
    find: header('server', /\/\d|\d\.\d/),
  },
  {
    id: 'powered-by',
    title: 'Framework disclosed in a header',
    cwe: 497,
    severity: 'NOTIFICATION',
    solution: 'Remove X-Powered-By and similar headers.',
    find: (exchange) =>
      ['x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'x-runtime-version']
        .map((name) => header(name, /\S/)(exchange))
        .find((one) => one !== null) ?? null,
  },
  {
    id: 'backend-server',
    title: 'Backend server name disclosed',
    cwe: 497,
    severity: 'LOW',
    solution: 'Remove headers of backend servers at the edge.',
    find: header('x-backend-server', /\S/),
  },
  {
    id: 'debug-token',
    title: 'Debug profiler enabled',
    cwe: 489,
    severity: 'LOW',
    solution: 'Turn debugging off in production.',
    find: header('x-debug-token-link', /\S/),
  },
  {
    id: 'error-trace',
    title: 'Stack trace disclosed',
    cwe: 209,
    severity: 'MEDIUM',
    solution: 'Answer errors with one sentence and an ID; keep the trace in the log. Turn debugging off in production.',
    find: (exchange) => {
      const trace = isScript(exchange) ? null : traceIn(body(exchange))
      return trace && { proof: trace.proof, cause: `${origin(exchange)} ${trace.form}` }
    },
  },
  {
    id: 'full-path',
    title: 'Server file path disclosed',
    cwe: 209,
    severity: 'LOW',
    solution: 'Keep file paths out of messages.',
    find: (exchange) => {
      const found = isScript(exchange) ? null : PATHS.exec(body(exchange))
      const path = found?.[1] ?? ''
      if (!found || ASKED.test(path) || sent(exchange).includes(path) || /root:.*:0:0:/.test(exchange.text)) return null
      // the trace of a fault has paths in it, and is told as such
      return traceIn(body(exchange)) === null ? { proof: path, cause: withoutOwnName(path) } : null
    },
  },
  {
    id: 'private-address',
    title: 'Private IP address disclosed',
    cwe: 497,
    severity: 'LOW',
    solution: 'Keep internal addresses out of responses.',
    find: (exchange) => {
      const address = isScript(exchange) ? undefined : PRIVATE.exec(body(exchange))?.[1]
      return address &&
        !sent(exchange).includes(address) &&
        !exchange.request.url.includes(address) &&
        exchange.answer.status < 400
        ? { proof: address, cause: address }
        : null
    },
  },
  {
    id: 'card-numbers',
    title: 'Payment card numbers exposed',
    cwe: 359,
    severity: 'HIGH',
    solution: 'Show the last four digits only; keep whole card numbers out of responses.',
    find: (exchange) => {
      const proof = isScript(exchange)
        ? undefined
        : cardsIn(body(exchange)).find((one) => !sent(exchange).includes(one))
      return proof ? { proof } : null
    },
  },
  {
    id: 'suspicious-comment',
    title: 'Sensitive information in a comment',
    cwe: 615,
    severity: 'NOTIFICATION',
    solution: 'Remove such comments from what is served.',
    find: (exchange) => {
      const comment =
        mediaTypeOf(exchange.answer) === 'text/html' && exchange.answer.status < 400
          ? first(new RegExp(`<!--${COMMENT.source.slice('(?:<!--|\\/\\/|\\/\\*|#)'.length)}`, 'i'), body(exchange))
          : null
      // it is known by how it begins: what it has of the request stands behind that
      const words = comment?.replace(/[^a-z]{1,200}/gi, ' ').slice(0, 24)
      return comment ? { proof: comment, cause: `${origin(exchange)} ${words}` } : null
    },
  },
  {
    id: 'source-code',
    title: 'Server source code disclosed',
    cwe: 540,
    severity: 'MEDIUM',
    solution: 'Have the server run such files, or keep them out of the web root.',
    find: (exchange) => {
      const proof =
        isScript(exchange) || isOwnAddress(exchange.request.url)
          ? null
          : first(
              /<\?php\s[^<]{5,200}|<%@\s?(?:page|Page)\s[^%]{5,200}%>|^#!\/usr\/bin\/(?:env )?(?:python|perl|ruby|bash)[^\n]{0,20}\n/m,
              body(exchange),
            )
      return proof && !/<\?php|z[0-9a-f]{24}/.test(sent(exchange)) && !/php%20|%3C%3F/.test(sent(exchange))
        ? { proof }
        : null
    },
  },
  {
    id: 'directory-listing',
    title: 'Directory listing',
    cwe: 548,
    severity: 'MEDIUM',
    solution: 'Turn directory listings off.',
    find: (exchange) => {
      const proof = first(
        /<title>(?:Index of \/|Directory listing for|listing directory )[^<]{0,200}|<h1>Index of \/[^<]{0,200}/i,
        body(exchange),
      )
      return proof && exchange.answer.status === 200 ? { proof } : null
    },
  },
  {
    id: 'hash-in-answer',
    title: 'Password hashes exposed',
    cwe: 200,
    severity: 'HIGH',
    solution: 'Keep password hashes out of responses.',
    find: (exchange) => {
      // members of JSON are judged by their names too, elsewhere
      const isJson = /json/.test(mediaTypeOf(exchange.answer))
      const proof = isJson || isScript(exchange) ? null : first(HASHES, body(exchange))
      return proof && !sent(exchange).includes(proof) ? { proof } : null
    },
  },
  {
    id: 'database-error',
    title: 'Database error message disclosed',
    cwe: 209,
    severity: 'LOW',
    solution: 'Answer errors with one sentence and an ID; keep the message in the log.',
    find: (exchange) => {
      const error = exchange.answer.status >= 400 ? sqlErrorIn(body(exchange)) : null
      return error && !sent(exchange).includes(error.text)
        ? { proof: error.text, cause: `${origin(exchange)} ${error.engine}` }
        : null
    },
  },
  {
    id: 'serialised-object',
    title: 'Serialized object exposed to the client',
    cwe: 502,
    severity: 'LOW',
    solution: 'Keep state on the server, or sign it and read it as plain data.',
    find: (exchange) => {
      const cookie = headersOf(exchange.answer, 'set-cookie').find((line) => SERIALISED.test(line))
      if (cookie === undefined) {
        const proof = first(SERIALISED, body(exchange).slice(0, 50_000))
        return proof ? { proof } : null
      }
      // it comes with whichever answer sets it
      const name = readCookie(cookie)?.name ?? ''
      return { proof: first(SERIALISED, cookie) ?? name, cause: `${origin(exchange)} cookie ${name}` }
    },
  },
]

const SERIALISED =
  /(?<![\w+/])(?:rO0AB[\w+/=]{10,100}|gAS[VW][\w+/=]{10,100}|AAEAAAD\/{4}[\w+/=]{10,100})|[=">;]O:\d{1,3}:"[\w\\]{1,60}":\d{1,3}:\{|_\$\$ND_FUNC\$\$_/

export const disclosures: readonly PassiveCheck[] = rules.map(({ id, title, cwe, severity, solution, find }) => ({
  kind: 'passive',
  id,
  title,
  cwes: [cwe],
  severity,
  solution,
  profile: 'BASIC',
  *look(exchange) {
    const found = find(exchange)
    if (found) yield { detail: `${title}.`, proof: [found.proof], exchange, cause: found.cause }
  },
}))
