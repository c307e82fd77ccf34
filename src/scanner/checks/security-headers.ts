// Checks for security headers that pages lack or set too weakly.

import type { PassiveCheck, Severity } from '../check.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import type { Exchange } from '../types.ts'

type Rule = {
  id: string
  title: string
  cwe: number
  severity?: Severity
  solution: string
  isWrong: (exchange: Exchange) => string | null
}

const isPage = ({ answer, text }: Exchange) =>
  answer.status < 400 && mediaTypeOf(answer) === 'text/html' && text.length > 0
const isContent = ({ answer, text }: Exchange) => answer.status < 300 && text !== ''

/** What keeps a page apart from other sites; the second and third are told beside the first alone, as few pages need them. */
const ISOLATION = ['Cross-Origin-Opener-Policy', 'Cross-Origin-Embedder-Policy', 'Cross-Origin-Resource-Policy']

/** What a policy says of a directive, by its fallback where it says nothing. */
function sourcesOf(policy: string, name: string): string | null {
  const directives = new Map(
    policy.split(';').map((part) => [part.trim().split(/\s/)[0]?.toLowerCase() ?? '', part.trim().toLowerCase()]),
  )
  return directives.get(name) ?? directives.get('default-src') ?? null
}

function weakPolicy(exchange: Exchange): string | null {
  const policy = headerOf(exchange.answer, 'content-security-policy')
  if (!isPage(exchange) || policy === '') return null
  const scripts = sourcesOf(policy, 'script-src')
  if (scripts === null) return 'The policy does not restrict scripts'
  const isBound = /'nonce-|'sha(256|384|512)-|'strict-dynamic'/.test(scripts)
  if (scripts.includes("'unsafe-inline'") && !isBound) return "script-src allows 'unsafe-inline'"
  return /\s(\*|https?:|data:)(\s|$)/.test(scripts) && !isBound ? 'script-src allows scripts from any site' : null
}

