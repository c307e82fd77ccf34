// Checks for cross-site scripting in a page's own scripts: a browser opens the page, and a dialog proves that the value ran.

import { withPage } from '../browser.ts'
import type { Context, TargetCheck } from '../check.ts'
import { readPage } from '../html.ts'
import { mediaTypeOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import { isInScope } from '../scope.ts'
import type { Operation, Point } from '../types.ts'

const MOST_PAGES = 24
const PAGE_LIMIT = 5_000
/** Milliseconds that a page's scripts are given to run. */
const QUIET = 350
const WHOLE_LIMIT = 90_000

type Place = { point?: Point; where: string }
/** `places`: each call that a dialog may show, and the value that made it. */
type Attempt = { url: string; operation: Operation; places: ReadonlyMap<string, Place> }
type Found = Place & { url: string; operation: Operation; call: string }
type Make = (call: () => string) => Attempt

export const pageScripts: TargetCheck = {
  kind: 'target',
  id: 'dom-cross-site-scripting',
  title: 'DOM-based cross-site scripting (XSS)',
  cwes: [79],
  severity: 'HIGH',
  solution:
    'Write values into the page as text (textContent), never as markup or code, and check URLs before navigating to them.',
  profile: 'BALANCED',
  isLast: true,
  async *probe(context) {
    const { asBrowser } = context
    const pages = asBrowser
      ? likeliestFirst(
          context.operations.filter((operation) => isPageWithScript(operation, context)),
          context,
        ).slice(0, MOST_PAGES)
      : []
    if (!asBrowser || pages.length === 0) return
    const { target, scope, allowed, signal } = context
    const proved = await withPage({ target, scope, allowed, credentials: asBrowser(), signal }, async (page) => {
      const found: Found[] = []
      const told = new Set<string>()
      page.on('dialog', (dialog) => {
        told.add(`alert(${dialog.message()})`)
        void dialog.dismiss().catch(() => {})
      })
      const began = performance.now()
      const done = new Set<string>()
      const loaded = new Map<string, Promise<string[]>>()
      for (const operation of pages) {
        const scripts = scriptsOf(operation, context)
        for (const make of attemptsOf(operation, await namesLoaded(operation, loaded, context), context)) {
          if (performance.now() - began > WHOLE_LIMIT || context.signal.aborted) return found
          const { url, places } = make(() => `alert(${context.number(9)})`)
          // the same script on another page is the same flaw, and what reads the fragment reads all of it
          const nameOf = ({ point }: Place) => `${point?.name ?? '#'} ${scripts}`
          if ([...places.values()].every((place) => done.has(nameOf(place)))) continue
          told.clear()
          await page.goto('about:blank').catch(() => null)
          await page.goto(url, { timeout: PAGE_LIMIT, waitUntil: 'domcontentloaded' }).catch(() => null)
          await page.waitForTimeout(QUIET).catch(() => {})
          for (const [call, place] of places) {
            if (!told.has(call) || done.has(nameOf(place))) continue
            done.add(nameOf(place))
            found.push({ ...place, url, operation, call })
          }
        }
      }
      return found
    })
    for (const { url, operation, point, where, call } of proved ?? []) {
      const exchange = await quietly(context.send(get(url.split('#', 1).join(''))))
      // what the server itself puts into the page is another flaw
      if (!exchange || exchange.text.includes(call)) continue
      const shown = { ...exchange, request: { ...exchange.request, url } }
      yield {
        detail: `A script in ${where} of the URL ran in a browser and opened a dialog.`,
        proof: [call],
        exchange: shown,
        operation,
        point,
      }
    }
  },
}

function isPageWithScript(operation: Operation, context: Context): boolean {
  const exchange = operation.method === 'GET' ? context.seen(operation) : undefined
  return (
    exchange !== undefined &&
    exchange.answer.status < 400 &&
    mediaTypeOf(exchange.answer) === 'text/html' &&
    /<script/i.test(exchange.text)
  )
}

/** Where scripts get what somebody else may have written, and where it becomes markup or code. */
const SOURCE =
  /\blocation\b|document\.(URL|documentURI|referrer|baseURI)|URLSearchParams|window\.name|hashchange|["']message["']/
const SINK =
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|\bFunction\(|set(Timeout|Interval)\(|\.(html|append|prepend|before|after)\(|srcdoc|location(\.href)?\s{0,3}=[^=]|\.(src|href)\s{0,3}=[^=]/

/** A page's scripts: inline texts and loaded addresses. */
function scriptsOf(operation: Operation, context: Context): string {
  const { scripts, loads } = readPage(context.seen(operation)?.text ?? '')
  return [...scripts, ...loads.flatMap(({ tag, url }) => (tag === 'script' ? [url] : []))].join('\n')
}

/** Pages whose own scripts read the address and write markup come first; pages with scripts seen before come last. */
function likeliestFirst(pages: readonly Operation[], context: Context): Operation[] {
  const known = new Set<string>()
  return pages
    .map((operation) => {
      const text = scriptsOf(operation, context)
      const isNew = !known.has(text)
      known.add(text)
      const worth = SOURCE.test(text) ? (SINK.test(text) ? 2 : 1) : 0
      return { operation, worth: worth * 2 + (isNew ? 1 : 0) }
    })
    .sort((one, other) => other.worth - one.worth)
    .map(({ operation }) => operation)
}

/**
 * The first leaves whatever the value stands in, and its picture has no address, so that it fails without an answer of the
 * target; as addresses are written, so that `=` and `/` come as they are.
 */
const payloads = [
  (call: string) => `'"></option></select></textarea></title></script><img src onerror=${call}>`,
  (call: string) => `<img src=x onerror=${call}>`,
  (call: string) => `javascript:${call}`,
]

/** The fragment as a whole and as a parameter, then each value of the query and each name that scripts look for in it. */
function attemptsOf(operation: Operation, loaded: readonly string[], context: Context): Make[] {
  const { url } = context.requestOf(operation)
  const plain = url.split('#', 1).join('')
  const names = namesRead(context.seen(operation)?.text ?? '')
  const fragments = ['', ...names].flatMap((name) =>
    payloads.map((payload): Make => {
      const where = `the fragment${name === '' ? '' : ` (${name}=)`}`
      return one(operation, { where }, (call) => `${plain}#${name === '' ? '' : `${name}=`}${payload(call)}`)
    }),
  )
  const known = context.pointsOf(operation).filter(({ place }) => place === 'query')
  const isNew = (name: string) => !known.some((point) => point.name === name)
  const further = names.filter(isNew).map(queryPoint)
  const values = [...known, ...further].flatMap((point) =>
    inQuery.map((payload) =>
      one(
        operation,
        { point, where: point.name },
        (call) => context.requestOf(operation, [{ point, value: encodeURI(payload(call)), isRaw: true }]).url,
      ),
    ),
  )
  const others = loaded.filter((name) => isNew(name) && !names.includes(name)).map(queryPoint)
  const together = others.length === 0 ? [] : inQuery.map((payload) => all(operation, others, payload, context))
  return [...fragments, ...values, ...together]
}

const inQuery = [...payloads, (call: string) => `';${call};//`, (call: string) => call]

const queryPoint = (name: string): Point => ({ place: 'query', name, value: '' })

const one =
  (operation: Operation, place: Place, urlOf: (call: string) => string): Make =>
  (fresh) => {
    const call = fresh()
    return { url: urlOf(call), operation, places: new Map([[call, place]]) }
  }

/** All names at once, each with its own call. */
const all =
  (operation: Operation, points: readonly Point[], payload: (call: string) => string, context: Context): Make =>
  (fresh) => {
    const calls = points.map((point) => ({ point, call: fresh() }))
    const changes = calls.map(({ point, call }) => ({ point, value: encodeURI(payload(call)), isRaw: true }))
    const places = calls.map(({ point, call }) => [call, { point, where: point.name }] as const)
    return { url: context.requestOf(operation, changes).url, operation, places: new Map(places) }
  }

/** Names that scripts of the page seem to read from the fragment or the query. */
function namesRead(text: string): string[] {
  const found = [...text.matchAll(/(?:get|has)\(\s{0,3}["'](\w{1,30})["']\s{0,3}\)|["'#?&](\w{1,30})=["']/g)].map(
    ([, one, other]) => one ?? other ?? '',
  )
  return [...new Set(found)].slice(0, 4)
}

const MOST_LOADS = 6
const MOST_NAMES = 12

/** Names that scripts of the target's own, which the page loads, read from the query. */
async function namesLoaded(
  operation: Operation,
  loaded: Map<string, Promise<string[]>>,
  context: Context,
): Promise<string[]> {
  const { loads } = readPage(context.seen(operation)?.text ?? '')
  const page = context.requestOf(operation).url
  const own = loads.flatMap(({ tag, url }) => {
    const address = tag === 'script' ? URL.parse(url, page)?.href : undefined
    return address !== undefined && isInScope(address, context.scope) ? [address] : []
  })
  const names: string[] = []
  for (const address of own.slice(0, MOST_LOADS)) {
    const known = loaded.get(address) ?? quietly(context.send(get(address))).then((one) => namesIn(one?.text ?? ''))
    loaded.set(address, known)
    names.push(...(await known))
  }
  return [...new Set(names)].slice(0, MOST_NAMES)
}

const namesIn = (script: string): string[] =>
  /URLSearchParams|searchParams/i.test(script)
    ? [...script.matchAll(/\.get\(\s{0,3}["'](\w{1,30})["']\s{0,3}\)/g)].map(([, name = '']) => name)
    : []
