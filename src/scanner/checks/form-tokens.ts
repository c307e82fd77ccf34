// Checks for forms that are accepted with a wrong anti-forgery token, without one, or with that of another session.

import type { Context, OperationCheck, Sighting } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { readPage } from '../html.ts'
import { headerOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { get, locationOf } from '../requests.ts'
import type { Change, Exchange, Identity, Operation, Point } from '../types.ts'
import { isKeeping, isKeptTwice, type Kept, keptField } from './kept-forms.ts'

/** Two pages with at least this likeness say the same. */
const SAME = 0.95

type Forgery = { said: string; changes: readonly Change[] }

export const uncheckedToken: OperationCheck = {
  kind: 'operation',
  id: 'forged-request-guard-unchecked',
  title: 'CSRF token not validated',
  cwes: [352],
  severity: 'MEDIUM',
  solution: 'Reject the form unless its token is that of the session, compared in constant time.',
  profile: 'BALANCED',
  accepts: (operation) => isKeeping(operation) && (operation.tokens?.length ?? 0) > 0,
  async *probe(operation, context) {
    const [owner] = context.identities
    if (owner?.login === undefined) return
    const forgeries = [
      { said: 'With a wrong token', changes: changed(operation, (value) => wrong(value, context)) },
      { said: 'Without its token', changes: left(operation, context) },
      await another(operation, owner, context),
    ].flatMap((one): Forgery[] => (one === null ? [] : [one]))
    const kept = await keptField(operation, owner, context)
    for (const { said, changes } of forgeries) {
      const shown = kept
        ? await byPage(operation, kept, changes, { owner, context })
        : await byAnswer(operation, changes, { owner, context })
      if (shown === null) continue
      yield { ...shown, detail: `${said} the form is still accepted: ${shown.detail}.`, operation }
      return
    }
  },
}

type Whose = { owner: Identity; context: Context }

async function byPage(
  operation: Operation,
  kept: Kept,
  changes: readonly Change[],
  { owner, context }: Whose,
): Promise<Sighting | null> {
  const exchange = await isKeptTwice(operation, kept, { context, owner, sender: owner, changes })
  const detail = `what was sent is stored and shown on ${kept.page}`
  return exchange && { detail, proof: proofOf(changes, operation), exchange }
}

/**
 * Where no page shows what was sent: it leads where it leads with its token, and not where it leads with nothing filled in. What leads
 * nowhere may have looked something up, which needs no token.
 */
async function byAnswer(
  operation: Operation,
  changes: readonly Change[],
  { owner, context }: Whose,
): Promise<Sighting | null> {
  const ask = async (given: readonly Change[]) => {
    const exchange = await context.attempt(operation, given, { identity: owner })
    return exchange && { exchange, place: placeAfter(exchange), next: await pageAfter(exchange, owner, context) }
  }
  const empty = emptied(operation)
  const usual = empty.length > 0 ? await ask([]) : null
  const refused = usual && usual.place !== null ? await ask(empty) : null
  if (usual === null || refused === null || refused.place === usual.place) return null
  let forged: Answered | null = null
  for (let times = 0; times < 2; times += 1) {
    forged = await ask(changes)
    const again = await ask([])
    if (forged === null || again === null || ![forged, again].every((one) => leadAlike(usual, one))) return null
  }
  const detail = `it leads to ${usual.place} as with the right token, and not where it leads with empty fields`
  return forged && { detail, proof: proofOf(changes, operation), exchange: forged.exchange }
}

type Answered = { exchange: Exchange; place: string | null; next: Exchange | null }

/** The target of a redirect; null if the answer is none. */
function placeAfter({ answer }: Exchange): string | null {
  const location = headerOf(answer, 'location')
  return answer.status >= 300 && answer.status < 400 && location !== '' ? location.split(/[?#]/, 1).join('') : null
}

const leadAlike = (one: Answered, other: Answered): boolean =>
  one.exchange.answer.status === other.exchange.answer.status &&
  one.place === other.place &&
  one.next !== null &&
  other.next !== null &&
  likenessOf(one.next, other.next) >= SAME

/** The page behind a redirect, which may show success or a refusal. */
async function pageAfter(exchange: Exchange, owner: Identity, context: Context): Promise<Exchange | null> {
  const url = locationOf(exchange)
  return url && quietly(context.send(get(url.href), { identity: owner }))
}

const placeOf = ({ body }: Operation): Point['place'] => (body?.type === 'multipart' ? 'multipart' : 'form')

const fieldsOf = ({ body }: Operation) => (body && 'fields' in body ? body.fields : [])

/** Changes that leave every visible field empty. */
const emptied = (operation: Operation): Change[] =>
  fieldsOf(operation)
    .filter(({ name, fileName }) => fileName === undefined && !operation.tokens?.includes(name))
    .map(({ name, value }) => ({ point: { place: placeOf(operation), name, value }, value: '' }))

const changed = (operation: Operation, of: (value: string) => string): Change[] =>
  (operation.tokens ?? []).map((name) => {
    const value = fieldsOf(operation).find((field) => field.name === name)?.value ?? ''
    return { point: { place: placeOf(operation), name, value }, value: of(value) }
  })

/** A token that nobody was given. */
const wrong = (value: string, context: Context): string => context.word().repeat(4).slice(0, Math.max(8, value.length))

/** Changes that remove the token by renaming its field. */
const left = (operation: Operation, context: Context): Change[] =>
  changed(operation, () => '').map((change) => ({ ...change, rename: context.word() }))

/** The form's token from the other identity's session; null if there is none. */
async function another(operation: Operation, owner: Identity, context: Context): Promise<Forgery | null> {
  const { foundOn, tokens = [] } = operation
  const other = context.identities.find((identity) => identity !== owner)
  if (foundOn === undefined || other === undefined) return null
  const given = async (identity: Identity) => {
    const page = await quietly(context.send(get(foundOn), { identity }))
    const fields = page ? readPage(page.text).forms.flatMap((form) => form.fields) : []
    return tokens.map((name) => fields.find((field) => field.name === name)?.value ?? '')
  }
  const own = await given(owner)
  const theirs = await given(other)
  if (theirs.some((value, at) => value === '' || value === own[at])) return null
  const values = new Map(tokens.map((name, at) => [name, theirs[at] ?? '']))
  const changes = changed(operation, () => '').map((change) => ({
    ...change,
    value: values.get(change.point.name) ?? '',
  }))
  return { said: `With the token of ${other.name}`, changes }
}

const proofOf = (changes: readonly Change[], { key }: Operation): string[] => {
  const values = changes.map(({ value }) => String(value)).filter((value) => value !== '')
  return values.length > 0 ? values : [key.split(' ', 1).join('')]
}
