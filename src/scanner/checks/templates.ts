// Checks for template and code injection: the target evaluates a multiplication inside a value.

import type { Context, PointCheck, Sighting } from '../check.ts'
import { settle } from '../found.ts'
import { firstThatShows, takesText, textValue } from '../probing.ts'
import type { Exchange, Operation, Point } from '../types.ts'

type Way = (text: string, product: string) => string

const ofTemplates: readonly Way[] = [
  (text, product) => `${text}{{${product}}}`,
  (text, product) => `${text}\${${product}}`,
  (text, product) => `${text}<%= ${product} %>`,
  (text, product) => `${text}#{${product}}`,
  (text, product) => `${text}{{=${product}}}`,
  (text, product) => `${text}{${product}}`,
  (text, product) => `${text}@(${product})`,
  (text, product) => `${text}*{${product}}`,
  (text, product) => `${text}[[\${${product}}]]`,
  (text, product) => `${text}#set($x=${product})$x`,
  (_, product) => `{{${product}}}`,
  (text, product) => `${text}}}{{${product}}}`,
  (text, product) => `${text}__\${${product}}__::x`,
  // what breaks a statement is shown by a template of faults
  (text, product) => `${text}'{{${product}}}`,
]

/** What a language joins to texts stands between them; a database adds numbers, and the texts count as none. */
const [LEFT, RIGHT] = ['q', 'z']

const ofCode: readonly Way[] = [
  (_, product) => product,
  (text, product) => `${text}${LEFT}'+(${product})+'${RIGHT}`,
  (text, product) => `${text}${LEFT}"+(${product})+"${RIGHT}`,
  // where only a text is joined to a text
  (text, product) => `${text}${LEFT}"+str(${product})+"${RIGHT}`,
  (text, product) => `${text}'.(${product}).'`,
  (text, product) => `${text}".(${product})."`,
  (text, product) => `${text};echo ${product};//`,
  (text, product) => `${text}';echo ${product};//`,
  (_, product) => `\${@print(${product})}`,
  (_, product) => `str(${product})`,
  (text, product) => `${text};res.end(String(${product}))`,
]

async function probe(
  ways: readonly Way[],
  point: Point,
  operation: Operation,
  context: Context,
): Promise<{ exchange: Exchange; proof: string; value: string } | null> {
  const makers = ways.map((way) => () => {
    const [left, right] = [context.number(5), context.number(5)]
    const value = way(textValue(point), `${left}*${right}`)
    const made = String(left * right)
    return { value, made: value.endsWith(RIGHT) ? LEFT + made + RIGHT : made }
  })
  return firstThatShows(makers, ({ text }, product) => (text.includes(product) ? product : null), {
    point,
    operation,
    context,
  })
}

const sightingOf = ({ exchange, proof, value }: { exchange: Exchange; proof: string; value: string }): Sighting => ({
  detail: `The response contains ${proof}, the result of ${value.slice(0, 120)}; other numbers gave their result too.`,
  proof: [proof],
  exchange,
})

export const templates: PointCheck = {
  kind: 'point',
  id: 'template-injection',
  title: 'Server-side template injection (SSTI)',
  cwes: [1336, 94],
  severity: 'CRITICAL',
  solution: 'Pass values to a template as data, never as part of its text.',
  profile: 'BALANCED',
  accepts: takesText,
  async probe(point, operation, context) {
    const shown = await probe(ofTemplates, point, operation, context)
    if (!shown) return null
    settle(94, operation, point, context)
    settle(1336, operation, point, context)
    return sightingOf(shown)
  },
}

export const code: PointCheck = {
  kind: 'point',
  id: 'code-injection',
  title: 'Code injection',
  cwes: [94, 95],
  severity: 'CRITICAL',
  solution: 'Never evaluate a value as code; parse it as data of a fixed format.',
  profile: 'BALANCED',
  accepts: takesText,
  async probe(point, operation, context) {
    const shown = await probe(ofCode, point, operation, context)
    if (!shown) return null
    settle(94, operation, point, context)
    // what a database computes of a number is its own flaw
    const [left, right] = [context.number(5), context.number(5)]
    const select = await context.attempt(operation, [{ point, value: `(SELECT ${left}*${right})` }])
    const isSql = select?.text.includes(String(left * right)) === true
    return isSql ? { ...sightingOf(shown), cwes: [89], title: 'SQL injection', severity: 'HIGH' } : sightingOf(shown)
  },
}
