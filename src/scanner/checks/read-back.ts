// Sends a form repeatedly, and finds the page that shows each time what was sent.

import type { Context } from '../check.ts'
import { quietly } from '../probing.ts'
import { get, locationOf } from '../requests.ts'
import { isSafe } from '../seed/names.ts'
import type { Change, Exchange, Operation, Point } from '../types.ts'
import { freshTexts } from './fresh-texts.ts'
import { countsOf, gained } from './gained-texts.ts'
import { wordPoints } from './kept-forms.ts'
import { isPage } from './shown-pages.ts'

const MOST_READERS = 6

/** What one submission added to the page that shows it, without the word that identified it. */
export type Added = { texts: readonly string[]; page: Exchange; word: string }

type ReadBack = {
  place: Point['place']
  /** Null if the page does not show what was sent. */
  send: (extra: readonly Change[]) => Promise<Added | null>
}

/** How to reach the page: an address, or null for the target of the answer's redirect. */
type Reader = string | null

/** Null if no page permanently shows what the form submits. */
export async function openReadBack(operation: Operation, context: Context): Promise<ReadBack | null> {
  const [label] = wordPoints(operation, context)
  if (label === undefined) return null
  const sendFresh = async (extra: readonly Change[]) => {
    const { changes, word } = freshTexts(context.pointsOf(operation), label, context)
    return { word, sent: await context.attempt(operation, [...changes, ...extra]) }
  }
  const found = await sendFresh([])
  const known = await readerOf(operation, found, context)
  if (known === null) return null
  let last = known.page
  return {
    place: label.place,
    async send(extra) {
      const { word, sent } = await sendFresh(extra)
      const page = await read(known.reader, sent, context)
      if (!page?.text.includes(word)) return null
      const before = last.request.url === page.request.url ? last.text : ''
      last = page
      const texts = gained(countsOf(page.text), countsOf(before)).filter((text) => !text.includes(word))
      return { texts, page, word }
    },
  }
}

type Sent = { sent: Exchange | null; word: string }

/** The first page that has the word, and has it still: what was sent wrongly is shown once for correction. */
async function readerOf(
  operation: Operation,
  { sent, word }: Sent,
  context: Context,
): Promise<{ reader: Reader; page: Exchange } | null> {
  if (sent === null || sent.answer.status >= 400) return null
  const folder = operation.path.replace(/[^/]*$/, '')
  const near = context.operations.filter(
    (other) => isSafe(other) && !other.path.includes('{') && other.path.startsWith(folder),
  )
  const pages = [operation.foundOn ?? '', ...near.map((other) => context.requestOf(other).url)]
  for (const reader of [null, ...new Set(pages.slice(0, MOST_READERS))]) {
    const first = await read(reader, sent, context)
    const page = first?.text.includes(word) ? await read(reader, sent, context) : null
    if (page?.text.includes(word)) return { reader, page }
  }
  return null
}

async function read(reader: Reader, sent: Exchange | null, context: Context): Promise<Exchange | null> {
  const url = reader ?? (sent && locationOf(sent)?.href)
  const page = url ? await quietly(context.send(get(url))) : null
  return isPage(page) ? page : null
}
