// Addresses that scripts request: found in the scripts' text, with the method and the members of the body if they stand beside.

import type { Field } from '../types.ts'
import { valueByName } from './names.ts'
import type { Observed } from './observed.ts'

const METHODS = 'get|post|put|patch|delete'
/** `fetch(`, `client.post(`, `.open('POST',`, `url:`. */
const ASKS = `(?:fetch|axios|\\$\\.(?:ajax|getJSON)|\\.open|url\\s{0,3}:|\\.(${METHODS})(?=\\s{0,3}\\())`
/** What puts the service's address before a path: `urlOf(`, `BASE +`, `''.concat(BASE,`. */
const BEFORE_PATH = `((?:(["'\`])\\4\\.concat\\([\\w$.]{1,60}\\s{0,3},|[\\w$.]{1,60}\\s{0,3}[(+])\\s{0,3})?`
const PATH = `(["'\`])((?:https?:\\/\\/|\\/|\\.\\/)?[\\w$][^"'\`\\s<>]{1,300})\\5`
const CALL = new RegExp(
  `${ASKS}\\s{0,3}\\(?\\s{0,3}(?:["'\`](${METHODS})["'\`]\\s{0,3},\\s{0,3})?${BEFORE_PATH}${PATH}`,
  'gi',
)
const NEXT_CALL = new RegExp(`fetch\\s{0,3}\\(|axios|\\.open\\(|\\.(?:${METHODS})\\(\\s{0,3}["'\`]`, 'i')
/** Who is known to ask; anything else has methods of these names for other things than paths. */
const KNOWN = /(axios|api|request|https?|\$)$/i
const WHOLE_PATH = /^(https?:\/\/|\.?\/|\$\{)/
const LITERAL = /(["'`])((?:\/[\w${}.:-]{1,60}){1,8}\/?(?:\?[\w=&${}.%-]{1,200})?)\1/g
const STATIC = /\.(css|js|mjs|map|png|jpe?g|gif|svg|webp|ico|woff2?|ttf|eot|mp4|html?|vue|tsx?)([?#]|$)/i
const TELLING =
  /\/(api|rest|v\d|graphql|auth|users?|login|search|admin|orders?|products?|items?|upload|files?|account|profile|ws|rpc|service)/i
const LONGEST = 1_500_000
const MOST = 200

/** What a script's text says that it asks; `${…}` in an address stands for 1. */
export function fromScript(text: string, base: string): Observed[] {
  const found = new Map<string, Observed>()
  const source = text.slice(0, LONGEST)
  for (const call of source.matchAll(CALL)) {
    if (found.size >= MOST) break
    const [whole, named, opened, wrapping, , , path = ''] = call
    const isKnown = named === undefined || KNOWN.test(source.slice(Math.max(0, call.index - 10), call.index))
    if ((!isKnown || wrapping !== undefined) && !WHOLE_PATH.test(path)) continue
    const behind = source.slice(call.index + whole.length, call.index + whole.length + 300)
    const end = NEXT_CALL.exec(behind)?.index
    const near = whole + behind.slice(0, end)
    // options that stand before the call, in a variable
    const before = isVariable(near, whole) ? source.slice(Math.max(0, call.index - BEFORE), call.index) : ''
    const method = (
      named ??
      opened ??
      /method\s{0,3}:\s{0,3}["'`](\w{3,7})/i.exec(near)?.[1] ??
      /type\s{0,3}:\s{0,3}["'`](POST|PUT|PATCH|DELETE)/i.exec(near)?.[1] ??
      [...before.matchAll(METHOD)].at(-1)?.[1] ??
      (whole.startsWith('url')
        ? METHOD_BEFORE.exec(source.slice(Math.max(0, call.index - NEAR_BEFORE), call.index))?.[1]
        : null) ??
      'GET'
    ).toUpperCase()
    const url = addressOf(ENDS_IN_VARIABLE.test(behind) && /[/=]$/.test(path) ? `${path}1` : path, base)
    // what is sent is looked for once: that takes far longer than to find a call
    if (url === null || found.has(`${method} ${url}`)) continue
    const sent = method === 'GET' ? undefined : SENT.exec(near.slice(whole.length))
    const variable = sent?.[1] ?? (named ? sent?.[2] : undefined)
    const above = variable ? source.slice(Math.max(0, call.index - FAR_BEFORE), call.index) : ''
    const fields = method === 'GET' ? [] : variable ? fieldsIn(above, variable) : fieldsIn(before)
    const body =
      method === 'GET' || fields.length > 0
        ? null
        : (bodyNear(near) ??
          (variable ? (bodyIn(above, variable) ?? documentIn(above, variable)) : null) ??
          documentNear(near))
    add(found, url, method, body, fields)
  }
  for (const [, , path = ''] of source.matchAll(LITERAL)) {
    if (found.size >= MOST) break
    const url = TELLING.test(path) ? addressOf(path, base) : null
    if (url !== null) add(found, url, 'GET', null)
  }
  return [...found.values()]
}

/** `'/orders/' + id`: what follows the last slash is not written there. */
const ENDS_IN_VARIABLE = /^\s{0,3}\+\s{0,3}[\w$]/
/** `{ type: 'POST', url:`: the method of a call whose options begin with it. */
const METHOD_BEFORE =
  /\{[^{}()]{0,150}\b(?:type|method)\s{0,3}:\s{0,3}["'`](POST|PUT|PATCH|DELETE)["'`]\s{0,3},[^{}()]{0,150}$/i
/** Characters before `url:` in which its method may stand. */
const NEAR_BEFORE = 320
const METHOD = /\bmethod\s{0,3}:\s{0,3}["'`](\w{3,7})["'`]/gi
/** Characters before a call in which its options are looked for. */
const BEFORE = 800
/** The same for what is sent: a component tells it where it begins. */
const FAR_BEFORE = 20_000
/** What is sent stands in a variable: `body: form`, `JSON.stringify(order)`, or behind the address. */
const SENT =
  /(?:\bbody\s{0,3}:\s{0,3}|\bdata\s{0,3}:\s{0,3}|stringify\(\s{0,3})([A-Za-z_$][\w$]{0,60})\s{0,3}[,})]|^["'`]?\)?\s{0,3},\s{0,3}([A-Za-z_$][\w$]{0,60})\s{0,3}[,)]/

/** Whether what is sent stands in a variable: `fetch(address, options)`. */
const isVariable = (near: string, call: string): boolean =>
  /^["'`]?\s{0,3},\s{0,3}[\w$]{1,60}\s{0,3}\)/.test(near.slice(call.length))

/** `form.append('name', value)`: the fields of a form that a script makes; of the last one of that name where it has one. */
function fieldsIn(text: string, name?: string): Field[] {
  const form = name === undefined ? '' : `(?<![\\w$.])${escapedName(name)}`
  const made = [...text.matchAll(new RegExp(`${form}\\s{0,3}=\\s{0,3}new FormData`, 'g'))].at(-1)
  const appended = text
    .slice(name === undefined ? 0 : (made?.index ?? text.length))
    .matchAll(new RegExp(`${form}\\.append\\(\\s{0,3}["'\`]([\\w.[\\]-]{1,60})["'\`]\\s{0,3},`, 'g'))
  return [...new Set([...appended].map(([, name = '']) => name))].map((name) =>
    TAKES_FILE.test(name)
      ? { name, value: 'merlon', fileName: 'merlon.txt', mediaType: 'text/plain' }
      : { name, value: valueByName(name) },
  )
}

const TAKES_FILE = /^(?!.*(url|name|id|type)$).*(file|image|photo|picture|avatar|attachment|upload|document)/i

/** Null where it is none that is asked. */
function addressOf(path: string, base: string): string | null {
  // what a template begins with is the address of the service, mostly
  const rest = path.replace(/^\/?\$\{[^{}]{0,100}\}(?=\/)/, '')
  if (rest !== path && !/[a-z]{2}/i.test(rest.replace(/\$\{[^{}]{0,100}\}/g, ''))) return null
  const url = URL.parse(
    rest.replace(/\$\{[^{}]{0,100}\}/g, '1').replace(/\{[^{}]{0,60}\}|(?<=\/):\w{1,40}(?=\/|$)/g, '1'),
    base,
  )
  return url === null || !/^https?:$/.test(url.protocol) || STATIC.test(url.pathname) ? null : url.href
}

function add(
  found: Map<string, Observed>,
  url: string,
  method: string,
  body: string | null,
  fields: Field[] = [],
): void {
  const key = `${method} ${url}`
  if (found.has(key)) return
  found.set(key, {
    method,
    url,
    source: 'crawl',
    ...(fields.length > 0 ? { fields, mediaType: 'multipart/form-data' } : {}),
    ...(body ? { body, mediaType: body.startsWith('<') ? 'text/xml' : 'application/json' } : {}),
  })
}

/** `.send("<order>…</order>")`: a document that stands in the script as it is. */
const documentNear = (text: string): string | null =>
  /\.send\(\s{0,3}(["'`])(<[A-Za-z?](?:(?!\1).){1,500}>)\1/.exec(text)?.[2] ?? null

/** `order = '<order>…</order>'`: a document in a variable; the last of that name. */
const documentIn = (text: string, name: string): string | null =>
  [
    ...text.matchAll(
      new RegExp(`(?<![\\w$.])${escapedName(name)}\\s{0,3}=\\s{0,3}(["'\`])(<[A-Za-z?](?:(?!\\1).){1,1000}>)\\1`, 'g'),
    ),
  ].at(-1)?.[2] ?? null

const escapedName = (name: string): string => name.replaceAll('$', '\\$')

/** `order = { item: '' }` or `[order, setOrder] = useState({ item: '' })`: the last of that name. */
function bodyIn(text: string, name: string): string | null {
  const made = new RegExp(
    `(?<![\\w$.])${escapedName(name)}\\s{0,3}(?:,\\s{0,3}[\\w$]{1,60}\\s{0,3}\\]\\s{0,3})?=(?:\\s{0,3}[\\w$.()]{1,60}\\()?\\s{0,3}\\{([^{}]{1,400})\\}`,
    'g',
  )
  const members = [...text.matchAll(made)].at(-1)?.[1]
  return members === undefined ? null : bodyOf(members)
}

/** `JSON.stringify({ email, password: x })` or `data: { … }` as JSON with values made of the names. */
function bodyNear(text: string): string | null {
  const whole = /stringify\(\s{0,3}\{([^{}]{1,400})\}/.exec(text)?.[1]
  if (whole !== undefined) return bodyOf(whole, /^$/)
  const members = /(?:data\s{0,3}:|,)\s{0,3}\{([^{}]{1,200})\}/.exec(text)?.[1]
  return members === undefined ? null : bodyOf(members)
}

/** Members of a call's options. */
const OPTIONS = /^(method|headers|body|credentials|mode|url|type|dataType|contentType|success|error)$/i

/** `options`: names that are none of the body's. */
function bodyOf(members: string, options = OPTIONS): string | null {
  const names = members
    .split(',')
    .flatMap((part) => /^\s{0,40}["']?([A-Za-z_]\w{0,40})["']?\s{0,10}(:|$)/.exec(part)?.[1] ?? [])
  const kept = names.filter((name) => !options.test(name))
  return kept.length > 0 ? JSON.stringify(Object.fromEntries(kept.map((name) => [name, valueByName(name)]))) : null
}

const ROUTE = /\bpath\s{0,3}:\s{0,3}(["'`])(\/?[\w-][\w/:-]{0,80})\1/g
const HAS_PAGE = /\b(element|component|components|Component|children|lazy|loader|loadChildren|loadComponent)\s{0,3}[:(]/
const MOST_ROUTES = 60

/** The pages that a router shows by the scripts alone: `{ path: '/orders', element: … }`; what is named in a path is 1. */
export function routesIn(text: string): string[] {
  const source = text.slice(0, LONGEST)
  const found = new Set<string>()
  for (const { index, 0: whole, 2: path = '' } of source.matchAll(ROUTE)) {
    const near = source.slice(index + whole.length, index + whole.length + 200)
    const own = near.slice(0, /\bpath\s{0,3}:/.exec(near)?.index)
    if (HAS_PAGE.test(own) && !/\bmethod\s{0,3}:/.test(own) && found.size < MOST_ROUTES)
      found.add(`/${path.replace(/^\//, '').replace(/:\w{1,40}/g, '1')}`)
  }
  return [...found]
}

const MOST_CHUNKS = 40

/** Further scripts that a script loads when they are needed. */
export function chunksIn(text: string, url: string): string[] {
  const found = new Set<string>()
  for (const [, , path = ''] of text
    .slice(0, LONGEST)
    .matchAll(/(["'`])((?:\.{1,2}\/|\/)?(?:[\w@.-]{1,60}\/){0,4}[\w@.~-]{1,80}\.m?js)\1/g)) {
    if (found.size >= MOST_CHUNKS) break
    // a list of what is needed together names them from the root
    const base = /^\.{0,2}\//.test(path) ? url : new URL('/', url).href
    const chunk = URL.parse(path, base)?.href
    if (chunk !== undefined) found.add(chunk)
  }
  return [...found]
}
