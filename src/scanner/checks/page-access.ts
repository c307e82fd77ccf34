// Checks for private pages that others can open, where no name on the page says whose it is.

import type { Context, Sighting } from '../check.ts'
import { textsOf } from '../page-texts.ts'
import type { Exchange, Identity, Operation, Point } from '../types.ts'
import { isLinkedFor } from './linked.ts'
import type { Holdings } from './ownership.ts'
import { isPage, linksOn, ownValues, shownTo, valuesAt } from './shown-pages.ts'

/** How many objects of one owner are tried. */
const MOST_TRIED = 3
/** How often a page must link its owner to the object again; random lists do not. */
const LOOKS = 2

type People = { owner: Identity; stranger: Identity; own: Holdings }

/**
 * A page that other pages lead its owner to alone has texts that are on no page for everybody, nor on those of other things of
 * its kind; the stranger is shown all of them at the same address, and nobody else is shown any.
 */
export async function readPageAsStranger(
  operation: Operation,
  point: Point,
  { owner, stranger, own }: People,
  context: Context,
): Promise<Sighting | null> {
  const mine = await shownTo(context, owner)
  if (ownValues(point, operation, mine, []).length === 0) return null
  const [theirs, everybodys] = [await shownTo(context, stranger), await shownTo(context, null)]
  const read = (value: string, identity: Identity | null) =>
    context.attempt(operation, [{ point, value }], { identity })

  const owned = ownValues(point, operation, mine, [theirs, everybodys])
  const [others] = ownValues(point, operation, theirs, [mine, everybodys])
  const compared = others?.values[0] === undefined ? null : await read(others.values[0], stranger)
  for (const { page, values } of owned) {
    for (const value of values.slice(0, MOST_TRIED)) {
      const first = await read(value, owner)
      if (!isPage(first)) continue
      const sibling = values.find((other) => other !== value)
      const alike = [compared, sibling === undefined ? null : await read(sibling, owner)].filter(isPage)
      // without another of its kind nothing tells the thing from the form of its page
      if (alike.length === 0) continue
      const usual = new Set([...theirs.texts, ...everybodys.texts, ...alike.flatMap(({ text }) => textsOf(text))])
      const candidates = [...new Set(textsOf(first.text))].filter(
        (text) => isTelling(text, value, own) && !usual.has(text),
      )
      if (candidates.length === 0) continue

      const shown = await read(value, stranger)
      const nobodys = await read(value, null)
      const again = await read(value, owner)
      if (!isPage(shown) || nobodys === null || !isPage(again)) continue
      const steady = shared(candidates, again)
      if (steady.length === 0 || shared(steady, shown).length < steady.length) continue
      if (shared(steady, nobodys).length > 0) continue
      if (!(await leadsAgain(page, owner, { operation, point, value }, context))) continue
      if (await isLinkedFor(stranger, operation, { point, value }, context)) continue
      return {
        detail: `${stranger.name} is shown a page that ${page.key} links to for ${owner.name} only, and that is not shown without credentials.`,
        proof: steady.slice(0, 4),
        exchange: shown,
        operation,
        point,
      }
    }
  }
  return null
}

const shared = (texts: readonly string[], exchange: Exchange): string[] => {
  const there = new Set(textsOf(exchange.text))
  return texts.filter((text) => there.has(text))
}

/** Texts with words, a long number or an amount, without the value that was sent and the reader's own name. */
function isTelling(text: string, value: string, { marks }: Holdings): boolean {
  const isOneWord = /^[\p{L}\p{N}]+$/u.test(value)
  if (isOneWord ? text.split(/[^\p{L}\p{N}]+/u).includes(value) : text.includes(value)) return false
  const lower = text.toLowerCase()
  return /\p{L}{3}|\d{6}|\d{3}[.,]\d\d(?!\d)/u.test(text) && ![...marks].some((mark) => lower.includes(mark))
}

async function leadsAgain(
  page: Operation,
  owner: Identity,
  { operation, point, value }: { operation: Operation; point: Point; value: string },
  context: Context,
): Promise<boolean> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const exchange = await context.attempt(page, [], { identity: owner })
    if (!isPage(exchange) || !valuesAt(point, operation, linksOn(exchange)).includes(value)) return false
  }
  return true
}
