// Whether pages link to an object: what every signed-in user is led to is not private.

import type { Context } from '../check.ts'
import { mediaTypeOf } from '../http.ts'
import { requestOf, textOf } from '../points.ts'
import { isSafe } from '../seed/names.ts'
import type { Change, Identity, Operation } from '../types.ts'
import { linksOn } from './shown-pages.ts'

/** How many pages are searched for links to the object. */
const MOST_PAGES = 40

/** Pages of the object itself, such as its edit page, do not count as other pages. */
export async function isLinkedFor(
  stranger: Identity,
  operation: Operation,
  change: Change,
  context: Context,
): Promise<boolean> {
  const asked = new URL(requestOf(operation, [change]).url)
  const file = asked.pathname.slice(asked.pathname.lastIndexOf('/') + 1)
  const { point, value } = change
  const link = point.place === 'path' ? asked.pathname : `${point.name}=${encodeURIComponent(textOf(value))}`
  const pages = context.operations.filter(
    (page) => isSafe(page) && page.key !== operation.key && !endsAt(requestOf(page).url, link),
  )
  for (const page of pages.slice(0, MOST_PAGES)) {
    const exchange = await context.attempt(page, [], { identity: stranger })
    if (!exchange || mediaTypeOf(exchange.answer) !== 'text/html') continue
    if (linksOn(exchange).some((one) => one.includes(file) && endsAt(one, link))) return true
  }
  return false
}

/** Whether the text contains the part as a whole value. */
const endsAt = (text: string, part: string): boolean => {
  const at = text.indexOf(part)
  return at >= 0 && !/[\w-]/.test(text[at + part.length] ?? '')
}
