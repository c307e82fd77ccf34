// Finds SQL statements in answers: what a service asks its database, with a value of the request in it.

import type { PassiveCheck } from '../check.ts'
import { readPage } from '../html.ts'
import { mediaTypeOf } from '../http.ts'
import { isObject, leavesOf, readJson } from '../json-leaves.ts'
import { textsOf } from '../page-texts.ts'
import { wordsIn } from '../random-values.ts'
import type { Exchange } from '../types.ts'
import { sqlErrorIn } from './sql-messages.ts'
import { traceIn } from './traces.ts'

/** How a statement begins, up to the first of its tables; `[` and the like quote a name. */
const STATEMENT =
  /\bselect\s[^;{}]{1,400}?\sfrom\s{1,20}["'`[]?[a-z_][\w.]{0,80}|\binsert\s+into\s{1,20}["'`[]?[a-z_][\w.]{0,80}["'`\]]?\s{0,20}\(|\bupdate\s{1,20}["'`[]?[a-z_][\w.]{0,80}["'`\]]?\s{1,20}set\s|\bdelete\s+from\s{1,20}["'`[]?[a-z_][\w.]{0,80}["'`\]]?\s{1,20}where\s/i
/** What stands between that and a value; a sentence may begin as a statement does, and not go on like one. */
const GOES_ON =
  /\bwhere\b[\s\S]{0,2000}?(?:[=<>(]|\blike\b|\bbetween\b)|\b(?:order|group)\s{1,20}by\b|\blimit\b|\bvalues\s{0,20}\(|\bset\b[\s\S]{0,2000}?=|\)\s{0,20}select\b/i
/** What must be in an answer before its texts are read one by one. */
const BEGINS = /\b(?:select\s|insert\s+into\s|update\s|delete\s+from\s)/i

const LONGEST = 300_000
/** Characters behind the beginning of a statement among which its values stand. */
const WITHIN = 2_000

export const toldStatements: PassiveCheck = {
  kind: 'passive',
  id: 'sql-statement-told',
  title: 'Database statement disclosed',
  cwes: [209],
  severity: 'LOW',
  solution: 'Keep statements in the log. Answer errors with one sentence and an ID.',
  readsRequest: true,
  profile: 'BALANCED',
  *look(exchange) {
    const sent = exchange.values?.join('\n') ?? ''
    const words = wordsIn(sent).filter((word) => exchange.text.includes(word))
    if (words.length === 0 || /^(image|video|audio|font)\/|javascript|css/.test(mediaTypeOf(exchange.answer))) return
    const whole = exchange.text.slice(0, LONGEST)
    if (!BEGINS.test(whole)) return
    for (const one of textsIn(exchange, whole)) {
      const head = STATEMENT.exec(one)
      // what a probe itself has of a statement may be repeated by anything
      if (head === null || sent.toLowerCase().includes(head[0].toLowerCase())) continue
      const statement = one.slice(head.index, head.index + head[0].length + WITHIN)
      const word = words.find((each) => GOES_ON.test(statement.slice(0, Math.max(0, statement.indexOf(each)))))
      // the message of a fault is told as such
      if (word === undefined || isFaultTold(exchange)) continue
      const table = plainOf(head[0])
      yield {
        detail: `The response contains the statement ${JSON.stringify(table)}, with ${word} in it, which was sent.`,
        proof: [head[0], word],
        exchange,
        cause: `${URL.parse(exchange.request.url)?.origin} ${withoutValues(table)}`,
      }
      return
    }
  },
}

const plainOf = (head: string): string => head.replace(/\s+/g, ' ').trim().slice(0, 200)

/** The same for all requests of one statement. */
const withoutValues = (statement: string): string => statement.toLowerCase().replace(/'[^']{0,400}'|\d+/g, '?')

/** Whether another check tells of the same answer. */
const isFaultTold = ({ answer, text }: Exchange): boolean =>
  (answer.status >= 400 && sqlErrorIn(text) !== null) || traceIn(text.slice(0, LONGEST)) !== null

/** The texts of an answer that each come from one place: those of JSON, of a page, or its lines. */
function textsIn({ answer }: Exchange, text: string): string[] {
  const json = readJson(text)
  if (typeof json === 'object' && json !== null && (isObject(json) || json.length > 0))
    return leavesOf(json).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  if (!/html/.test(mediaTypeOf(answer))) return text.split(/\n{2,}/)
  return [...textsOf(text, 2, LONGEST), ...readPage(text).comments]
}
