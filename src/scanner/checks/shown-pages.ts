// Which texts pages show to whom, and the objects to which pages lead.

import { percentDecoded } from '../../core/percent.ts'
import type { Context } from '../check.ts'
import { type Page, readPage } from '../html.ts'
import { mediaTypeOf } from '../http.ts'
import { ownCopy } from '../own-copy.ts'
import { textsOf } from '../page-texts.ts'
import { isSafe } from '../seed/names.ts'
import type { Exchange, Identity, Operation, Point } from '../types.ts'
import { answerFor, isFine, isReference, once } from './ownership.ts'

/** How many pages are read. */
const MOST_PAGES = 60
const MOST_TEXTS = 10_000

/** `links` of each page, with their hosts. */
type Shown = { links: ReadonlyMap<Operation, readonly string[]>; texts: ReadonlySet<string> }

export const isPage = (exchange: Exchange | null | undefined): exchange is Exchange =>
  isFine(exchange) && /^(text\/html|application\/xhtml\+xml)$/.test(mediaTypeOf(exchange.answer))

/** What somebody (null: nobody) is shown by pages that are asked for without naming a thing. */
export function shownTo(context: Context, identity: Identity | null): Promise<Shown> {
  return once(context, `shown ${identity?.name ?? ''} ${identity === null}`, async () => {
    const links = new Map<Operation, readonly string[]>()
    const texts = new Set<string>()
    const open = context.operations.filter(
      (operation) => isSafe(operation) && !context.pointsOf(operation).some((point) => isReference(point)),
    )
    for (const operation of open.slice(0, MOST_PAGES)) {
      const exchange = await answerFor(context, operation, identity)
      if (!isPage(exchange)) continue
      links.set(operation, linksOn(exchange))
      for (const text of textsOf(exchange.text)) if (texts.size < MOST_TEXTS) texts.add(ownCopy(text))
    }
    return { links, texts }
  })
}

export const linksOn = ({ text, request }: Exchange): string[] => {
  const page = readPage(text)
  return [...page.links, ...choicesOn(page)].flatMap((link) => URL.parse(link, request.url)?.href ?? [])
}

/** A list of a form that only asks leads to each thing that can be chosen. */
const choicesOn = ({ forms }: Page): string[] =>
  forms
    .filter(({ method }) => method === 'get')
    .flatMap(({ action, fields }) =>
      fields.flatMap(({ name, options }) =>
        options.map((option) => `${action.split(/[?#]/, 1).join('')}?${new URLSearchParams([[name, option]])}`),
      ),
    )

/** The values that links to the operation have for the point. */
export function valuesAt(point: Point, { origin, path }: Operation, links: readonly string[]): string[] {
  const wanted = path.split('/')
  const at = wanted.indexOf(`{${point.name}}`)
  return links.flatMap((link) => {
    const url = URL.parse(link)
    const given = url?.pathname.split('/') ?? []
    const isThere =
      url?.origin === origin &&
      given.length === wanted.length &&
      wanted.every((part, index) => part === given[index] || part.startsWith('{'))
    if (!isThere) return []
    const value = point.place === 'path' ? percentDecoded(given[at] ?? '') : (url.searchParams.get(point.name) ?? '')
    return value === '' ? [] : [value]
  })
}

/** The page that leads one to things, and the things; the others are led to none of these, by that page or another. */
type Own = { page: Operation; values: readonly string[] }

/** What pages lead an owner to and nobody else; a page that leads others to some of the same is a list for all. */
export function ownValues(point: Point, operation: Operation, own: Shown, others: readonly Shown[]): Own[] {
  const ofOthers = new Set(
    others.flatMap(({ links }) => [...links.values()].flatMap((each) => valuesAt(point, operation, each))),
  )
  return [...own.links].flatMap(([page, links]) => {
    const values = [...new Set(valuesAt(point, operation, links))]
    return values.length === 0 || values.some((value) => ofOthers.has(value)) ? [] : [{ page, values }]
  })
}
