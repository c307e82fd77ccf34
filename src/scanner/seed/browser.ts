// What a script application requests when a browser opens it and the routes that it links to, and presses its controls.

import type { Page, Request } from 'playwright-core'
import { answerOf, type Browsing, PageStuck, withPage } from '../browser.ts'
import { isInScope } from '../scope.ts'
import type { Operation } from '../types.ts'
import type { Rendered } from './crawl.ts'
import { isReading, mayOpen } from './names.ts'
import { fromObserved } from './observed.ts'
import { boundsOf, openPressing } from './pressing.ts'
import { openShownPage } from './shown-page.ts'
import { isOfSignIn } from './sign-ins.ts'

/**
 * `isWide`: nothing describes the target, so that more of its pages are opened. `onlyReads`: nothing is made or changed. `known`: what
 * its pages led to without a browser, `scripted` those that have scripts, which are opened first.
 */
type Browse = Omit<Browsing, 'onRequest'> & {
  isWide: boolean
  onlyReads: boolean
  known: readonly Operation[]
  scripted: ReadonlySet<string>
}

/**
 * `operations` are the requests that scripts make, `pages` what they made of the pages, `sent` what pages send by POST to be shown
 * another one: forms as a rule, some of which scripts build when something is pressed.
 */
type Browsed = { operations: Operation[]; pages: Rendered[]; sent: Operation[] }

const MOST_ROUTES = { wide: 40, narrow: 6 }
/** Milliseconds for a page to fall quiet, and for all of them. */
const QUIET = 600
const WHOLE_LIMIT = 40_000
/** Characters of a page that is read again. */
const LONGEST_PAGE = 1_000_000
const LINKS =
  "[...document.querySelectorAll('a[href],[routerlink]')].map(e => e.href || ('#' + e.getAttribute('routerlink')))"

/** What pressing may make of a target, and rendered pages that came up by it. */
const MOST_MADE = 40
const MOST_SHOWN = 30

/** Opens the target's pages; requests of scripts that destroy are not made, but kept. */
export async function browse({ isWide, onlyReads, known, scripted, ...browsing }: Browse): Promise<Browsed> {
  const { target, scope, signal } = browsing
  const pages: Rendered[] = []
  const found = new Map<string, Operation>()
  const sent = new Map<string, Operation>()
  const plain = known.filter(isPlainPage).map((page) => page.origin + page.path)
  const routes = [...new Set([target.href, ...plain.filter((url) => scripted.has(url)), ...plain])]
  let made = 0
  const open = (link: string) => {
    const url = URL.parse(link, target.href)
    if (!url || !isInScope(url.href, scope) || routes.includes(url.href)) return
    const words = url.pathname + url.search + url.hash
    if (mayOpen(url) && !/log-?out|sign-?out|delete/i.test(words)) routes.push(url.href)
  }
  const keepShown = async (page: Page) => {
    const links = await answerOf(page.evaluate(LINKS)).catch(unlessStuck([]))
    for (const link of Array.isArray(links) ? links : []) if (typeof link === 'string') open(link)
    const html = await answerOf(page.content()).catch(unlessStuck(''))
    if (html.length < LONGEST_PAGE) pages.push({ url: page.url(), html })
  }
  let shown = 0
  const shownPage = openShownPage()
  const press = openPressing(boundsOf(isWide), shownPage, async (page) => {
    open(page.url())
    shown += 1
    if (shown <= MOST_SHOWN) await keepShown(page)
  })
  /** Resolves to the milliseconds that pressing took, which are bounded by themselves. */
  const visit = async (page: Page): Promise<number> => {
    await keepShown(page)
    const began = performance.now()
    await press(page, signal)
    return performance.now() - began
  }
  const onRequest: Browsing['onRequest'] = (route) => {
    const request = route.request()
    const isOwn = shownPage.isOwn(request)
    if (!isOwn && request.isNavigationRequest()) {
      if (request.method() === 'GET' && isPage(request)) open(request.url())
      const form = request.method() === 'POST' ? asObserved(request, 'form') : null
      if (form && !sent.has(form.key)) sent.set(form.key, form)
      return 'STAY'
    }
    const isOfScript = ['xhr', 'fetch'].includes(request.resourceType())
    // a press may also send a beacon
    if (!isOfScript && (isOwn || isReading(request.method()))) return true
    const operation = asObserved(request, 'browser')
    if (operation && !found.has(operation.key)) found.set(operation.key, operation)
    if (operation === null || operation.isDestructive) return operation === null
    if (isOwn) return true
    if (isOfSignIn(operation)) return false
    if (operation.kind === 'read') return true
    made += 1
    return operation.kind === 'create' && !onlyReads && made <= MOST_MADE
  }
  await withPage({ ...browsing, onRequest }, async (first) => {
    const context = first.context()
    let began = performance.now()
    const most = isWide ? MOST_ROUTES.wide : MOST_ROUTES.narrow
    for (let at = 0; at < routes.length && at < most && !signal.aborted; at += 1) {
      if (performance.now() - began > WHOLE_LIMIT) break
      const page = await shownPage.open(context, routes[at] ?? '')
      await page.waitForTimeout(QUIET).catch(() => {})
      const isStuck = await visit(page).then(
        (spent) => {
          began += spent
          return false
        },
        (error) => {
          if (!(error instanceof PageStuck)) throw error
          return true
        },
      )
      if (isStuck) break
    }
  })
  return { operations: [...found.values()], pages, sent: [...sent.values()] }
}

function asObserved(request: Request, source: 'browser' | 'form'): Operation | null {
  const isForm = source === 'form'
  return fromObserved({
    method: request.method(),
    url: request.url(),
    headers: isForm ? [] : Object.entries(request.headers()),
    body: request.postData(),
    mediaType: request.headers()['content-type'],
    source,
    ...(isForm ? { foundOn: request.headers().referer } : {}),
  })
}

const unlessStuck =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (error instanceof PageStuck) throw error
    return otherwise
  }

/** Not a frame of another page, which loads by itself. */
const isPage = (request: Request): boolean => {
  try {
    return request.frame().parentFrame() === null
  } catch {
    // one that has no frame yet is that of a new window
    return true
  }
}

/** One that is opened by its path alone. */
const isPlainPage = ({ method, parameters, isDestructive }: Operation) =>
  method === 'GET' && parameters.length === 0 && !isDestructive
