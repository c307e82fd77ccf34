// Collects what the responses of a crawl lead to: further pages, operations, pages with scripts.

import { steadyText } from '../compare.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import type { Exchange } from '../types.ts'
import type { openOperations } from './crawled-operations.ts'
import { hasScripts, type Lead, leadsOf, leadsOfPage, pageOf } from './leads.ts'
import { fromObserved } from './observed.ts'
import type { openPageQueue } from './page-queue.ts'

/** Files that no page links to. */
export const HIDDEN = ['robots.txt', 'sitemap.xml']

/** The most pages that are read again after forms have created something. */
const MOST_READ_AGAIN = 60

export function openReading(
  target: URL,
  queue: ReturnType<typeof openPageQueue>,
  operations: ReturnType<typeof openOperations>,
) {
  /** addresses that no link names */
  const guesses = new Set<string>()
  let nowhere: string | null = null
  /** pages that may list what is created later */
  const visited: string[] = []
  let isReadAgain = false
  const scripted = new Set<string>()

  const read = ({ request, answer, text }: Exchange, url: string, foundOn?: string) => {
    const isNowhere = nowhere !== null && url !== target.href && steadyText(text) === nowhere
    if (!isNowhere) queue.isNoRoute(url)
    const type = mediaTypeOf(answer)
    if (guesses.has(url) && (isNowhere || answer.status !== 200 || type !== 'text/html')) return
    const location = headerOf(answer, 'location')
    if (location) queue.push(location, url)
    if (isNowhere && HIDDEN.some((name) => url.endsWith(`/${name}`))) return
    if (request.method === 'GET' && answer.status !== 404 && !/javascript/.test(type))
      operations.keep(queue.operationAt(url, foundOn))
    if (isNowhere) return
    const known = operations.count()
    const page = pageOf({ answer, text })
    if (page !== null && request.method === 'GET' && answer.status < 300 && !isReadAgain) visited.push(url)
    if (page !== null && hasScripts(page)) scripted.add(url)
    for (const lead of page === null ? leadsOf(text, type, url) : leadsOfPage(page, text, url)) take(lead, url)
    if (operations.count() > known) queue.reward(url)
  }
  const take = (lead: Lead, url: string) => {
    if (lead.to === 'page') queue.push(lead.link, lead.base, lead.isHarmful)
    else if (lead.to === 'routes') queue.pushRoutes(lead.script, nowhere !== null)
    else operations.keep(lead.to === 'operation' ? lead.operation : fromObserved({ ...lead.observed, foundOn: url }))
  }

  return {
    /** Collects what a response leads to. */
    read,
    /** Collects one lead of the page at this address. */
    take,
    /** Notes an address that no link names: it counts only if it answers with a page. */
    guess: (url: string) => void guesses.add(url),
    /** What is answered to a path that nothing leads to, where that is a page: applications of scripts answer all paths with one. */
    expect(answer: string | null) {
      nowhere = answer
    },
    /** The pages that may list what forms have created; none the second time. */
    again(): string[] {
      if (isReadAgain) return []
      isReadAgain = true
      return visited.slice(0, MOST_READ_AGAIN)
    },
    /** Addresses of pages with scripts. */
    scripted: (): ReadonlySet<string> => scripted,
  }
}
