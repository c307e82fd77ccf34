// Whether a form lets another site have somebody change something, and which form is which.

import type { Form } from '../html.ts'
import { headerOf } from '../http.ts'
import { withoutSession } from '../seed/observed.ts'
import { choosesPassword } from '../seed/passwords.ts'
import type { Exchange } from '../types.ts'

const TOKEN = /csrf|xsrf|token|nonce|authenticity|__RequestVerification/i

const SEARCHES = /search|query|keyword|^(q|s|term)$/i

/** Nothing but words to search for. */
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
  const typed = fields.filter(({ name, type, isSubmitting }) => name !== '' && type !== 'hidden' && !isSubmitting)
  const [first, second] = typed
  if (typed.length !== 2 || first?.value !== '' || first.type === 'password' || second?.type !== 'password')
    return false
  if (choosesPassword(typed.map(({ name }) => name))) return false
  const buttons = fields.filter(({ isSubmitting }) => isSubmitting)
  const says = buttons.flatMap(({ name, value, labels, formAction }) => [name, value, ...labels, formAction])
  return isNobodys || [lastOf(path), ...says].some((text) => SIGNS_IN.test(text))
}

/** Forms that change something: sent by POST or with a new password, and not a search or a sign-in of somebody who has no session yet. */
export const isUnguarded = (form: Form, path: string, isNobodys: boolean): boolean => {
  const { method, fields, action } = form
  return (
    (method === 'post' || choosesPassword(fields.map(({ name }) => name))) &&
    fields.some(({ name }) => name !== '') &&
    !fields.some(({ name, id, type }) => TOKEN.test(name + id) && ['hidden', 'text'].includes(type)) &&
    !/search|login|signin/i.test(action) &&
    !isSearch(fields) &&
    !isSignIn(form, path, isNobodys)
  )
}

const CHANGES =
  /add|save|updat|creat|delet|remov|edit|chang|set|send|post|transfer|pay|buy|order|book|confirm|enabl|disabl|publish|upload|import|run|exec|start|stop|restart|register|sign.?up|subscrib|join|invit|approv|cancel|reset|comment|messag|note|amount|email/i

/** One text or choice and no word of a change: such a form mostly looks something up, and the answer is all that it makes. */
export const isLikelyLookUp = ({ action, fields }: Form): boolean => {
  const typed = fields.filter(({ name, type, isSubmitting }) => name !== '' && type !== 'hidden' && !isSubmitting)
  const [only] = typed
  if (
    only === undefined ||
    typed.length > 1 ||
    !['text', 'search', 'url', 'number', 'input', 'select'].includes(only.type)
  )
    return false
  const buttons = fields.filter(({ isSubmitting }) => isSubmitting)
  const words = [only.name, lastOf(action), ...buttons.flatMap(({ name, value, labels }) => [name, value, ...labels])]
  return !words.some((text) => CHANGES.test(text))
}

/** Whoever asked is known by nothing that a browser sends along with what another site makes it ask. */
export const isUnknownToBrowsers = ({ request, answer, identity }: Exchange): boolean => {
  const names = request.headers.map(([name]) => name.toLowerCase())
  const hasCookies = names.includes('cookie') || headerOf(answer, 'set-cookie') !== ''
  const credentials = request.headers.find(([name]) => /^authorization$/i.test(name))?.[1]
  return !hasCookies && (credentials === undefined ? identity === null : !/^basic /i.test(credentials))
}

/** A form that every page has is one cause: where it is sent, of whatever number, or its fields where that is the page itself. */
export const causeOf = ({ action, fields }: Form, { request }: Exchange): string => {
  const url = URL.parse(action, request.url)
  const isOfPage = withoutSession(url?.pathname ?? '') === withoutSession(URL.parse(request.url)?.pathname ?? '')
  return `${url?.origin}${isOfPage ? '' : withoutSession(url?.pathname ?? '').replace(/\d{1,20}/g, '0')} ${[...new Set(fields.map(({ name }) => name))].join(' ')}`
}
