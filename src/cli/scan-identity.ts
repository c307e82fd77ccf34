// Reads the file of `merlon scan --identity`: a user of the target and how that user signs in.

import { z } from 'zod'
import type { Identity } from '../scanner/types.ts'
import { WrongUse } from './wrong-use.ts'

const login = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('FORM'),
    url: z.string(),
    username: z.string(),
    password: z.string(),
    usernameSelector: z.string().optional(),
    passwordSelector: z.string().optional(),
    submitSelector: z.string().optional(),
    totp: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('TOKEN'),
    url: z.string(),
    method: z.string().default('POST'),
    /** an object is sent as JSON, a text as a form */
    body: z.union([z.string(), z.record(z.string(), z.json())]).optional(),
    headers: z.record(z.string(), z.string()).default({}),
    tokenPath: z.string().optional(),
    header: z.string().optional(),
    prefix: z.string().optional(),
  }),
])

const shape = z.strictObject({
  name: z.string().optional(),
  bearer: z.string().optional(),
  basic: z.object({ username: z.string(), password: z.string() }).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  cookies: z.record(z.string(), z.string()).default({}),
  query: z.record(z.string(), z.string()).default({}),
  login: login.optional(),
})

/** Throws WrongUse that says what is wrong with the file. */
export function readIdentity(text: string, file: string): Identity {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new WrongUse(`${file} is not JSON`)
  }
  const read = shape.safeParse(json)
  if (!read.success) throw new WrongUse(`${file}: ${z.prettifyError(read.error)}`)
  const { name, bearer, basic, headers, cookies, query, login: how } = read.data
  const credentials: [string, string][] = []
  if (bearer) credentials.push(['Authorization', `Bearer ${bearer}`])
  if (basic) {
    const pair = Buffer.from(`${basic.username}:${basic.password}`).toString('base64')
    credentials.push(['Authorization', `Basic ${pair}`])
  }
  return {
    name: name ?? 'user',
    isNameMadeUp: name === undefined,
    headers: [...credentials, ...Object.entries(headers)],
    cookies: Object.entries(cookies),
    query: Object.entries(query),
    login: how && loginOf(how),
  }
}

/** Sessions are identified by name: the second of two people with the same name gets a number. */
export function withOwnNames(identities: readonly Identity[]): Identity[] {
  const taken = new Set<string>()
  return identities.map((identity) => {
    let name = identity.name
    for (let number = 2; taken.has(name); number += 1) name = `${identity.name} ${number}`
    taken.add(name)
    return name === identity.name ? identity : { ...identity, name, isNameMadeUp: true }
  })
}

function loginOf(how: z.infer<typeof login>): Identity['login'] {
  if (how.type === 'FORM') return how
  const { url, method, body, headers, tokenPath, header, prefix } = how
  const content = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  const sent: [string, string][] = [
    ['Host', URL.parse(url)?.host ?? ''],
    ['Accept', 'application/json, */*'],
  ]
  if (content !== null) sent.push(['Content-Type', type], ['Content-Length', String(Buffer.byteLength(content))])
  sent.push(...Object.entries(headers))
  return { type: 'TOKEN', request: { method, url, headers: sent, body: content }, tokenPath, header, prefix }
}
