// Checks for pages that redirect visitors who are not signed in but still send the protected content in that response.

import type { OperationCheck } from '../check.ts'
import { textsOf } from '../page-texts.ts'
import { isTurnedAway } from '../session.ts'
import { answerFor } from './ownership.ts'
import { isPage } from './shown-pages.ts'

/** How many texts of the page the redirect must contain; fewer could come from a menu that every page has. */
const LEAST = 5
/** The share of the page's texts that the redirect must contain. */
const SHARE = 0.8

export const behindRedirects: OperationCheck = {
  kind: 'operation',
  id: 'page-behind-redirect',
  title: 'Execution after redirect',
  cwes: [698, 306],
  severity: 'HIGH',
  solution: 'Stop handling the request once the redirect is sent.',
  profile: 'BASIC',
  accepts: ({ method, isDestructive }) => method === 'GET' && !isDestructive,
  async *probe(operation, context) {
    const [owner] = context.identities
    if (owner === undefined) return
    const own = await answerFor(context, operation, owner)
    if (!isPage(own)) return
    const nobodys = await answerFor(context, operation, null)
    if (nobodys === null || !isTurnedAway(nobodys)) return
    const sent = new Set(textsOf(nobodys.text))
    const shown = new Set(textsOf(own.text))
    const both = [...shown].filter((text) => sent.has(text))
    if (both.length < LEAST || both.length < SHARE * shown.size) return
    yield {
      detail: `Without credentials the response redirects to the sign-in, but its body has ${both.length} of the ${shown.size} texts of the page.`,
      proof: both.slice(-3),
      exchange: nobodys,
      operation,
    }
  },
}
