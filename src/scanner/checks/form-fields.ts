// Checks for mass assignment in forms: fields that the form does not have are sent along, and seen to be stored.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Exchange, Operation } from '../types.ts'
import { plainName } from '../values.ts'
import { countsOf, fieldsLabelled, gained } from './gained-texts.ts'
import { isKeeping } from './kept-forms.ts'
import { type Added, openReadBack } from './read-back.ts'
import { otherRoles } from './roles.ts'
import { PRIVILEGED } from './settable.ts'

const MOST_FORMS = 60
const MOST_NAMES = 10
const MOST_TEXTS = 3

/** Fields that are tried on every form. */
const USUAL = ['role', 'is_admin', 'admin']

export const formFields: TargetCheck = {
  kind: 'target',
  // As with fields of JSON, roles and prices are changed by it.
  isLast: true,
  id: 'form-fields',
  title: 'Mass assignment in a form',
  cwes: [915],
  severity: 'HIGH',
  solution: 'Accept only an explicit list of fields from a form.',
  profile: 'DEEP',
  async *probe(context) {
    const forms = context.operations.filter(
      (operation) => isKeeping(operation) && operation.kind !== 'read' && mayNameAccounts(operation, context),
    )
    for (const operation of forms.slice(0, MOST_FORMS)) {
      const sighting = await probeForm(operation, context)
      if (sighting !== null) yield sighting
    }
  },
}

async function probeForm(operation: Operation, context: Context): Promise<Sighting | null> {
  const form = await openReadBack(operation, context)
  const plain = await form?.send([])
  if (!form || !plain) return null
  const { place } = form
  const sendWith = (name: string, value: string) => form.send([{ point: { place, name, value: '' }, value }])

  for (const { name, before } of namesFor(operation, plain.page, context)) {
    for (const value of valuesFor(name, before, context)) {
      const first = await sendWith(name, value)
      for (const proof of newTexts(first, plain, name, value).slice(0, MOST_TEXTS)) {
        // one and the same thing that was changed stays so until it is changed back
        const isOne = first !== null && isSamePage(plain, first)
        const kept = isOne ? valueBefore(proof, value, plain, first) : null
        if (isOne && kept === null) continue
        const back = () => (kept === null ? form.send([]) : sendWith(name, kept))
        const without = await back()
        // a page that shows whatever it is sent shows it under any name
        const control = await sendWith(context.word(), value)
        const again = await sendWith(name, value)
        if (isOne) await back()
        if (!without || !control || !again?.texts.includes(proof)) continue
        if (without.texts.includes(proof) || control.texts.includes(proof)) continue
        return {
          detail: `${name} is not a field of the form; added with the value ${value} it is stored, and the page shows ${JSON.stringify(proof)}.`,
          proof: [proof],
          exchange: again.page,
          operation,
          point: { place, name, value: before },
        }
      }
    }
  }
  return null
}

/** Whether the form changes the same object each time it is sent. */
const isSamePage = (one: Added, other: Added): boolean =>
  one.page.request.url === other.page.request.url && !other.page.text.includes(one.word)

/** The text that the proof has replaced; null if unknown. */
function valueBefore(proof: string, value: string, before: Added, after: Added): string | null {
  if (value === ON) return '0'
  const [start = '', end = ''] = proof.split(value)
  const gone = gained(countsOf(before.page.text), countsOf(after.page.text))
  const text = gone.find((one) => one.startsWith(start) && one.endsWith(end) && !one.includes(before.word))
  return text === undefined ? null : text.slice(start.length, text.length - end.length)
}

/** What was added beside what a normal sending adds: texts with the value; of a mark that is on, words that are not its name. */
function newTexts(added: Added | null, plain: Added, name: string, value: string): string[] {
  const tells = (text: string) =>
    value === ON ? /^\P{N}*\p{L}\P{N}*$/u.test(text) && !text.includes(name) : wordsOf(text).includes(value)
  return (added?.texts ?? []).filter((text) => !plain.texts.includes(text) && tells(text))
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}_-]+/u)

/** Names of what a client must not set: by the words of the page, by fields of other forms, and usual ones. */
function namesFor(operation: Operation, page: Exchange, context: Context): { name: string; before: string }[] {
  const own = new Set<string>()
  const elsewhere: string[] = []
  for (const { path, body } of context.operations) {
    const fields = body && 'fields' in body ? body.fields.map(({ name }) => name) : []
    if (path !== operation.path) elsewhere.push(...fields)
    else for (const name of fields) own.add(plainName(name))
  }
  const known = [
    ...fieldsLabelled(page.text),
    ...[...elsewhere, ...USUAL].map((name) => ({ name, before: '' })),
  ].filter(({ name }) => PRIVILEGED.test(plainName(name)) && !own.has(plainName(name)))
  return known.filter(({ name }, at) => known.findIndex((one) => one.name === name) === at).slice(0, MOST_NAMES)
}

/** Values that set a flag, such as being an administrator. */
const ON = '1'

function valuesFor(name: string, before: string, context: Context): string[] {
  if (/role|type|group|level|tier|plan|permission|privilege|scope/i.test(name)) return otherRoles(before).slice(0, 2)
  if (/^\D?\d+([.,]\d+)?\D{0,2}$/.test(before) || /balance|credit|discount|price|total|amount|quota/i.test(name))
    return [String(context.number(5))]
  return [ON]
}
