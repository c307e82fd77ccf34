// Cookies that say who somebody is without a signature: with another name in them they open the other account.

import { percentDecoded } from '../../core/percent.ts'
import type { Context, Sighting, TargetCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { quietly } from '../probing.ts'
import { isSafe } from '../seed/names.ts'
import type { Exchange, Identity, Operation } from '../types.ts'
import { answerFor, names, namesOf } from './ownership.ts'

/** Pages on which it is looked whom they name. */
const MOST_PAGES = 4
const SHORTEST_NAME = 3
/** Likeness from which two pages are the same. */
const SAME = 0.9

/** How a name may stand in a cookie, and how another one is put there. */
type Form = { decoded: (value: string) => string; encoded: (text: string) => string }

const textOf = (value: string, encoding: 'base64' | 'base64url' | 'hex'): string =>
  Buffer.from(value, encoding).toString('utf8')

const forms: readonly Form[] = [
  { decoded: (value) => value, encoded: (text) => text },
  { decoded: percentDecoded, encoded: encodeURIComponent },
  {
    decoded: (value) => textOf(percentDecoded(value), 'base64'),
    encoded: (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  },
  {
    decoded: (value) => textOf(value, 'base64'),
    encoded: (text) => Buffer.from(text).toString('base64'),
  },
  { decoded: (value) => textOf(value, 'base64url'), encoded: (text) => Buffer.from(text).toString('base64url') },
  { decoded: (value) => textOf(value, 'hex'), encoded: (text) => Buffer.from(text).toString('hex') },
]

export const cookieOwner: TargetCheck = {
  kind: 'target',
  id: 'cookie-owner',
  title: 'A cookie that anybody can write says who somebody is',
  cwes: [565, 639, 287],
  severity: 'CRITICAL',
  solution: 'Keep in the cookie nothing but a random id of a session that the server knows, or sign what it says.',
  profile: 'BALANCED',
  async *probe(context) {
    const [owner, other] = context.identities
    if (owner === undefined || other === undefined) return
    const [own, others] = [namesOf(owner).at(-1) ?? '', namesOf(other).at(-1) ?? '']
    if ([own, others].some((name) => name.length < SHORTEST_NAME) || own.includes(others)) return
    const pages = pagesOf(own, others, owner, other, context)
    if (pages.length === 0) return
    for (const [cookie, value] of context.cookies()) {
      const form = forms.find(
        ({ decoded, encoded }) => decoded(value).includes(own) && encoded(decoded(value)) === value,
      )
      if (form === undefined) continue
      const written = (name: string) => form.encoded(form.decoded(value).replaceAll(own, () => name))
      const shown = await opened(cookie, written, { own, others, other, pages, context })
      if (shown !== null) yield { ...shown, cause: cookie }
    }
  },
}

/** Those that name whoever reads them, and nobody else. */
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

/** The page of the other account: it has more of that account than the name, or the cookie alone is what opens it. */
async function opened(
  cookie: string,
  written: (name: string) => string,
  { own, others, other, pages, context }: Sought,
): Promise<Sighting | null> {
  for (const operation of pages) {
    const ask = (name: string, isAlone = false) => {
      const kept = context.cookies().filter(([each]) => !isAlone || each === cookie)
      const pairs = kept.map(([each, value]) => `${each}=${each === cookie ? written(name) : value}`)
      const { headers, ...request } = context.requestOf(operation)
      const sent = [...headers, ['Cookie', pairs.join('; ')] as const]
      return quietly(context.send({ ...request, headers: sent }, { identity: null, operation, values: [name] }))
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
    const detail = `With the name of another account in ${cookie}, the page of that account is shown; no signature stands in the way.`
    return { detail, proof: [others], exchange: theirs, operation }
  }
  return null
}
