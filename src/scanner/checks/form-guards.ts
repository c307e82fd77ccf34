// Decides whether a form is unprotected against cross-site request forgery, and which forms are the same.

import type { Form } from '../html.ts'
import { headerOf } from '../http.ts'
import { withoutSession } from '../seed/observed.ts'
import { choosesPassword } from '../seed/passwords.ts'
import type { Exchange } from '../types.ts'

const TOKEN = /csrf|xsrf|token|nonce|authenticity|__RequestVerification/i

const SEARCHES = /search|query|keyword|^(q|s|term)$/i

/** Whether the form only takes search terms. */
const isSearch = (fields: Form['fields']): boolean => {
  const typed = fields.filter(({ type, isSubmitting }) => type !== 'hidden' && !isSubmitting)
  return typed.length > 0 && typed.every(({ name, type }) => ['text', 'search'].includes(type) && SEARCHES.test(name))
}

const lastOf = (path: string): string => path.split('/').findLast((part) => part !== '') ?? ''

const SIGNS_IN = /login|logon|signin|signon|\b(log|sign)[-_\s](in|on)\b|authenticat/i

/**
 * Nothing but a name and a password, of which the page knows neither: nobody forges what he does not know. Whoever makes an account
 * for somebody else chooses both: a button or the address says that it is a sign-in, or the form is shown to nobody in particular.
 */
const isSignIn = ({ fields }: Form, path: string, isNobodys: boolean): boolean => {
  const typed = fields.filter(
    (field) => field.name !== '' && field.type !== 'hidden' && !field.isSubmitting && !keepsSignedIn(field),
  )
  const [first, second] = typed
  if (typed.length !== 2 || first?.value !== '' || first.type === 'password' || second?.type !== 'password')
    return false
  if (choosesPassword(typed.map(({ name }) => name))) return false
  const buttons = fields.filter(({ isSubmitting }) => isSubmitting)
  const says = buttons.flatMap(({ name, value, labels, formAction }) => [name, value, ...labels, formAction])
  return isNobodys || [lastOf(path), ...says].some((text) => SIGNS_IN.test(text))
}

/** `Remember me`, `Stay signed in` */
const keepsSignedIn = ({ type, name, id, hint }: Form['fields'][number]): boolean =>
  type === 'checkbox' && /remember|keep|stay|persist/i.test(`${name} ${id} ${hint}`)

/** Forms that change something: sent by POST or with a new password, and not a search or a sign-in of somebody who has no session yet. */
export const isUnguarded = (form: Form, path: string, isNobodys: boolean): boolean => {
  const { method, fields, action } = form
  return (
    (method === 'post' || choosesPassword(fields.map(({ name }) => name))) &&
    fields.some(({ name }) => name !== '') &&
    !fields.some(({ name, id, type }) => TOKEN.test(name + id) && ['hidden', 'text'].includes(type)) &&
    !/search|login|signin/i.test(action) &&
    !isSearch(fields) &&
    !isSignIn(form, path, isNobodys) &&
    !asksForPassword(form)
  )
}

const CHANGES =
  /add|save|updat|creat|delet|remov|edit|chang|set|send|post|transfer|pay|buy|order|book|confirm|enabl|disabl|publish|upload|import|run|exec|start|stop|restart|register|sign.?up|subscrib|join|invit|approv|cancel|reset|comment|messag|note|amount|email/i

const SHOWS = /download|export|view|show|print|search|find|look/i

const typedIn = ({ fields }: Form) =>
  fields.filter(({ name, type, isSubmitting }) => name !== '' && type !== 'hidden' && !isSubmitting)

/** The names of the form's target, of its visible fields and of its buttons. */
const wordsOf = (form: Form): string[] => [
  lastOf(form.action),
  ...typedIn(form).map(({ name }) => name),
  ...form.fields
    .filter(({ isSubmitting }) => isSubmitting)
    .flatMap(({ name, value, labels }) => [name, value, ...labels]),
]

/**
 * One text or choice and no word of a change, or nothing but a button that shows something: such a form mostly looks something up,
 * and the answer is all that it makes.
 */
export function isLikelyLookUp(form: Form): boolean {
  const [only, ...others] = typedIn(form)
  const words = wordsOf(form)
  if (others.length > 0 || words.some((text) => CHANGES.test(text))) return false
  if (only === undefined) return words.some((text) => SHOWS.test(text))
  return ['text', 'search', 'url', 'number', 'input', 'select'].includes(only.type)
}

/** One password and no word of a change: it is compared with the one that there is, which nobody forges who does not know it. */
function asksForPassword(form: Form): boolean {
  const [only, ...others] = typedIn(form)
  if (only?.type !== 'password' || others.length > 0 || choosesPassword([only.name])) return false
  return !wordsOf(form).some((text) => CHANGES.test(text))
}

/** Whether the request carries no credentials that a browser would attach to another site's request. */
export const isUnknownToBrowsers = ({ request, answer, identity }: Exchange): boolean => {
  const names = request.headers.map(([name]) => name.toLowerCase())
  const hasCookies = names.includes('cookie') || headerOf(answer, 'set-cookie') !== ''
  const credentials = request.headers.find(([name]) => /^authorization$/i.test(name))?.[1]
  return !hasCookies && (credentials === undefined ? identity === null : !/^basic /i.test(credentials))
}

/** A program serves the same page whatever follows its path, though relative links of its forms then differ. */
const addressOf = ({ request: { url } }: Exchange): string => url.replace(BEHIND_PROGRAM, '$1')
const BEHIND_PROGRAM = /(\.(?:php\d?|phtml|cgi|pl|jspx?|aspx?|cfm))\/[^?#]*/i

/** Whether a form is submitted to the address of its own page. */
const isOfPage = ({ action }: Form, exchange: Exchange): boolean => {
  const address = addressOf(exchange)
  return (
    withoutSession(URL.parse(action, address)?.pathname ?? '') === withoutSession(URL.parse(address)?.pathname ?? '')
  )
}

/** Whether the answer to a form shows the form again; it was reported on the page that it came from. */
export const isShownAgain = (form: Form, exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && isOfPage(form, exchange)

/** A form that every page has is one cause: where it is sent, of whatever number, or its fields where that is the page itself. */
export const causeOf = (form: Form, exchange: Exchange): string => {
  const url = URL.parse(form.action, addressOf(exchange))
  const path = isOfPage(form, exchange) ? '' : withoutSession(url?.pathname ?? '').replace(/\d{1,20}/g, '0')
  return `${url?.origin}${path} ${[...new Set(form.fields.map(({ name }) => name))].join(' ')}`
}
