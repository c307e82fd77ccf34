// One request to a vendor: method, headers, body and limits.

import type { OutboundRequest } from '../core/outbound.ts'
import type { Query } from './paths.ts'
import type { Connector, Credential } from './types.ts'

export type Method = NonNullable<OutboundRequest['method']>

/** The part of a connector that the client uses. */
export type Spoken = Pick<
  Connector,
  'type' | 'name' | 'rates' | 'authorization' | 'headers' | 'readError' | 'pageMeansSignIn'
>

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
