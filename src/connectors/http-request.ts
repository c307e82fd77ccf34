// One request to a vendor: method, headers, body and limits.

import type { OutboundRequest } from '../core/outbound.ts'
import type { Query } from './paths.ts'
import type { Connector, Credential } from './types.ts'

export type Method = NonNullable<OutboundRequest['method']>

/** What of a connector the client uses. */
export type Spoken = Pick<
  Connector,
  'type' | 'name' | 'rates' | 'authorization' | 'headers' | 'readError' | 'pageMeansSignIn'
>

export type CallOptions = {
  query?: Query
  headers?: Readonly<Record<string, string>>
  /** besides the JSON that post, put and patch take: a form, or text of a type of its own */
  body?: { json: unknown } | { form: Readonly<Record<string, string>> } | { text: string; type: string }
  /** Sending it twice does no harm: always so for GET, HEAD, PUT and DELETE; of others only when said here. */
  repeatable?: boolean
  /** bytes of the answer, 16 MiB unless said */
  largest?: number
  /** milliseconds for one try */
  timeout?: number
  /** statuses besides 200 to 299 that are answers, to be read with the schema as well */
  also?: readonly number[]
  /** set by `stream` alone */
  isStreamed?: boolean
}

const LARGEST = 16 * 1024 * 1024

export const formText = (form: Readonly<Record<string, string>>): string => new URLSearchParams(form).toString()

/** `timeout` in milliseconds. The credential's headers win over all others. */
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
