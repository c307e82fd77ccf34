// Checks for server-side request forgery and remote inclusion: a value makes the target itself request an address.

import type { Context, PointCheck } from '../check.ts'
import { textLikeness } from '../compare.ts'
import { mediaTypeOf } from '../http.ts'
import { expectCall, quietly, takesText, textValue } from '../probing.ts'
import type { Operation, Point } from '../types.ts'

const NAMES =
  /url|uri|link|href|src|source|host|domain|site|feed|image|img|avatar|photo|callback|webhook|hook|endpoint|proxy|fetch|load|import|remote|file|path|page|template|include|dest|redirect|target|server|address|ping|report|pdf|xml|document|preview|api/i

export const forgedRequests: PointCheck = {
  kind: 'point',
  id: 'request-forgery',
  title: 'Server-side request forgery (SSRF)',
  cwes: [918],
  severity: 'HIGH',
  solution:
    'Send requests only to allowlisted addresses, and check the resolved address before connecting; refuse private networks.',
  profile: 'BALANCED',
  usesListener: true,
  accepts: takesText,
  async probe(point, operation, context) {
    const text = textValue(point)
    if (isIncluded(point, operation, context)) return null
    const isLikely = NAMES.test(point.name) || /^(https?:|\/\/|\w+\.\w{2,})/.test(text)
    for (const spelled of isLikely ? spellings : spellings.slice(0, 1)) {
      const isHit = await expectCall(
        operation,
        context,
        ({ url }) => context.attempt(operation, [{ point, value: spelled(url) }]),
        (exchange, url) =>
          context.report(forgedRequests, {
            operation,
            point,
            detail: 'The target sent a request to the address in the value.',
            proof: [url],
            exchange,
          }),
      )
      if (isHit) return null
    }
    if (!isLikely) return null
    return inBand(point, operation, context)
  },
}

/** Ways to write an address, past guards that look for texts: whole, without its scheme, of any, and with its host as one number. */
const spellings: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.replace('http://', ''),
  (url) => url.replace('http:', ''),
  (url) =>
    url.replace(/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/, (host) =>
      String(host.split('.').reduce((number, part) => number * 256 + Number(part), 0)),
    ),
]

/** Where what was answered is run or shown already: to say that it is asked for as well says nothing more. */
const included = new WeakMap<Context, Set<string>>()
const placeOf = ({ place, name }: Point, { key }: Operation) => JSON.stringify([key, place, name])
const isIncluded = (point: Point, operation: Operation, context: Context) =>
  included.get(context)?.has(placeOf(point, operation)) ?? false

/** The target's own page comes back when its own address is given, and does not for an address where nothing listens. */
const inBand: PointCheck['probe'] = async (point, operation, context) => {
  const own = await quietly(
    context.send(
      {
        method: 'GET',
        url: `${context.target.origin}/`,
        headers: [
          ['Host', context.target.host],
          ['Accept', '*/*'],
        ],
        body: null,
      },
      { identity: null },
    ),
  )
  const telling = own && tellingPart(own.text)
  if (!telling) return null
  const bases = [
    ...new Set([
      context.target.origin,
      `http://127.0.0.1:${context.target.port || '80'}`,
      `http://localhost:${context.target.port || '80'}`,
    ]),
  ]
  for (const base of bases) {
    const exchange = await context.attempt(operation, [{ point, value: `${base}/` }])
    if (!exchange || !holds(exchange.text, telling)) continue
    const closed = await context.attempt(operation, [{ point, value: 'http://127.0.0.1:1/' }])
    const normal = await context.attempt(operation, [{ point, value: context.word() }])
    if (
      closed &&
      normal &&
      !holds(closed.text, telling) &&
      !holds(normal.text, telling) &&
      textLikeness(exchange.text, closed.text) < 0.9
    ) {
      return {
        detail: `Given ${base}/, the target sends a request to itself and returns the response; for an address where nothing listens it does not.`,
        proof: [telling.slice(0, 200)],
        exchange,
      }
    }
  }
  return null
}

/** A distinctive part of a page, by which it is recognised in another answer. */
function tellingPart(text: string): string | null {
  const plain = text.trim()
  return plain.length < 15 ? null : plain.slice(0, 160)
}

function holds(text: string, part: string): boolean {
  const inJson = JSON.stringify(part).slice(1, -1)
  const inHtml = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return [
    part,
    inJson,
    inHtml,
    inHtml.replaceAll('"', '&quot;'),
    inHtml.replaceAll('"', '&#34;'),
    Buffer.from(part.slice(0, 60)).toString('base64').slice(0, 70),
  ].some((form) => text.includes(form))
}

/** Programs in languages that include what an address answers, each printing a product; the word is known again as it is. */
const programs: readonly ((product: string, word: string) => string)[] = [
  (product, word) => `${word}<?php print(${product}); ?>`,
  (product, word) => `print(${product}) # ${word}`,
]

/** Names of parameters that choose a template or a part of the page. */
const PARTS = /page|file|include|template|theme|lang|module|view|layout|skin|style|section|content|partial|plugin/i

/** Looks like a file name, and not like a URL. */
const FILE = /^[\w-]{1,60}(?:[./][\w-]{1,60}){0,5}\.\w{1,5}$/

export const remoteInclusion: PointCheck = {
  kind: 'point',
  id: 'remote-inclusion',
  title: 'Remote file inclusion (RFI)',
  cwes: [98],
  severity: 'CRITICAL',
  solution: 'Include only files from a fixed list, never one that a request names.',
  profile: 'BALANCED',
  usesListener: true,
  accepts: (point) =>
    takesText(point) && (NAMES.test(point.name) || /^(https?:|\/|\w+\.\w{2,4}$)/.test(textValue(point))),
  async probe(point, operation, context) {
    const sighting = await includedFrom(point, operation, context)
    if (sighting) included.set(context, (included.get(context) ?? new Set()).add(placeOf(point, operation)))
    return sighting
  },
}

const includedFrom: PointCheck['probe'] = async (point, operation, context) => {
  for (const program of context.outOfBand ? programs : []) {
    const [left, right] = [context.number(5), context.number(5)]
    const word = context.word()
    const content = program(`${left}*${right}`, word)
    const address = context.outOfBand?.expect(() => {}, content)
    const exchange = address ? await context.attempt(operation, [{ point, value: address.url }]) : null
    const product = String(left * right)
    if (exchange?.text.includes(product)) {
      const detail = `The program at the address in the value was run: the response contains ${product}, which it prints.`
      return { detail, proof: [product], exchange }
    }
    if (exchange === null || !PARTS.test(point.name)) continue
    // Where a file's name is meant, what an address answers takes the file's place; what is quoted in JSON was fetched and no more.
    const isFile = FILE.test(textValue(point)) && /^text\//.test(mediaTypeOf(exchange.answer))
    const isPart = mediaTypeOf(exchange.answer) === 'text/html' && exchange.text.includes(word)
    if (!isPart && !(isFile && exchange.text.includes(content))) continue
    return {
      cwes: [98, 918],
      title: 'Inclusion of remote content',
      severity: 'HIGH',
      detail: 'The response of the address in the value is included in the page unchanged.',
      proof: [word],
      exchange,
    }
  }
  return null
}
