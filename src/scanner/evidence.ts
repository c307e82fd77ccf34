// The evidence of a finding: request and response with credentials masked, the proof marked, and a curl command that repeats it.

import { literally } from '../core/expressions.ts'
import { curlOf } from './curl.ts'
import type { Evidence } from './finding.ts'
import { escaped } from './points.ts'
import { isMarked } from './random-values.ts'
import type { Exchange, HttpRequest, Operation } from './types.ts'

/** The number of characters of the response's body kept around the first proof. */
const AROUND = 3_000
const LONGEST_REQUEST = 8_000
const MOST_PROOFS = 20

/**
 * Values to mask: `hidden` everywhere, `plain` only in fields named like secrets. If it were masked everywhere, a password such as `admin`
 * would remove the page of that name from addresses and commands.
 */
export type Secrets = { hidden: readonly string[]; plain: readonly string[] }

export function secretsAmong(
  values: readonly string[],
  operations: readonly Operation[],
  choices: ReadonlySet<string>,
): Secrets {
  const words = new Set(operations.flatMap(({ path }) => path.toLowerCase().split(/[/.]/)))
  const isPlain = (value: string) => words.has(value.toLowerCase()) || choices.has(value)
  return { hidden: values.filter((value) => !isPlain(value)), plain: values.filter(isPlain) }
}

/**
 * The evidence of an exchange. Values that the check itself sent are shown even in fields named like secrets, unless they could be
 * credentials of the target that it sent again.
 */
export function evidenceOf(
  { request, answer, text, values = [] }: Exchange,
  proof: readonly string[],
  secrets: Secrets,
): Evidence {
  const mask = maskerOf(secrets, values)
  const head = [
    answer.status === 0 ? '(no response)' : `HTTP/1.1 ${answer.status}`,
    ...answer.headers.map(([name, value]) => `${name}: ${value}`),
  ].join('\n')
  const asked = mask(requestText(request)).slice(0, LONGEST_REQUEST)
  const told = mask(`${head}\n\n${windowOf(text, proof)}`)
  return {
    request: asked,
    response: told,
    proof: [...rangesOf(told, proof, false), ...rangesOf(asked, proof, true)].slice(0, MOST_PROOFS),
    curl: curlOf(request, mask, maskerOf(inBytes(secrets), values.map(latin))),
  }
}

function windowOf(text: string, proof: readonly string[]): string {
  const whole = clean(text)
  if (whole.length <= AROUND * 2) return whole
  const at = Math.max(0, ...proof.slice(0, 1).map((one) => whole.indexOf(one)))
  const from = Math.max(0, at - AROUND)
  const to = Math.min(whole.length, from + AROUND * 2)
  return `${from > 0 ? '…' : ''}${whole.slice(from, to)}${to < whole.length ? '…' : ''}`
}

function rangesOf(
  text: string,
  proof: readonly string[],
  isInRequest: boolean,
): { from: number; to: number; isInRequest: boolean }[] {
  return proof.flatMap((one) => {
    const from = one === '' ? -1 : text.indexOf(one)
    return from < 0 ? [] : [{ from, to: from + one.length, isInRequest }]
  })
}

const requestText = ({ method, url, headers, body }: HttpRequest): string => {
  const target = url.replace(/^https?:\/\/[^/?]+/i, '') || '/'
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return clean(`${lines.join('\n')}\n\n${body === null ? '' : body.toString()}`)
}

/** Replaces characters that a database or a page cannot show, keeping the positions of all others. */
const clean = (text: string) => text.toWellFormed().replaceAll('\u0000', '\ufffd')

const SECRET_HEADER =
  /^((?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-key|apikey|x-auth-token|x-access-token): ?)(.*)$/gim
const SECRET_FIELD =
  /("(?:[a-z_]{0,30}(?:password|passwd|secret|token|api_?key|private_?key))" ?: ?")((?:[^"\\]|\\.){3,2000})"/gi

/** The characters of keys, tokens and ids; payloads that break out of a value need others. */
const CREDENTIAL = /^[\w.+/=~-]*$/

const shortened = (value: string) => `${value.slice(0, Math.min(3, Math.floor(value.length / 4)))}***`

/** Masks the values: at most their first three characters stay, followed by asterisks. */
export function withoutSecrets(text: string, { hidden, plain }: Secrets): string {
  let masked = text
  for (const value of writtenForms(hidden)) masked = masked.replaceAll(value, () => shortened(value))
  for (const value of writtenForms(plain)) {
    const field = new RegExp(`(?<=(?:pass|pwd|secret|token|key)\\w{0,20}=)${literally(value)}(?![^&\\s'"])`, 'gi')
    masked = masked.replace(field, () => shortened(value))
  }
  return masked
}

const writtenForms = (values: readonly string[]): string[] =>
  [...new Set(values.flatMap((value) => [value, encodeURIComponent(value.toWellFormed()), escaped(value)]))]
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length)

/** A text as its bytes are written in Latin-1. */
const latin = (text: string) => Buffer.from(text).toString('latin1')

const inBytes = ({ hidden, plain }: Secrets): Secrets => ({ hidden: hidden.map(latin), plain: plain.map(latin) })

/** Masks the given values, headers that carry credentials, and JSON members named like secrets. */
function maskerOf(secrets: Secrets, shown: readonly string[]): (text: string) => string {
  const own = new Set(
    shown
      .filter(
        (value) => !CREDENTIAL.test(value) || isMarked(value) || isMarked(Buffer.from(value, 'base64').toString()),
      )
      .flatMap((value) => [value, escaped(value), JSON.stringify(value).slice(1, -1)]),
  )
  const hidden = (value: string) => (own.has(value) ? value : shortened(value))
  return (text) =>
    withoutSecrets(text, secrets)
      .replace(SECRET_HEADER, (_, name: string, value: string) => `${name}${maskHeader(value, hidden)}`)
      .replace(SECRET_FIELD, (_, name: string, value: string) => `${name}${hidden(value)}"`)
}

/** Names of cookies and of authentication schemes stay visible. */
function maskHeader(value: string, hidden: (value: string) => string): string {
  if (hidden(value) === value) return value
  if (value.includes('=') && !/^(bearer|basic|digest|token) /i.test(value)) {
    return value.replace(/([^=;\s]{1,30})=([^;]{0,8000})/g, (pair, name: string, inner: string) =>
      /^(path|domain|expires|max-age|samesite)$/i.test(name) ? pair : `${name}=${hidden(inner)}`,
    )
  }
  const [, scheme = '', rest = value] = /^(\w{1,20} )?(.*)$/.exec(value) ?? []
  return `${scheme}${hidden(rest)}`
}
