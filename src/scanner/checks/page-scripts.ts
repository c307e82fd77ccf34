// Cross-site scripting within a page's own scripts: a browser opens the page, and a dialog proves that the value ran.

import { withPage } from '../browser.ts'
import { readPage } from '../html.ts'
import { mediaTypeOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import type { Context, Operation, Point, TargetCheck } from '../types.ts'

const MOST_PAGES = 24
const PAGE_LIMIT = 5_000
/** Milliseconds in which a page's scripts run. */
const QUIET = 350
const WHOLE_LIMIT = 90_000

type Attempt = { url: string; operation: Operation; point?: Point; where: string }

export const pageScripts: TargetCheck = {
  kind: 'target',
  id: 'dom-cross-site-scripting',
  title: 'Cross-site scripting in a script of the page',
  cwes: [79],
  severity: 'HIGH',
  solution:
    'Write values into the page as text (textContent), never as markup or code, and check addresses before going there.',
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
    const proved = await withPage(
      { target: context.target, scope: context.scope, credentials: asBrowser(), signal: context.signal },
      async (page) => {
        const found: (Attempt & { call: string })[] = []
        let told = ''
        page.on('dialog', (dialog) => {
          told = dialog.message()
          void dialog.dismiss().catch(() => {})
        })
        const began = performance.now()
        const done = new Set<string>()
        for (const operation of pages) {
          const scripts = scriptsOf(operation, context)
          for (const make of attemptsOf(operation, context)) {
            if (performance.now() - began > WHOLE_LIMIT || context.signal.aborted) return found
            const number = String(context.number(9))
            const attempt = make(`alert(${number})`)
            // the same script on another page is the same flaw, and what reads the fragment reads all of it
            const place = `${attempt.point?.name ?? '#'} ${scripts}`
            if (done.has(place)) continue
            told = ''
            await page.goto('about:blank').catch(() => null)
            await page.goto(attempt.url, { timeout: PAGE_LIMIT, waitUntil: 'domcontentloaded' }).catch(() => null)
            await page.waitForTimeout(QUIET).catch(() => {})
            if (told !== number) continue
            done.add(place)
            found.push({ ...attempt, call: `alert(${number})` })
          }
        }
        return found
      },
    )
    for (const { url, operation, point, where, call } of proved ?? []) {
      const exchange = await quietly(context.send(get(url.split('#', 1).join(''))))
      // what the server itself puts into the page is another flaw
      if (!exchange || exchange.text.includes(call)) continue
      const shown = { ...exchange, request: { ...exchange.request, url } }
      yield {
        detail: `A script in ${where} of the address opened a dialog in a browser.`,
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

/** What scripts a page has: their texts, and the addresses of those that it loads. */
function scriptsOf(operation: Operation, context: Context): string {
  const { scripts, loads } = readPage(context.seen(operation)?.text ?? '')
  return [...scripts, ...loads.flatMap(({ tag, url }) => (tag === 'script' ? [url] : []))].join('\n')
}

/** Pages whose own scripts read the address and write markup come first; those with the scripts of another one last. */
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

/** The first leaves whatever the value stands in; as addresses are written, so that `=` and `/` come as they are. */
const payloads = [
  (call: string) => `'"></option></select></textarea></title></script><img src=x onerror=${call}>`,
  (call: string) => `<img src=x onerror=${call}>`,
  (call: string) => `javascript:${call}`,
]

/** The fragment as a whole and as a parameter, then each value of the query and each name that scripts look for in it. */
function attemptsOf(operation: Operation, context: Context): ((call: string) => Attempt)[] {
  const { url } = context.requestOf(operation)
  const names = namesRead(context.seen(operation)?.text ?? '')
  const fragments = ['', ...names].flatMap((name) =>
    payloads.map(
      (payload) =>
        (call: string): Attempt => ({
          url: `${url.split('#', 1).join('')}#${name === '' ? '' : `${name}=`}${payload(call)}`,
          operation,
          where: `the fragment${name === '' ? '' : ` (${name}=)`}`,
        }),
    ),
  )
  const known = context.pointsOf(operation).filter(({ place }) => place === 'query')
  const further = names
    .filter((name) => !known.some((point) => point.name === name))
    .map((name): Point => ({ place: 'query', name, value: '' }))
  const values = [...known, ...further].flatMap((point) =>
    [...payloads, (call: string) => `';${call};//`, (call: string) => call].map(
      (payload) =>
        (call: string): Attempt => ({
          url: context.requestOf(operation, [{ point, value: encodeURI(payload(call)), isRaw: true }]).url,
          operation,
          point,
          where: point.name,
        }),
    ),
  )
  return [...fragments, ...values]
}

/** Names that scripts of the page seem to read from the fragment or the query. */
function namesRead(text: string): string[] {
  const found = [...text.matchAll(/(?:get|has)\(\s{0,3}["'](\w{1,30})["']\s{0,3}\)|["'#?&](\w{1,30})=["']/g)].map(
    ([, one, other]) => one ?? other ?? '',
  )
  return [...new Set(found)].slice(0, 4)
}
