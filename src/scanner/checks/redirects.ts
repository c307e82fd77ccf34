// Checks for open redirects, header injection, and URLs built from a Host header that the client controls.

import type { OperationCheck, PointCheck } from '../check.ts'
import { readPage } from '../html.ts'
import { headerOf } from '../http.ts'
import { takesText, textValue } from '../probing.ts'
import type { Exchange } from '../types.ts'

const NAMES =
  /url|uri|redirect|return|next|dest|target|goto|continue|forward|callback|link|href|location|path|page|to$|^r$|^u$|back|ref|site|view|out|checkout/i

/** The network 198.18.0.0/15, which RFC 2544 keeps for tests: no such host is on the internet. */
const TEST_NETWORK = 198 * 2 ** 24 + 18 * 2 ** 16
const TEST_HOSTS = 2 ** 17

/** Where an answer leads: by Location, by a refresh, or by a script that starts with it. */
function leadsTo({ answer, text, request }: Exchange): string[] {
  const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'location') : ''
  const refresh = /url\s{0,5}=\s{0,5}['"]?([^'";]{1,1000})/i.exec(headerOf(answer, 'refresh'))?.[1] ?? ''
  const page = /html/.test(headerOf(answer, 'content-type')) ? readPage(text) : null
  const scripts = (page?.scripts ?? []).flatMap((script) =>
    [
      ...script.matchAll(
        /(?:location(?:\.href)?\s{0,3}=\s{0,3}|location\.(?:replace|assign)\(\s{0,3}|window\.open\(\s{0,3})["']([^"']{1,1000})["']/g,
      ),
    ].map(([, url = '']) => url),
  )
  return [location, refresh, page?.refresh ?? '', ...scripts]
    .filter((url) => url !== '')
    .map((url) => hostOf(url, request.url))
}

/** Whether an answer has a word at all, in whatever case: the page need not be read without it. */
const names = ({ answer, text }: Exchange, word: string): boolean =>
  text.toLowerCase().includes(word) || answer.headers.some(([, value]) => value.toLowerCase().includes(word))

/** The host that a browser would go to; it treats a backslash as a slash. */
const hostOf = (url: string, base: string): string => URL.parse(url.trim().replaceAll('\\', '/'), base)?.hostname ?? ''

export const openRedirect: PointCheck = {
  kind: 'point',
  id: 'open-redirect',
  title: 'Open redirect',
  cwes: [601],
  severity: 'MEDIUM',
  solution: 'Redirect only to your own paths or to allowlisted addresses, never to one that the request names.',
  profile: 'BALANCED',
  accepts: (point) =>
    takesText(point) &&
    point.place !== 'cookie' &&
    !(point.place === 'header' && !/refer|forward|origin/i.test(point.name)),
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    const text = textValue(point)
    const isLikely =
      NAMES.test(point.name) ||
      /^(https?:|\/)/.test(text) ||
      (baseline !== null && leadsTo(baseline.exchange).length > 0)
    const word = context.word()
    const host = `${word}.example`
    const payloads = [
      `https://${host}/`,
      `//${host}/`,
      `\\\\${host}/`,
      `/\\${host}/`,
      `https:${host}/`,
      `https://${host}/?x=${encodeURIComponent(text)}`,
      `https://${new URL(operation.origin).hostname}@${host}/`,
      `${text}.${host}`,
      `https://${host}/${new URL(operation.origin).hostname}`,
      `https://${host}#${text}`,
    ]
    for (const value of isLikely ? payloads : payloads.slice(0, 1)) {
      const exchange = await context.attempt(operation, [{ point, value }])
      if (!exchange || !names(exchange, word)) continue
      const reached = leadsTo(exchange).find((one) => one === host || one.endsWith(`.${host}`))
      if (reached)
        return {
          detail: `The response redirects the browser to ${reached}, which the value named.`,
          proof: [host],
          exchange,
        }
    }
    if (!isLikely) return null
    // what refuses dots, or dots and slashes, may take a host that is written as a number
    const number = String(TEST_NETWORK + (context.number(6) % TEST_HOSTS))
    const numbered = new URL(`http://${number}/`).hostname
    for (const start of ['https://', '//', '\\\\', operation.origin.startsWith('https:') ? 'http:' : 'https:']) {
      const exchange = await context.attempt(operation, [{ point, value: start + number }])
      if (exchange && leadsTo(exchange).includes(numbered))
        return {
          detail: `The response redirects the browser to ${numbered}, which the value named as a number.`,
          proof: [number],
          exchange,
        }
    }
    return null
  },
}

export const splitHeaders: PointCheck = {
  kind: 'point',
  id: 'header-injection',
  title: 'HTTP header injection (CRLF)',
  cwes: [113],
  severity: 'MEDIUM',
  solution: 'Reject line breaks in values that become part of a header.',
  profile: 'BALANCED',
  accepts: (point) => takesText(point) && ['query', 'path', 'form', 'cookie'].includes(point.place),
  async probe(point, operation, context) {
    const name = `x-${context.word()}`
    for (const breaking of ['%0d%0a', '%0a', '%E5%98%8D%E5%98%8A']) {
      const value = `${encodeURIComponent(textValue(point).toWellFormed())}${breaking}${name}:%20merlon`
      const exchange = await context.attempt(operation, [{ point, value, isRaw: true }])
      if (exchange && headerOf(exchange.answer, name).startsWith('merlon')) {
        return {
          detail: `A line break in the value adds the header ${name} to the response.`,
          proof: [`${name}: merlon`],
          exchange,
        }
      }
    }
    return null
  },
}

/** A link, or a URL in JSON, to the host. */
const addressOf = (host: string): RegExp =>
  new RegExp(`(?:href|src|action)=\\\\?["']?(?:(?:https?:)?//)?${host}|"https?://${host}`)

/** An address of the answer is built from the Host header (or what stands in for it). */
export const hostHeader: OperationCheck = {
  kind: 'operation',
  id: 'host-header-injection',
  title: 'Host header injection',
  cwes: [644, 20],
  severity: 'MEDIUM',
  solution: 'Build URLs from a configured host name, and reject hosts that are not yours.',
  profile: 'BALANCED',
  accepts: ({ kind, method, source }) => source !== 'graphql' && (kind === 'read' || method === 'POST'),
  async *probe(operation, context) {
    const host = `${context.word()}.example`
    for (const name of ['Host', 'X-Forwarded-Host']) {
      const request = context.requestOf(operation)
      const headers =
        name === 'Host'
          ? request.headers.map(([given, value]) => [given, given === 'Host' ? host : value] as const)
          : [...request.headers, [name, host] as const]
      const exchange = await context.send({ ...request, headers }, { operation })
      const { answer, text } = exchange
      const isLocation =
        answer.status >= 300 &&
        answer.status < 400 &&
        hostOf(headerOf(answer, 'location'), 'http://none.invalid') === host
      const link = text.includes(host) ? addressOf(host).exec(text)?.[0] : undefined
      if (!isLocation && (!link || answer.status >= 400)) continue
      yield {
        detail: `${name}: ${host} comes back in ${isLocation ? 'the Location header' : 'a URL of the response'}.`,
        proof: [isLocation ? host : (link ?? host)],
        exchange,
        cause: `${operation.origin} ${name}`,
      }
      return
    }
  },
}
