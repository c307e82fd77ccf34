// Checks for responses to a signed-in user that a browser or a proxy may cache.

import type { PassiveCheck } from '../check.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import type { Exchange } from '../types.ts'
import { claimsOf, tokensIn } from './tokens.ts'

const hasCredentials = ({ request, identity }: Exchange): boolean =>
  identity !== null &&
  (tokensIn(request).some(({ text }) => claimsOf(text) !== null) ||
    request.headers.some(
      ([name, value]) =>
        /^authorization$/i.test(name) || (/^cookie$/i.test(name) && /sess|auth|token|sid/i.test(value)),
    ))

export const cachedAnswers: PassiveCheck = {
  kind: 'passive',
  id: 'cached-answer',
  title: 'Cacheable response to a signed-in user',
  cwes: [525],
  severity: 'NOTIFICATION',
  solution: 'Send Cache-Control: no-store with responses that are meant for one user.',
  profile: 'BASIC',
  *look(exchange) {
    const { answer, request } = exchange
    if (request.method !== 'GET' || answer.status !== 200 || !/json|html/.test(mediaTypeOf(answer))) return
    if (!hasCredentials(exchange)) return
    if (
      /no-store|no-cache|private|max-age=0/i.test(headerOf(answer, 'cache-control')) ||
      /no-cache/i.test(headerOf(answer, 'pragma'))
    )
      return
    yield {
      detail: 'No header keeps caches from storing a response to a signed-in user.',
      proof: [],
      exchange,
      cause: 'cached',
    }
  },
}
