// Headers that tell browsers to be careful, and are missing from pages.

import { headerOf, mediaTypeOf } from '../http.ts'
import type { Exchange, PassiveCheck } from '../types.ts'

type Rule = {
  id: string
  title: string
  cwe: number
  solution: string
  isMissing: (exchange: Exchange) => string | null
}

const isPage = ({ answer, text }: Exchange) =>
  answer.status < 400 && mediaTypeOf(answer) === 'text/html' && text.length > 0

const rules: readonly Rule[] = [
  {
    id: 'content-type-options-missing',
    title: 'Browsers may guess the type of answers',
    cwe: 693,
    solution: 'Send X-Content-Type-Options: nosniff with every answer.',
    isMissing: ({ answer, text }) =>
      answer.status < 400 && text !== '' && !/^nosniff/i.test(headerOf(answer, 'x-content-type-options'))
        ? 'X-Content-Type-Options is missing'
        : null,
  },
  {
    id: 'clickjacking',
    title: 'Pages can be framed by any site',
    cwe: 1021,
    solution: 'Send Content-Security-Policy with frame-ancestors, or X-Frame-Options: DENY or SAMEORIGIN.',
    isMissing: (exchange) => {
      const { answer } = exchange
      const isGuarded =
        /^(deny|sameorigin)/i.test(headerOf(answer, 'x-frame-options').trim()) ||
        /frame-ancestors/i.test(headerOf(answer, 'content-security-policy'))
      return isPage(exchange) && !isGuarded
        ? 'neither X-Frame-Options nor frame-ancestors says who may frame the page'
        : null
    },
  },
]

export const securityHeaders: readonly PassiveCheck[] = rules.map(({ id, title, cwe, solution, isMissing }) => ({
  kind: 'passive',
  id,
  title,
  cwes: [cwe],
  severity: 'LOW',
  solution,
  profile: 'BASIC',
  *look(exchange) {
    const detail = isMissing(exchange)
    if (detail) yield { detail, proof: [], exchange, cause: new URL(exchange.request.url).origin }
  },
}))
