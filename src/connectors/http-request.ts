// One request to a vendor: method, headers, body and limits.

import type { OutboundRequest } from '../core/outbound.ts'
import type { ConnectorType, Credential } from './kinds.ts'
import type { Query } from './paths.ts'
import type { RateRow } from './rates.ts'

export type Method = NonNullable<OutboundRequest['method']>

/** The part of a connector that its HTTP client uses: what is particular to the vendor's requests and answers. */
export type Spoken = {
  type: ConnectorType
  /** as sentences to people name the vendor, such as HostA */
  name: string
  rates: RateRow
  /** The headers that prove who calls. */
  authorization: (credential: Credential) => Record<string, string>
  /** headers of every call besides */
  headers?: Readonly<Record<string, string>>
  /** What the vendor says in a refusal; null when it says nothing that a person could use. */
  readError?: (body: unknown) => string | null
  /** Some vendors answer a bad credential with a page to sign in, of status 200, 203 or 302. */
  pageMeansSignIn?: boolean
}

export type CallOptions = {
  query?: Query
  headers?: Readonly<Record<string, string>>
  /** instead of the JSON of post, put and patch: a form, or text of another type */
  body?: { json: unknown } | { form: Readonly<Record<string, string>> } | { text: string; type: string }
  /** whether sending it twice does no harm; always true for GET, HEAD, PUT and DELETE */
  repeatable?: boolean
  /** bytes of the answer; 16 MiB by default */
  largest?: number
  /** milliseconds for one try */
  timeout?: number
  /** statuses that count as success besides 200 to 299, read with the same schema */
  also?: readonly number[]
  /** set only by `stream` */
  isStreamed?: boolean
}

const LARGEST = 16 * 1024 * 1024

export const formText = (form: Readonly<Record<string, string>>): string => new URLSearchParams(form).toString()

/** `timeout` in milliseconds. The credential's headers override all others. */
export function requestOf(
  { authorization, headers }: Spoken,
  method: Method,
  call: CallOptions,
  credential: Credential,
  timeout: number,
): OutboundRequest {
  const sent = bodyOf(call.body)
  return {
    method,
    headers: {
      accept: 'application/json',
      ...(sent && { 'content-type': sent.type }),
      ...headers,
      ...call.headers,
      ...authorization(credential),
    },
    body: sent?.text ?? null,
    largest: call.largest ?? LARGEST,
    timeout,
    redirects: 'same-origin',
    isStreamed: call.isStreamed ?? false,
  }
}

function bodyOf(body: CallOptions['body']): { text: string; type: string } | null {
  if (!body) return null
  if ('json' in body) return { text: JSON.stringify(body.json), type: 'application/json' }
  return 'form' in body ? { text: formText(body.form), type: 'application/x-www-form-urlencoded' } : body
}
