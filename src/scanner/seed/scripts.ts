// Addresses that scripts ask: found in their text, with the method and the members of the body where they stand beside.

import type { Field } from '../types.ts'
import type { Observed } from './observed.ts'

const CALL =
  /(?:fetch|axios(?:\.(get|post|put|patch|delete))?|\$\.(get|post|ajax|getJSON)|https?\.(get|post|put|patch|delete)|request\.(get|post|put|patch|delete)|\.open|this\.http\.(get|post|put|patch|delete)|api\.(get|post|put|patch|delete)|url\s{0,3}:)\s{0,3}\(?\s{0,3}(?:["'`](GET|POST|PUT|PATCH|DELETE)["'`]\s{0,3},\s{0,3})?(["'`])((?:https?:\/\/|\/|\.\/)?[\w$][^"'`\s<>]{1,300})\8/gi
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
    const [whole, ...groups] = call
    const near = source.slice(call.index, call.index + whole.length + 300)
    // options that stand before the call, in a variable
    const before = isVariable(near, whole) ? source.slice(Math.max(0, call.index - BEFORE), call.index) : ''
    const word = groups.slice(0, 7).find((one) => one && /^(get|post|put|patch|delete)$/i.test(one))
    const method = (
      word ??
      /method\s{0,3}:\s{0,3}["'`](\w{3,7})/i.exec(near)?.[1] ??
      /type\s{0,3}:\s{0,3}["'`](POST|PUT|PATCH|DELETE)/i.exec(near)?.[1] ??
      [...before.matchAll(METHOD)].at(-1)?.[1] ??
      'GET'
    ).toUpperCase()
    const fields = method === 'GET' ? [] : fieldsIn(before)
    const body = method === 'GET' || fields.length > 0 ? null : (bodyNear(near) ?? documentNear(near))
    add(found, base, groups[8] ?? '', method, body, fields)
  }
  for (const [, , path = ''] of source.matchAll(LITERAL)) {
    if (found.size >= MOST) break
    if (TELLING.test(path)) add(found, base, path, 'GET', null)
  }
  return [...found.values()]
}

const METHOD = /\bmethod\s{0,3}:\s{0,3}["'`](\w{3,7})["'`]/gi
/** Characters before a call in which its options are looked for. */
const BEFORE = 800

/** Whether what is sent stands in a variable: `fetch(address, options)`. */
const isVariable = (near: string, call: string): boolean =>
  /^["'`]?\s{0,3},\s{0,3}[\w$]{1,60}\s{0,3}\)/.test(near.slice(call.length))

/** `form.append('name', value)`: the fields of a form that a script makes. */
function fieldsIn(text: string): Field[] {
  const appended = text.matchAll(/\.append\(\s{0,3}["'`]([\w.[\]-]{1,60})["'`]\s{0,3},/g)
  return [...new Set([...appended].map(([, name = '']) => name))].map((name) => ({ name, value: '1' }))
}

function add(
  found: Map<string, Observed>,
  base: string,
  path: string,
  method: string,
  body: string | null,
  fields: Field[] = [],
): void {
  // what a template begins with is the address of the service, mostly
  const rest = path.replace(/^\/?\$\{[^{}]{0,100}\}(?=\/)/, '')
  if (rest !== path && !/[a-z]{2}/i.test(rest.replace(/\$\{[^{}]{0,100}\}/g, ''))) return
  const url = URL.parse(
    rest.replace(/\$\{[^{}]{0,100}\}/g, '1').replace(/\{[^{}]{0,60}\}|:\w{1,40}(?=\/|$)/g, '1'),
    base,
  )
  if (url === null || !/^https?:$/.test(url.protocol) || STATIC.test(url.pathname)) return
  const key = `${method} ${url.href}`
  if (found.has(key)) return
  found.set(key, {
    method,
    url: url.href,
    source: 'crawl',
    ...(fields.length > 0 ? { fields, mediaType: 'multipart/form-data' } : {}),
    ...(body ? { body, mediaType: body.startsWith('<') ? 'text/xml' : 'application/json' } : {}),
  })
}

/** `.send("<order>…</order>")`: a document that stands in the script as it is. */
const documentNear = (text: string): string | null =>
  /\.send\(\s{0,3}(["'`])(<[A-Za-z?](?:(?!\1).){1,500}>)\1/.exec(text)?.[2] ?? null

/** `JSON.stringify({ email, password: x })` or `data: { … }` as JSON with values made of the names. */
function bodyNear(text: string): string | null {
  const members = /(?:stringify\(|data\s{0,3}:|,)\s{0,3}\{([^{}]{1,200})\}/.exec(text)?.[1]
  const names = (members ?? '')
    .split(',')
    .flatMap((part) => /^\s{0,40}["']?([A-Za-z_]\w{0,40})["']?\s{0,10}(:|$)/.exec(part)?.[1] ?? [])
  const kept = names.filter(
    (name) => !/^(method|headers|body|credentials|mode|url|type|dataType|contentType|success|error)$/i.test(name),
  )
  return kept.length > 0 ? JSON.stringify(Object.fromEntries(kept.map((name) => [name, '']))) : null
}
