// Cross-site scripting within a page's own scripts: a browser opens the page, and a dialog proves that the value ran.

import { withPage } from '../browser.ts'
import { mediaTypeOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import type { Context, Operation, Point, TargetCheck } from '../types.ts'

const MOST_PAGES = 12
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
      ? context.operations.filter((operation) => isPageWithScript(operation, context)).slice(0, MOST_PAGES)
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
        for (const operation of pages) {
          const done = new Set<string>()
          for (const make of attemptsOf(operation, context)) {
            if (performance.now() - began > WHOLE_LIMIT || context.signal.aborted) return found
            const number = String(context.number(9))
            const attempt = make(`alert(${number})`)
            if (done.has(attempt.where)) continue
            told = ''
            await page.goto('about:blank').catch(() => null)
            await page.goto(attempt.url, { timeout: PAGE_LIMIT, waitUntil: 'domcontentloaded' }).catch(() => null)
            await page.waitForTimeout(QUIET).catch(() => {})
            if (told !== number) continue
            done.add(attempt.where)
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

/** The fragment as a whole and as a parameter, then each value of the query. */
function attemptsOf(operation: Operation, context: Context): ((call: string) => Attempt)[] {
  const { url } = context.requestOf(operation)
  const payloads = [(call: string) => `<img src=x onerror=${call}>`, (call: string) => `javascript:${call}`]
  const names = ['', ...fragmentNames(context.seen(operation)?.text ?? '')]
  const fragments = names.flatMap((name) =>
    payloads.map(
      (payload) =>
        (call: string): Attempt => ({
          url: `${url.split('#', 1).join('')}#${name}${payload(call)}`,
          operation,
          where: `the fragment${name === '' ? '' : ` (${name})`}`,
        }),
    ),
  )
  const values = context
    .pointsOf(operation)
    .filter(({ place }) => place === 'query')
    .flatMap((point) =>
      [...payloads, (call: string) => `';${call};//`, (call: string) => call].map(
        (payload) =>
          (call: string): Attempt => ({
            url: context.requestOf(operation, [{ point, value: payload(call) }]).url,
            operation,
            point,
            where: point.name,
          }),
      ),
    )
  return [...fragments, ...values]
}

/** Names that scripts of the page seem to read from the fragment or the query. */
function fragmentNames(text: string): string[] {
  const found = [...text.matchAll(/(?:get|has)\(\s{0,3}["'](\w{1,30})["']\s{0,3}\)|["'#?&](\w{1,30})=["']/g)].map(
    ([, one, other]) => one ?? other ?? '',
  )
  return [...new Set(found)].slice(0, 4).map((name) => `${name}=`)
}
