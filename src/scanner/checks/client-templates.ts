// Checks for client-side template injection: a value stands as an expression in a part of the page that AngularJS compiles.

import type { PointCheck } from '../check.ts'
import { mediaTypeOf } from '../http.ts'
import { expressionIn } from '../markup.ts'
import { takesText } from '../probing.ts'
import type { Exchange } from '../types.ts'

/** AngularJS compiles what is below an element with this attribute. */
const COMPILES = /(ng|data-ng|x-ng)[:_-]app\b/i
const ASKED = 2

const isPage = ({ answer, text }: Exchange): boolean =>
  mediaTypeOf(answer) === 'text/html' && answer.status < 400 && COMPILES.test(text)

export const clientTemplates: PointCheck = {
  kind: 'point',
  id: 'client-side-template-injection',
  title: 'Client-side template injection',
  cwes: [79, 1336],
  severity: 'HIGH',
  solution:
    'Pass values to templates as data, and keep what the server writes into the page out of what is compiled (ng-non-bindable).',
  profile: 'BALANCED',
  accepts: takesText,
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    if (!baseline || !isPage(baseline.exchange)) return null
    for (let time = 1; time <= ASKED; time += 1) {
      const expression = `{{${context.word()}|json}}`
      const exchange = await context.attempt(operation, [{ point, value: expression }])
      if (!exchange || !isPage(exchange) || !expressionIn(exchange.text, expression)) return null
      if (time < ASKED) continue
      const detail =
        'The value appears as an expression in a part of the page that AngularJS compiles, so code in it runs in the browser.'
      return { detail, proof: [expression], exchange }
    }
    return null
  },
}
