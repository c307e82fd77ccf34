// The values of each type of secret, and the rules for them. Uses no database.

import { z } from 'zod'

const CONTROL = /\p{Cc}/u
/** RFC 9110, 5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Headers of the connection, or derived from the request: a scan sets them itself. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const LONGEST_NAME = 200
const LONGEST_VALUE = 16_384

const line = (longest: number) =>
  z
    .string(`has 1 to ${longest} characters`)
    .min(1, `has 1 to ${longest} characters`)
    .max(longest, `has 1 to ${longest} characters`)
    .refine((text) => !CONTROL.test(text), 'may not contain control characters')

const value = line(LONGEST_VALUE)
const username = line(1000)
const password = line(4096)
const name = line(LONGEST_NAME)
const token = name.regex(TOKEN, "has letters, digits and !#$%&'*+-.^_`|~ only")
const selector = line(500)

const loginUrl = line(2000).refine(isLoginUrl, 'is an http or https address without a user and a password')

function isLoginUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

const secretValues = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('BASIC_AUTH'),
    // RFC 7617, 2: the first colon ends it
    username: username.regex(/^[^:]*$/, 'may not contain a colon'),
    password,
  }),
  z.strictObject({
    type: z.literal('BEARER_TOKEN'),
    token: value.regex(/^[\x21-\x7e]+$/, 'has visible ASCII characters only'),
  }),
  z.strictObject({
    type: z.literal('HEADER'),
    name: token.refine((header) => !ownHeaders.has(header.toLowerCase()), 'is a header that scans set themselves'),
    value: value.regex(/^[\x20-\x7e\x80-\xff]+$/, 'has characters of ISO 8859-1 only'),
  }),
  z.strictObject({
    type: z.literal('COOKIE'),
    name: token,
    // RFC 6265, 4.1.1, and the quotes, commas and backslashes that servers nevertheless send
    value: value.regex(/^[\x21-\x3a\x3c-\x7e]+$/, 'has visible ASCII characters without semicolons only'),
  }),
  z.strictObject({ type: z.literal('QUERY_PARAMETER'), name, value }),
  z.strictObject({
    type: z.literal('FORM_LOGIN'),
    loginUrl,
    username,
    password,
    usernameSelector: selector,
    passwordSelector: selector,
    submitSelector: selector.optional(),
    totp: line(200)
      .regex(/^[A-Z2-7][A-Z2-7 -]{6,}=*$/i, 'is in base32: letters and the digits 2 to 7')
      .optional(),
  }),
])

/** A decrypted secret: its type with exactly that type's values. */
export type SecretValues = z.output<typeof secretValues>
export type SecretType = SecretValues['type']

type Fault = { field: string; message: string }

/** Reads values for a type; null counts as left out. BAD_USER_INPUT names the field, never its value. */
export function readValues(
  type: SecretType,
  given: Readonly<Record<string, unknown>>,
): { values: SecretValues } | { fault: Fault } {
  const present = Object.entries(given).filter(([, held]) => held !== null && held !== undefined)
  const read = secretValues.safeParse({ ...Object.fromEntries(present), type })
  if (read.success) return { values: read.data }
  const [issue] = read.error.issues
  if (issue?.code === 'unrecognized_keys') {
    const [field = ''] = issue.keys
    return { fault: { field, message: `a secret of type ${type} has no ${field}` } }
  }
  const field = String(issue?.path[0] ?? 'type')
  const isMissing = !present.some(([key]) => key === field)
  return { fault: { field, message: isMissing ? `${type} needs ${field}` : `${field} ${issue?.message}` } }
}

/** The text that is encrypted. */
export const writeValues = (values: SecretValues): string => JSON.stringify(values)

/** Reads what `writeValues` wrote. */
export const parseValues = (text: string): SecretValues => secretValues.parse(JSON.parse(text))
