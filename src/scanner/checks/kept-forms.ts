// Checks for forms that accept a change without a session, although only signed-in users see them; and how a stored change is recognised.

import type { Context, OperationCheck } from '../check.ts'
import { type Form, readPage } from '../html.ts'
import { quietly } from '../probing.ts'
import { get, locationOf } from '../requests.ts'
import type { Change, Exchange, Identity, Operation, Point } from '../types.ts'

/** How many fields are tried to find one whose value can be read back. */
const MOST_FIELDS = 3

/** A field whose value is stored, with the page that shows it. */
export type Kept = { point: Point; page: string }

export const isKeeping = ({ source, method, body, foundOn, isSignIn }: Operation): boolean =>
  source === 'form' &&
  method === 'POST' &&
  isSignIn !== true &&
  foundOn !== undefined &&
  (body?.type === 'form' || body?.type === 'multipart')

export const nobodysForm: OperationCheck = {
  kind: 'operation',
  id: 'form-without-sign-in',
  title: 'Form accepted without authentication',
  cwes: [306, 862],
  severity: 'HIGH',
  solution: 'Require a session where the form is processed, not only where it is shown.',
  profile: 'BALANCED',
  accepts: isKeeping,
  async *probe(operation, context) {
    const [owner] = context.identities
    if (owner === undefined || operation.foundOn === undefined) return
    const own = await pageFor(operation.foundOn, owner, context)
    const nobodys = await pageFor(operation.foundOn, null, context)
    if (own === null || nobodys === null || !hasForm(own, operation) || hasForm(nobodys, operation)) return
    const kept = await keptField(operation, owner, context)
    const exchange = kept && (await isKeptTwice(operation, kept, { context, owner, sender: null, changes: [] }))
    if (!exchange) return
    const detail = `What is sent without credentials is stored and shown on ${kept.page}, although the form is shown to signed-in users only.`
    yield { detail, proof: [...(exchange.values ?? [])], exchange, operation }
  },
}

/** Identifies forms with the same fields, wherever they are submitted. */
const hasForm = (page: Exchange, { body }: Operation): boolean => {
  const wanted = body && 'fields' in body ? body.fields.map(({ name }) => name) : []
  const has = ({ fields }: Form) => wanted.every((name) => fields.some((field) => field.name === name))
  return readPage(page.text).forms.some(has)
}

const pageFor = (url: string, identity: Identity | null, context: Context): Promise<Exchange | null> =>
  quietly(context.send(get(url), { identity }))

export const wordPoints = (operation: Operation, context: Context): Point[] =>
  context
    .pointsOf(operation)
    .filter(({ place, name, value }) => {
      const isText = typeof value === 'string' && (value === '' || /[a-z]{3}/i.test(value)) && !value.includes('@')
      return (place === 'form' || place === 'multipart') && isText && !operation.tokens?.includes(name)
    })
    .slice(0, MOST_FIELDS)

/** The first field whose value appears on a page after its owner has submitted it. */
export async function keptField(operation: Operation, owner: Identity, context: Context): Promise<Kept | null> {
  for (const point of wordPoints(operation, context)) {
    const value = context.word()
    const exchange = await context.attempt(operation, [{ point, value }], { identity: owner })
    if (exchange === null || exchange.answer.status >= 400) continue
    const next = locationOf(exchange)?.href
    const pages = [operation.foundOn, next].filter((page) => page !== undefined)
    for (const page of new Set(pages)) if (await shows(page, value, owner, context)) return { point, page }
  }
  return null
}

/** Whether the page shows the word both times it is read; rejected input is shown only once, for correction. */
async function shows(page: string, word: string, owner: Identity, context: Context): Promise<boolean> {
  const first = await pageFor(page, owner, context)
  if (!first?.text.includes(word)) return false
  return (await pageFor(page, owner, context))?.text.includes(word) ?? false
}

type Sending = { context: Context; owner: Identity; sender: Identity | null; changes: readonly Change[] }

/** The second of two submissions whose words were both stored. */
export async function isKeptTwice(
  operation: Operation,
  { point, page }: Kept,
  { context, owner, sender, changes }: Sending,
): Promise<Exchange | null> {
  let sent: Exchange | null = null
  for (let times = 0; times < 2; times += 1) {
    const value = context.word()
    sent = await context.attempt(operation, [{ point, value }, ...changes], { identity: sender })
    if (sent === null || !(await shows(page, value, owner, context))) return null
  }
  return sent
}
