// Checks for unsigned cookies that name the user: with another name, they open the other account.

import { percentDecoded } from '../../core/percent.ts'
import type { Context, Sighting, TargetCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { quietly } from '../probing.ts'
import { withCookieHeader } from '../requests.ts'
import { isSafe } from '../seed/names.ts'
import type { Exchange, Identity, Operation } from '../types.ts'
import { answerFor, names, namesOf } from './ownership.ts'

/** How many pages are tried. */
const MOST_PAGES = 4
const SHORTEST_NAME = 3
/** Two pages with at least this likeness count as the same page. */
const SAME = 0.9

/** An encoding of cookie values: how to read a text from a cookie and how to write one. */
type Form = { decoded: (value: string) => string; encoded: (text: string) => string }

const inBase = (base: 'base64' | 'base64url' | 'hex'): Form => ({
  decoded: (value) => Buffer.from(value, base).toString('utf8'),
  encoded: (text) => Buffer.from(text).toString(base),
})

const escaped = ({ decoded, encoded }: Form): Form => ({
  decoded: (value) => decoded(percentDecoded(value)),
  encoded: (text) => encodeURIComponent(encoded(text)),
})

const plain: Form = { decoded: (value) => value, encoded: (text) => text }
/** RFC 6265 allows quotes around a cookie's value, and some frameworks write them. */
const quoted = ({ decoded, encoded }: Form): Form => ({
  decoded: (value) => (/^".*"$/s.test(value) ? decoded(value.slice(1, -1)) : ''),
  encoded: (text) => `"${encoded(text)}"`,
})

const forms: readonly Form[] = [plain, inBase('base64'), inBase('base64url'), inBase('hex')].flatMap((form) => [
  form,
  escaped(form),
  quoted(form),
])

/** Every text that a cookie's value may encode, with a function that encodes another text the same way. */
export const readings = (value: string): { text: string; written: (text: string) => string }[] =>
  forms.flatMap(({ decoded, encoded }) => {
    const text = decoded(value)
    return text !== '' && encoded(text) === value ? [{ text, written: encoded }] : []
  })

export const cookieOwner: TargetCheck = {
  kind: 'target',
  id: 'cookie-owner',
  title: 'Identity taken from an unsigned cookie',
  cwes: [565, 639, 287],
  severity: 'CRITICAL',
  solution: 'Store nothing but the random ID of a server-side session in the cookie, or sign its contents.',
  profile: 'BALANCED',
  async *probe(context) {
    const [owner, other] = context.identities
    if (owner === undefined || other === undefined) return
    const [own, others] = [namesOf(owner).at(-1) ?? '', namesOf(other).at(-1) ?? '']
    if ([own, others].some((name) => name.length < SHORTEST_NAME) || own.includes(others)) return
    const pages = pagesOf(own, others, owner, other, context)
    if (pages.length === 0) return
    for (const [cookie, value] of context.cookies()) {
      const reading = readings(value).find(({ text }) => text.includes(own))
      if (reading === undefined) continue
      const written = (name: string) => reading.written(reading.text.replaceAll(own, () => name))
      const shown = await opened(cookie, written, { own, others, other, pages, context })
      if (shown !== null) yield { ...shown, cause: cookie }
    }
  },
}

/** Pages that name their reader and not the other identity. */
function pagesOf(own: string, others: string, owner: Identity, other: Identity, context: Context): Operation[] {
  const isOf = (exchange: Exchange | undefined, name: string, notThat: string) =>
    exchange !== undefined &&
    exchange.answer.status < 300 &&
    isNamed(exchange.text, name) &&
    !isNamed(exchange.text, notThat)
  return context.operations
    .filter((one) => isSafe(one))
    .filter((one) => isOf(context.seen(one, owner), own, others) && isOf(context.seen(one, other), others, own))
    .slice(0, MOST_PAGES)
}

const isNamed = (text: string, name: string): boolean => names(text, new Set([name.toLowerCase()])) !== null

type Sought = { own: string; others: string; other: Identity; pages: readonly Operation[]; context: Context }

/** The other account's page: either it answers no made-up name, or the cookie alone opens it. */
async function opened(
  cookie: string,
  written: (name: string) => string,
  { own, others, other, pages, context }: Sought,
): Promise<Sighting | null> {
  for (const operation of pages) {
    const ask = (name: string, isAlone = false) => {
      const kept = context.cookies().filter(([each]) => !isAlone || each === cookie)
      const cookies = kept.map(([each, value]) => [each, each === cookie ? written(name) : value] as const)
      const sent = withCookieHeader(context.requestOf(operation), cookies)
      return quietly(context.send(sent, { identity: null, operation, values: [name] }))
    }
    const usual = await ask(own)
    if (usual === null || !isNamed(usual.text, own)) continue
    const theirs = await ask(others)
    if (theirs === null || !isNamed(theirs.text, others) || isNamed(theirs.text, own)) continue
    const made = context.word()
    const madeUp = await ask(made)
    if (madeUp === null || isNamed(madeUp.text, others)) continue
    // a page that greets whatever name it is given may have opened nothing
    if (isNamed(madeUp.text, made)) {
      const alone = await ask(others, true)
      const seen = context.seen(operation, other)
      const nobodys = await answerFor(context, operation, null)
      if (alone === null || !seen || nobodys === null) continue
      if (likenessOf(alone, seen) < SAME || likenessOf(alone, nobodys) >= SAME) continue
    }
    const detail = `With the name of another account in the cookie ${cookie}, that account’s page is shown; the cookie is not signed.`
    return { detail, proof: [others], exchange: theirs, operation }
  }
  return null
}