const rules: readonly Rule[] = [
  {
    id: 'content-security-policy-missing',
    title: 'Missing Content-Security-Policy',
    cwe: 693,
    solution: 'Send Content-Security-Policy with a script-src that uses nonces or hashes.',
    isWrong: (exchange) => {
      const hasMeta = /<meta[^>]{1,100}content-security-policy/i.test(exchange.text.slice(0, 20_000))
      return isPage(exchange) && headerOf(exchange.answer, 'content-security-policy') === '' && !hasMeta
        ? 'Content-Security-Policy is missing'
        : null
    },
  },
  {
    id: 'content-security-policy-weak',
    title: 'Weak Content-Security-Policy',
    cwe: 693,
    solution: 'Allow scripts by nonces or hashes, not by unsafe-inline, wildcards or whole schemes.',
    isWrong: weakPolicy,
  },
  {
    id: 'content-type-options-missing',
    title: 'Missing X-Content-Type-Options',
    cwe: 693,
    solution: 'Send X-Content-Type-Options: nosniff with every response.',
    isWrong: (exchange) =>
      isContent(exchange) && !/^nosniff/i.test(headerOf(exchange.answer, 'x-content-type-options'))
        ? 'X-Content-Type-Options is missing'
        : null,
  },
  {
    id: 'clickjacking',
    title: 'Missing clickjacking protection',
    cwe: 1021,
    solution: 'Send Content-Security-Policy with frame-ancestors, or X-Frame-Options: DENY or SAMEORIGIN.',
    isWrong: (exchange) => {
      const { answer } = exchange
      const isGuarded =
        /^(deny|sameorigin)/i.test(headerOf(answer, 'x-frame-options').trim()) ||
        /frame-ancestors/i.test(headerOf(answer, 'content-security-policy'))
      return isPage(exchange) && !isGuarded
        ? 'Neither X-Frame-Options nor frame-ancestors restricts who may frame the page'
        : null
    },
  },
  {
    id: 'transport-security-missing',
    title: 'Missing or short HSTS',
    cwe: 319,
    solution: 'Send Strict-Transport-Security with a max-age of at least half a year.',
    isWrong: ({ answer, request }) => {
      if (!request.url.startsWith('https:') || answer.status >= 400) return null
      const age = Number(/max-age="?(\d{1,12})/i.exec(headerOf(answer, 'strict-transport-security'))?.[1] ?? -1)
      return age < 0 ? 'Strict-Transport-Security is missing' : age < 15_552_000 ? `max-age is ${age} seconds` : null
    },
  },
  {
    id: 'permissions-policy-missing',
    title: 'Missing Permissions-Policy',
    cwe: 693,
    severity: 'NOTIFICATION',
    solution: 'Send Permissions-Policy and turn off the browser features that the page does not need.',
    isWrong: (exchange) =>
      isPage(exchange) && headerOf(exchange.answer, 'permissions-policy') === ''
        ? 'Permissions-Policy is missing'
        : null,
  },
  {
    id: 'opener-policy-missing',
    title: 'Missing Cross-Origin-Opener-Policy',
    cwe: 693,
    severity: 'NOTIFICATION',
    solution: 'Send Cross-Origin-Opener-Policy: same-origin.',
    isWrong: (exchange) => {
      const [opener, ...others] = ISOLATION.filter((name) => headerOf(exchange.answer, name.toLowerCase()) === '')
      if (!isPage(exchange) || opener !== ISOLATION[0]) return null
      return `${opener} is missing${others.length > 0 ? `, and so is ${others.join(' and ')}` : ''}`
    },
  },
  {
    id: 'referrer-policy-missing',
    title: 'Weak Referrer-Policy',
    cwe: 200,
    severity: 'NOTIFICATION',
    solution: 'Send Referrer-Policy: strict-origin-when-cross-origin or stricter.',
    isWrong: ({ answer }) =>
      /unsafe-url/i.test(headerOf(answer, 'referrer-policy')) ? 'Referrer-Policy is unsafe-url' : null,
  },
  {
    id: 'content-type-missing',
    title: 'Missing Content-Type',
    cwe: 345,
    solution: 'Send Content-Type with a charset.',
    isWrong: (exchange) =>
      isContent(exchange) && exchange.answer.status === 200 && mediaTypeOf(exchange.answer) === ''
        ? 'Content-Type is missing'
        : null,
  },
  {
    id: 'cacheable-credentials',
    title: 'Cacheable response with credentials',
    cwe: 525,
    solution: 'Send Cache-Control: no-store with responses that contain credentials or personal data.',
    isWrong: ({ answer, text }) => {
      const control = headerOf(answer, 'cache-control')
      const isTelling =
        /"(access_?token|refresh_?token|id_?token|jwt|auth_?token|token)"\s{0,3}:\s{0,3}"[\w.+/=-]{16,}/i.test(
          text.slice(0, 50_000),
        )
      return answer.status === 200 && isTelling && !/no-store|private/i.test(control)
        ? `Cache-Control is ${control || 'missing'}`
        : null
    },
  },
  {
    id: 'cross-origin-any',
    title: 'CORS allows any origin',
    cwe: 942,
    severity: 'LOW',
    solution: 'Allow the origins that need access by name.',
    isWrong: ({ answer }) =>
      headerOf(answer, 'access-control-allow-origin').trim() === '*' ? 'Access-Control-Allow-Origin is *' : null,
  },
]

export const securityHeaders: readonly PassiveCheck[] = rules.map(
  ({ id, title, cwe, severity = 'LOW', solution, isWrong }) => ({
    kind: 'passive',
    id,
    title,
    cwes: [cwe],
    severity,
    solution,
    profile: 'BASIC',
    *look(exchange) {
      const detail = isWrong(exchange)
      if (detail) yield { detail: `${detail}.`, proof: [], exchange, cause: new URL(exchange.request.url).origin }
    },
  }),
)
