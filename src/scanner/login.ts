// Signs an identity in: by a form with or without a second factor, or by a request whose answer holds a token.

import { type Form, type FormField, readPage } from './html.ts'
import { headerOf, mediaTypeOf } from './http.ts'
import { isList, isObject, readJson, valueAt } from './json-leaves.ts'
import { SendFailed } from './outcome.ts'
import { escaped, replaceHeader } from './points.ts'
import { isTurnedAway, type Session } from './session.ts'
import { totpOf } from './totp.ts'
import type { Exchange, HttpRequest, Json, Login, SendOptions } from './types.ts'

type Send = (request: HttpRequest, options?: SendOptions) => Promise<Exchange>

const MOST_REDIRECTS = 8

/** Opens the session of an identity that has a login; false when the target did not let it in. */
export async function signIn(session: Session, send: Send): Promise<boolean> {
  const { login } = session.identity
  if (!login) return true
  const options: SendOptions = { identity: session.identity, isSignIn: true }
  try {
    return login.type === 'TOKEN'
      ? await byToken(login, session, send, options)
      : await byForm(login, session, send, options)
  } catch (error) {
    if (error instanceof SendFailed) return false
    throw error
  }
}

async function byToken(
  login: Extract<Login, { type: 'TOKEN' }>,
  session: Session,
  send: Send,
  options: SendOptions,
): Promise<boolean> {
  session.gained.length = 0
  const { answer, text } = await send(login.request, options)
  if (answer.status >= 400) return false
  const token = login.tokenPath
    ? textAt(readJson(text), login.tokenPath)
    : (tokenIn(readJson(text)) ?? headerToken(headerOf(answer, 'authorization')))
  if (token === null) return answer.headers.some(([name]) => name === 'set-cookie')
  const header = login.header ?? 'Authorization'
  replaceHeader(session.gained, header, `${login.prefix ?? (/^authorization$/i.test(header) ? 'Bearer ' : '')}${token}`)
  return true
}

const headerToken = (value: string) => /^bearer (\S{8,4000})$/i.exec(value)?.[1] ?? null

const textAt = (json: Json | undefined, path: string): string | null => {
  const value = json === undefined ? undefined : valueAt(json, path)
  return typeof value === 'string' ? value : null
}

const TOKEN_NAMES = [
  'access_token',
  'accesstoken',
  'token',
  'jwt',
  'id_token',
  'idtoken',
  'auth_token',
  'authtoken',
  'authorization',
  'sessiontoken',
  'session',
  'api_key',
  'apikey',
]

/** The token in an answer, by the names that tokens have; the most telling name first. */
function tokenIn(json: Json | undefined): string | null {
  const found = new Map<string, string>()
  const walk = (value: Json, depth: number): void => {
    if (depth > 5) return
    if (isList(value)) for (const one of value.slice(0, 10)) walk(one, depth + 1)
    if (!isObject(value)) return
    for (const [name, one] of Object.entries(value)) {
      const plain = name.toLowerCase()
      if (typeof one === 'string' && one.length >= 8 && !found.has(plain))
        found.set(plain, one.replace(/^bearer /i, ''))
      else if (typeof one === 'object' && one !== null) walk(one, depth + 1)
    }
  }
  if (json !== undefined) walk(json, 0)
  for (const name of TOKEN_NAMES) if (found.has(name)) return found.get(name) ?? null
  for (const [, value] of found) if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)) return value
  return null
}

async function byForm(
  login: Extract<Login, { type: 'FORM' }>,
  session: Session,
  send: Send,
  options: SendOptions,
): Promise<boolean> {
  const page = await follow(get(login.url), send, options)
  const form = readPage(page.text).forms.find(({ fields }) => fields.some(isPassword))
  if (!form) return isJsonLogin(page) ? byJson(login, session, send, options) : false
  const password = pick(form, login.passwordSelector) ?? form.fields.find(isPassword)
  const username = pick(form, login.usernameSelector) ?? form.fields.find(isUsername) ?? form.fields.find(isText)
  const values = new Map<FormField, string>()
  if (password) values.set(password, login.password)
  if (username) values.set(username, login.username)
  let after = await follow(submit(page, form, values), send, options)
  const second = readPage(after.text).forms.find(({ fields }) => fields.some(isCode))
  if (second && login.totp) {
    const code = second.fields.find(isCode)
    if (code) after = await follow(submit(after, second, new Map([[code, totpOf(login.totp)]])), send, options)
  }
  const isAsked = readPage(after.text).forms.some(({ fields }) => fields.some(isPassword))
  return after.answer.status < 400 && !isTurnedAway(after) && !isAsked
}

