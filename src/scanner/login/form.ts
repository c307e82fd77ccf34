// Signs in through an HTML form, as a browser without scripts does, with or without a second factor.

import type { SendOptions } from '../check.ts'
import { steadyText } from '../compare.ts'
import { type Form, type FormField, readPage } from '../html.ts'
import { headersOf, mediaTypeOf } from '../http.ts'
import { escaped } from '../points.ts'
import { word } from '../random-values.ts'
import { follow, get, post, type Send } from '../requests.ts'
import { signsUpAbroad } from '../seed/other-languages.ts'
import { isTurnedAway, type Session } from '../session.ts'
import type { Exchange, HttpRequest, Login } from '../types.ts'
import { codeOf } from './code.ts'
import { byPage, type Pages } from './page.ts'
import { byToken } from './token.ts'

type FormLogin = Extract<Login, { type: 'FORM' }>

/** Null when somebody is signed in, else why not, in a sentence. */
export async function byForm(
  login: FormLogin,
  session: Session,
  send: Send,
  options: SendOptions,
  pages: Pages,
): Promise<string | null> {
  const { name } = session.identity
  const page = await follow(get(login.url), send, options)
  const { forms, loose } = readPage(page.text)
  const form = signInAmong(forms, isPassword) ?? signInAmong(forms, isOpenPassword)
  if (form) {
    const fault = await sendForm(form, page, login, session, send, options)
    if (fault === null || pages === null || !isSentByScript(form)) return fault
    return (await byPage(login, session, pages)) === null ? null : fault
  }
  if (loose.some(isPassword) && (await sendLoose(loose, page, login, session, send, options))) return null
  if (isJsonLogin(page)) return (await byJson(login, session, send, options)) ? null : `${name} could not sign in`
  const fault = pages === null ? undefined : await byPage(login, session, pages)
  if (fault === undefined) return `${name} could not sign in: the login page has no form, and the scan uses no browser`
  return fault === null ? null : `${name} could not sign in: ${fault}`
}

