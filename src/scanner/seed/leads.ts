// What the text of a response leads to: further pages, requests and forms.

import { navigationsIn, type Page, readPage } from '../html.ts'
import { mediaTypeOf } from '../http.ts'
import type { Exchange, Operation } from '../types.ts'
import { fromForm } from './forms.ts'
import { commandsHarm } from './names.ts'
import type { Observed } from './observed.ts'
import { chunksIn, fromScript } from './scripts.ts'
import { fromCommands } from './shell-commands.ts'

/** `isHarmful`: the text of the link says that opening it changes something; `routes`: what a script may show as pages. */
export type Lead =
  | { to: 'page'; link: string; base: string; isHarmful: boolean }
  | { to: 'operation'; operation: Operation }
  | { to: 'request'; observed: Observed }
  | { to: 'routes'; script: string }

type Leads = Iterable<Lead>

const pageLead = (link: string, base: string): Lead => ({ to: 'page', link, base, isHarmful: false })

/** Recognises a sitemap by its content, because it may be served as XML, as text or as a page. */
const SITEMAP = /<(urlset|sitemapindex)[\s>]/

const isSitemap = (text: string): boolean => SITEMAP.test(text.slice(0, 1_000))

/** The response as a page; null if it is none. */
export function pageOf({ answer, text }: Pick<Exchange, 'answer' | 'text'>): Page | null {
  const isPage = ['text/html', 'application/xhtml+xml', ''].includes(mediaTypeOf(answer))
  return isPage && !isSitemap(text) ? readPage(text) : null
}

export const hasScripts = ({ scripts, loads }: Page): boolean =>
  scripts.length > 0 || loads.some(({ tag }) => tag === 'script')

/** What a response that is no page leads to, by its media type. */
export function leadsOf(text: string, type: string, url: string): Leads {
  if (isSitemap(text)) return leadsOfSitemap(text, url)
  if (/javascript|ecmascript/.test(type)) return leadsOfScript(text, url)
  return url.endsWith('/robots.txt') ? leadsOfRobots(text, url) : []
}

function* leadsOfSitemap(text: string, url: string): Leads {
  for (const [, link = ''] of text.matchAll(/<loc>\s{0,20}([^<\s]{1,1000})/g)) yield pageLead(link, url)
}

function* leadsOfScript(text: string, url: string): Leads {
  yield { to: 'routes', script: text }
  for (const chunk of chunksIn(text, url)) yield pageLead(chunk, url)
  yield* leadsOfRequests(fromScript(text, new URL('/', url).href), url)
}

function* leadsOfRobots(text: string, url: string): Leads {
  for (const [, path = ''] of text.matchAll(/^(?:dis)?allow:[ \t]{0,10}(\/[^\s*$]{1,300})/gim)) {
    yield pageLead(path, url)
    // a script in an application's directory may name paths relative to the application
    yield pageLead(`.${path}`, url)
  }
  for (const [, link = ''] of text.matchAll(/^sitemap:[ \t]{0,10}(\S{1,500})/gim)) yield pageLead(link, url)
}

export function* leadsOfPage(page: Page, text: string, url: string): Leads {
  const base = baseOf(page, url)
  yield* leadsOfLinks(page, base)
  // text that the page's scripts turn into links
  for (const [, link = ''] of text.matchAll(/\]\((\/[^\s()<>"']{1,300})\)/g)) yield pageLead(link, base)
  for (const { tag, url: source } of page.loads)
    if (tag === 'script' || tag === 'iframe' || (tag === 'img' && isMade(source))) yield pageLead(source, base)
  yield* leadsOfForms(page.forms, base)
  for (const script of page.scripts) {
    yield { to: 'routes', script }
    for (const link of navigationsIn(script)) yield pageLead(link, base)
  }
  if (text.includes('curl ')) for (const operation of fromCommands(text, url)) yield { to: 'operation', operation }
  for (const comment of page.comments)
    for (const [, link = ''] of comment.matchAll(/(?:href|src|action)=["']([^"']{1,500})/gi)) yield pageLead(link, base)
  for (const script of page.scripts) yield* leadsOfRequests(fromScript(script, base), url)
}

/** What a page leads to that its scripts have changed. A form without an address is sent by the scripts that made it. */
export function* leadsOfRendered(page: Page, url: string): Leads {
  const base = baseOf(page, url)
  yield* leadsOfLinks(page, base)
  const sent = page.forms.filter(({ action, method }) => action !== '' || method === 'post')
  yield* leadsOfForms(sent, base)
}

function* leadsOfLinks(page: Page, base: string): Leads {
  const harmful = new Set(page.labelled.filter(({ label }) => commandsHarm(label)).map(({ link }) => link))
  for (const link of [...page.links, page.refresh ?? '']) {
    if (!link || /^(javascript|mailto|tel|data):/i.test(link)) continue
    yield { to: 'page', link, base, isHarmful: harmful.has(link) }
  }
}

function* leadsOfForms(forms: Page['forms'], base: string): Leads {
  for (const form of forms) for (const operation of fromForm(form, base)) yield { to: 'operation', operation }
}

function* leadsOfRequests(observed: readonly Observed[], url: string): Leads {
  for (const one of observed) yield one.method === 'GET' ? pageLead(one.url, url) : { to: 'request', observed: one }
}

/** Whether the response is an image that a program generates from the address. */
const isMade = (source: string): boolean => /^[^#]{0,1000}\?[^=&]{1,60}=/.test(source)

const baseOf = ({ base }: Page, url: string): string => (base ? (URL.parse(base, url)?.href ?? url) : url)