const isJsonLogin = ({ answer }: Exchange) => mediaTypeOf(answer) !== 'text/html' || answer.status >= 400

/** A login address that takes JSON rather than showing a form. */
async function byJson(
  login: Extract<Login, { type: 'FORM' }>,
  session: Session,
  send: Send,
  options: SendOptions,
): Promise<boolean> {
  for (const name of ['username', 'email']) {
    const body = JSON.stringify({ [name]: login.username, password: login.password })
    const headers = [
      ...get(login.url).headers,
      ['Content-Type', 'application/json'],
      ['Content-Length', String(Buffer.byteLength(body))],
    ] as const
    const request = {
      method: 'POST',
      url: login.url,
      headers: headers.map(([key = '', value = '']) => [key, value] as const),
      body,
    }
    if (await byToken({ type: 'TOKEN', request }, session, send, options)) return true
  }
  return false
}

const isPassword = ({ type }: FormField) => type === 'password'
const isText = ({ type, name }: FormField) => name !== '' && ['text', 'email', 'tel'].includes(type)
const isUsername = (field: FormField) => isText(field) && /user|mail|login|name|account|id/i.test(field.name + field.id)
const isCode = (field: FormField) =>
  isText({ ...field, type: field.type === 'number' ? 'text' : field.type }) &&
  /otp|totp|code|2fa|mfa|token/i.test(field.name + field.id)

/** The field that a simple CSS selector names: `#id`, `[name=…]`, `input[name="…"]`, `.class`. */
function pick({ fields }: Form, selector: string | undefined): FormField | undefined {
  if (!selector) return undefined
  const id = /#([\w-]+)/.exec(selector)?.[1]
  const name = /\[name=["']?([^"'\]]+)/.exec(selector)?.[1]
  const type = /\[type=["']?([^"'\]]+)/.exec(selector)?.[1]
  const className = /\.([\w-]+)/.exec(selector)?.[1]
  return fields.find(
    (field) =>
      (id === undefined || field.id === id) &&
      (name === undefined || field.name === name) &&
      (type === undefined || field.type === type) &&
      (className === undefined || field.className.split(/\s+/).includes(className)),
  )
}

export const get = (url: string): HttpRequest => ({
  method: 'GET',
  url,
  headers: [
    ['Host', URL.parse(url)?.host ?? ''],
    ['Accept', 'text/html,application/json,*/*'],
  ],
  body: null,
})

/** The request that a browser makes of a form; what is not given keeps the page's value. */
function submit(page: Exchange, form: Form, values: ReadonlyMap<FormField, string>): HttpRequest {
  const action = URL.parse(form.action, page.request.url)?.href ?? page.request.url
  const pairs = form.fields
    .filter(({ name, type }) => name !== '' && !['button', 'reset', 'image', 'file'].includes(type))
    .map((field) => `${escaped(field.name)}=${escaped(values.get(field) ?? field.value)}`)
    .join('&')
  if (form.method !== 'post') return get(`${action.split(/[?#]/, 1).join('')}?${pairs}`)
  const headers = [
    ...get(action).headers,
    ['Content-Type', 'application/x-www-form-urlencoded'] as const,
    ['Content-Length', String(Buffer.byteLength(pairs))] as const,
  ]
  return { method: 'POST', url: action, headers, body: pairs }
}

/** Sends, and goes where redirects lead in the scan's scope. */
async function follow(request: HttpRequest, send: Send, options: SendOptions): Promise<Exchange> {
  let exchange = await send(request, options)
  for (let hops = 0; hops < MOST_REDIRECTS; hops += 1) {
    const { status } = exchange.answer
    const location = headerOf(exchange.answer, 'location')
    const next = status >= 300 && status < 400 && location !== '' ? URL.parse(location, exchange.request.url) : null
    if (next === null) return exchange
    next.hash = ''
    try {
      exchange = await send(get(next.href), options)
    } catch (error) {
      if (error instanceof SendFailed && error.reason === 'OUT_OF_SCOPE') return exchange
      throw error
    }
  }
  return exchange
}