/** Nobody has a password sent in an address: a script takes such a form before it is sent. */
const isSentByScript = ({ method, action }: Form): boolean => method !== 'post' || /^(#|javascript:)/i.test(action)

/** Of the forms with a password the one with the fewest fields to fill in: one to sign up by asks for more. */
function signInAmong(forms: readonly Form[], isKind: (field: FormField) => boolean): Form | undefined {
  const asked = ({ fields }: Form) =>
    fields.filter((field) => field.type !== 'hidden' && field.type !== 'checkbox' && !isButton(field)).length
  return (
    forms
      .filter(({ fields }) => fields.some(isKind) && fields.some((field) => isText(field) && !isKind(field)))
      .sort((one, other) => Number(signsUp(one)) - Number(signsUp(other)) || asked(one) - asked(other))[0] ??
    forms.find(({ fields }) => fields.some(isKind))
  )
}

const SIGNS_UP = /sign[-_\s]?up|regist|create|enrol|join/i

/** Whether the address or the button of a form says that it makes an account. */
const signsUp = ({ action, fields }: Form): boolean =>
  [action, ...fields.filter(isButton).flatMap(({ name, value, labels }) => [name, value, ...labels])].some(
    (text) => SIGNS_UP.test(text) || signsUpAbroad(text),
  )

async function sendForm(
  form: Form,
  page: Exchange,
  login: FormLogin,
  session: Session,
  send: Send,
  options: SendOptions,
): Promise<string | null> {
  const { name } = session.identity
  const button = login.submitSelector ? pick(form, login.submitSelector) : form.fields.find(isButton)
  if (login.submitSelector && !button) {
    return `${name} could not sign in: the submit selector ${login.submitSelector} matches nothing in the form`
  }
  let after = await follow(submit(page, form, accountIn(form, login), button), send, options)
  const second = readPage(after.text).forms.find(({ fields }) => fields.some(isCode))
  if (second?.fields.some(isSecondFactor) && !login.totp) {
    return `${name} could not sign in: a second factor is required, and its TOTP key is not given`
  }
  const code = second?.fields.find(isCode)
  if (second && code && login.totp) {
    const codes = new Map([[code, codeOf(session, login.totp)]])
    after = await follow(submit(after, second, codes, second.fields.find(isButton)), send, options)
  }
  const isOfKind = form.fields.some(isPassword) ? isPassword : isOpenPassword
  const isAsked = readPage(after.text).forms.some(({ fields }) => fields.some(isOfKind))
  if (after.answer.status >= 400 || isTurnedAway(after) || isAsked) return `${name} could not sign in`
  // a page may tell of a wrong password in any words, but it gives nobody a session
  if (session.credentials().cookies.length === 0) return `${name} could not sign in: the target set no cookie`
  await takeCanary(after, session, send)
  return null
}

/** What the fields of a form are filled in with. */
function accountIn(form: Form, login: FormLogin): Map<FormField, string> {
  const password =
    pick(form, login.passwordSelector) ?? form.fields.find(isPassword) ?? form.fields.find(isOpenPassword)
  const username =
    pick(form, login.usernameSelector) ??
    form.fields.find(isUsername) ??
    form.fields.find((field) => isText(field) && field !== password)
  const values = new Map<FormField, string>()
  if (password) values.set(password, login.password)
  if (username) values.set(username, login.username)
  return values
}

/**
 * Fields without a form are sent by a script, most often to the page's own address and as a form would. Whether that signs somebody in
 * shows by a cookie, and by an answer that asks for no password and is another than those to wrong ones.
 */
async function sendLoose(
  fields: FormField[],
  page: Exchange,
  login: FormLogin,
  session: Session,
  send: Send,
  options: SendOptions,
): Promise<boolean> {
  const form: Form = { action: '', method: 'post', hasMethod: true, encoding: '', fields, id: '' }
  const request = (account: FormLogin) => submit(page, form, accountIn(form, account), undefined)
  const attempt = async (password: string) => {
    let setsCookie = false
    const noting: Send = async (asked, given) => {
      const exchange = await send(asked, given)
      setsCookie ||= headersOf(exchange.answer, 'set-cookie').length > 0
      return exchange
    }
    const landed = await follow(request({ ...login, password }), noting, options)
    const said = `${landed.answer.status} ${steadyText(landed.text, [login.username, password])}`
    return { landed, said, setsCookie }
  }
  const refused = await attempt(word())
  // an address that gives everybody a cookie must say to another wrong password what it said to the first
  if (refused.setsCookie && (await attempt(word())).said !== refused.said) return false
  const { landed, said, setsCookie } = await attempt(login.password)
  if (said === refused.said || !setsCookie || landed.answer.status >= 400) return false
  if (isTurnedAway(landed) || asksPassword(landed)) return false
  session.openedBy = request(login)
  await takeCanary(landed, session, send)
  return true
}

function asksPassword({ text }: Exchange): boolean {
  const { forms, loose } = readPage(text)
  return [...forms.flatMap(({ fields }) => fields), ...loose].some(isPassword)
}

/** The page that a login leads to is one to follow, and tells whether the session stands, where nobody else gets it. */
async function takeCanary(landed: Exchange, session: Session, send: Send): Promise<void> {
  if (landed.request.method !== 'GET') return
  session.landedAt = landed.request.url
  if (session.canary !== null) return
  const nobodys = await send(get(landed.request.url), { identity: null, isSignIn: true })
  if (isTurnedAway(nobodys)) session.canary = landed
}

const isJsonLogin = ({ answer }: Exchange) => mediaTypeOf(answer) !== 'text/html' || answer.status >= 400

/** A login address that takes JSON rather than showing a form. */
async function byJson(login: FormLogin, session: Session, send: Send, options: SendOptions): Promise<boolean> {
  for (const name of ['username', 'email']) {
    const body = JSON.stringify({ [name]: login.username, password: login.password })
    const request = post(login.url, 'application/json', body)
    if (await byToken({ type: 'TOKEN', request }, session, send, options)) return true
  }
  return false
}

const isPassword = ({ type }: FormField) => type === 'password'
/** One that shows what is typed: only its name says what it takes. */
const isOpenPassword = (field: FormField) => isText(field) && /passw|pwd/i.test(field.name + field.id)
const isText = ({ type, name }: FormField) => name !== '' && ['text', 'email', 'tel'].includes(type)
const isUsername = (field: FormField) =>
  isText(field) && !isOpenPassword(field) && /user|mail|login|name|account|id/i.test(field.name + field.id)
const isCode = (field: FormField) =>
  isText({ ...field, type: field.type === 'number' ? 'text' : field.type }) &&
  /otp|totp|code|2fa|mfa|token/i.test(field.name + field.id)
/** More than a field of some code, such as a voucher's. */
const isSecondFactor = (field: FormField) => isCode(field) && /otp|2fa|mfa|one.?time/i.test(field.name + field.id)
const isButton = ({ type, isSubmitting }: FormField) => isSubmitting || type === 'image'

/** The field that a simple CSS selector names: `#id`, `[name=…]`, `input[name="…"]`, `.class`. */
function pick({ fields }: Form, selector: string | undefined): FormField | undefined {
  if (!selector) return undefined
  const id = /#([\w-]+)/.exec(selector)?.[1]
  const name = /\[name=["']?([^"'\]]+)/.exec(selector)?.[1]
  const type = /\[type=["']?([^"'\]]+)/.exec(selector)?.[1]
  const className = /\.([\w-]+)/.exec(selector)?.[1]
  const isButtonNamed = /^button\b/i.test(selector)
  const isSpecific = [id, name, type, className].some((part) => part !== undefined) || isButtonNamed
  return fields.find(
    (field) =>
      isSpecific &&
      (id === undefined || field.id === id) &&
      (name === undefined || field.name === name) &&
      (type === undefined || field.type === type || (type === 'submit' && field.isSubmitting)) &&
      (className === undefined || field.className.split(/\s+/).includes(className)) &&
      (!isButtonNamed || field.type === 'button'),
  )
}

/** The request that a browser makes of a form when the button is pressed; what is not given keeps the page's value. */
function submit(
  page: Exchange,
  form: Form,
  values: ReadonlyMap<FormField, string>,
  button: FormField | undefined,
): HttpRequest {
  const action = URL.parse(button?.formAction || form.action, page.request.url)?.href ?? page.request.url
  const pairs = form.fields
    .filter(
      (field) =>
        field.name !== '' &&
        (field === button || !(isButton(field) || ['button', 'reset', 'file'].includes(field.type))),
    )
    .map((field) => `${escaped(field.name)}=${escaped(values.get(field) ?? field.value)}`)
    .join('&')
  if (form.method !== 'post') return get(`${action.split(/[?#]/, 1).join('')}?${pairs}`)
  return post(action, 'application/x-www-form-urlencoded', pairs)
}
