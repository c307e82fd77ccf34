// Checks what pages load, what they submit, and what their addresses contain.

import type { Context, PassiveCheck, Severity, Sighting } from '../check.ts'
import { type Form, readPage } from '../html.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import type { Exchange } from '../types.ts'
import { causeOf, isLikelyLookUp, isShownAgain, isUnguarded, isUnknownToBrowsers } from './form-guards.ts'
import { librariesIn } from './script-libraries.ts'

type Found = { proof: string; cause?: string; detail?: string; severity?: Severity }
type Rule = {
  id: string
  title: string
  cwes: readonly number[]
  severity: Severity
  solution: string
  readsRequest?: boolean
  find: (
    exchange: Exchange,
    page: ReturnType<typeof readPage> | null,
    context: Context,
  ) => Found | readonly Found[] | null
}

const hostOf = (url: string, base: string) => URL.parse(url, base)?.host ?? ''
const isForeign = (url: string, { request }: Exchange) => {
  const host = hostOf(url, request.url)
  return host !== '' && host !== new URL(request.url).host
}
const isSecure = ({ request }: Exchange) => request.url.startsWith('https:')
/** How many forms of one page are reported. */
const MOST_FORMS = 8

const rules: readonly Rule[] = [
  {
    id: 'mixed-content',
    title: 'Mixed content',
    cwes: [311, 319],
    severity: 'LOW',
    solution: 'Load everything over HTTPS.',
    find: (exchange, page) =>
      proofOf(isSecure(exchange) ? page?.loads.find(({ url }) => url.startsWith('http:'))?.url : undefined),
  },
  {
    id: 'insecure-form',
    title: 'Password form over HTTP',
    cwes: [319, 523],
    severity: 'MEDIUM',
    solution: 'Serve and submit forms over HTTPS.',
    find: (exchange, page) => {
      const form = page?.forms.find(
        ({ fields, action }) =>
          fields.some(({ type }) => type === 'password') &&
          (URL.parse(action, exchange.request.url)?.protocol ?? '') === 'http:',
      )
      return form ? { proof: form.action || 'type="password"', cause: causeOf(form, exchange) } : null
    },
  },
  {
    id: 'forged-request-guard-missing',
    title: 'Form without a CSRF token',
    cwes: [352],
    severity: 'MEDIUM',
    solution: 'Put a token that is bound to the session into the form, and set SameSite on the session cookie.',
    find: (exchange, page, { identities }) => {
      const isNobodys = !identities.some(({ name }) => name === exchange.identity)
      const pathOf = ({ action }: Form) => URL.parse(action, exchange.request.url)?.pathname ?? ''
      const forms = isUnknownToBrowsers(exchange)
        ? []
        : (page?.forms ?? [])
            .filter((form) => isUnguarded(form, pathOf(form), isNobodys) && !isShownAgain(form, exchange))
            .slice(0, MOST_FORMS)
      const hasMeta = /<meta[^>]{1,60}csrf/i.test(exchange.text.slice(0, 20_000))
      if (hasMeta) return null
      return forms.map((form) => ({
        proof: form.action === '' ? '<form' : form.action,
        cause: causeOf(form, exchange),
        detail: `The form to ${pathOf(form)} has no field with a CSRF token.`,
        ...(isLikelyLookUp(form) ? { severity: 'LOW' as const } : {}),
      }))
    },
  },
  {
    id: 'integrity-missing',
    title: 'Missing Subresource Integrity',
    cwes: [829, 345],
    severity: 'LOW',
    solution: 'Put the hash of the script into its integrity attribute.',
    find: (exchange, page) => {
      const load = page?.loads.find(
        ({ tag, url, hasIntegrity }) => tag === 'script' && !hasIntegrity && isForeign(url, exchange),
      )
      return load ? { proof: load.url, cause: load.url } : null
    },
  },
  {
    id: 'session-in-address',
    title: 'Session ID in the URL',
    cwes: [598],
    severity: 'MEDIUM',
    solution: 'Keep session IDs in cookies.',
    readsRequest: true,
    find: ({ request, answer, text }) => {
      const pattern = /[?&;](?:jsessionid|phpsessid|sessionid|session_id|sid|asp\.net_sessionid|cfid)=[\w%.-]{8,200}/i
      const links = /(?<=\s(?:href|src|action)\s{0,3}=\s{0,3}["']?)[^"'\s<>]{1,500}/gi
      const proof =
        pattern.exec(request.url)?.[0] ??
        pattern.exec(headerOf(answer, 'location'))?.[0] ??
        (mediaTypeOf(answer) === 'text/html' && pattern.test(text.slice(0, 100_000))
          ? pattern.exec((text.slice(0, 100_000).match(links) ?? []).join('\n'))?.[0]
          : undefined)
      // the sid of Engine.IO names a connection, and its protocol has no other place for it
      const isConnection = /[?&]EIO=\d/.test(request.url)
      return proof && !isConnection
        ? { proof, cause: `${new URL(request.url).origin} ${proof.split('=')[0]?.slice(1)}` }
        : null
    },
  },
  {
    id: 'secret-in-address',
    title: 'Credentials in the URL',
    cwes: [598],
    severity: 'MEDIUM',
    solution: 'Send credentials in a header or a body.',
    readsRequest: true,
    find: ({ request, answer, operation }) => {
      const found = /[?&](password|passwd|pwd|access_token|api_?key|secret|auth_?token|token)=([^&#]{1,200})/i.exec(
        request.url,
      )
      return found && operation !== '' && answer.status < 400
        ? { proof: found[0], cause: `${operation.split('?')[0]} ${found[1]}` }
        : null
    },
  },
  {
    id: 'basic-over-http',
    title: 'Basic authentication over HTTP',
    cwes: [319, 287],
    severity: 'MEDIUM',
    solution: 'Serve over HTTPS.',
    find: (exchange) =>
      !isSecure(exchange) && /^basic/i.test(headerOf(exchange.answer, 'www-authenticate'))
        ? { proof: headerOf(exchange.answer, 'www-authenticate'), cause: new URL(exchange.request.url).origin }
        : null,
  },
  {
    id: 'vulnerable-library',
    title: 'Vulnerable JavaScript library',
    cwes: [1395],
    severity: 'MEDIUM',
    solution: 'Update the library.',
    find: (exchange, page) => {
      const isScript = /javascript/.test(mediaTypeOf(exchange.answer))
      const addresses = isScript
        ? [exchange.request.url]
        : (page?.loads.flatMap(({ tag, url }) => (tag === 'script' ? [url] : [])) ?? [])
      const library = librariesIn(addresses, isScript ? exchange.text.slice(0, 3_000) : '')
      return library
        ? {
            proof: library.proof,
            cause: `${library.name} ${library.version}`,
            detail: `${library.name} ${library.version} is older than ${library.fixedIn}, which fixes ${library.known}.`,
          }
        : null
    },
  },
]

const proofOf = (proof: string | undefined): Found | null => (proof ? { proof, cause: proof } : null)

const pages = new WeakMap<Exchange, ReturnType<typeof readPage> | null>()

/** How many pages of one operation are read; what a page loads and submits hardly depends on the request's values. */
const MOST_PAGES = 24

const counts = new WeakMap<Context, Map<string, number>>()

/** Parses a page once for all rules. */
function pageOf(exchange: Exchange, context: Context) {
  if (exchange.answer.status >= 400 || mediaTypeOf(exchange.answer) !== 'text/html') return null
  const known = pages.get(exchange)
  if (known !== undefined) return known
  const page = isWanted(exchange, context) ? readPage(exchange.text.slice(0, 400_000)) : null
  pages.set(exchange, page)
  return page
}

function isWanted({ operation, answer, identity }: Exchange, context: Context): boolean {
  if (operation === '') return true
  const ofScan = counts.get(context) ?? new Map<string, number>()
  counts.set(context, ofScan)
  const key = `${operation} ${answer.status} ${identity}`
  const count = (ofScan.get(key) ?? 0) + 1
  ofScan.set(key, count)
  return count <= MOST_PAGES
}

export const pageContent: readonly PassiveCheck[] = rules.map(
  ({ id, title, cwes, severity, solution, readsRequest, find }) => ({
    kind: 'passive',
    id,
    title,
    cwes,
    severity,
    solution,
    readsRequest,
    profile: 'BASIC',
    *look(exchange, context): Iterable<Sighting> {
      const found = find(exchange, readsRequest ? null : pageOf(exchange, context), context)
      if (found === null) return
      for (const { proof, cause, detail, severity } of [found].flat())
        yield { detail: detail ?? `${title}.`, proof: [proof], exchange, cause, severity }
    },
  }),
)
