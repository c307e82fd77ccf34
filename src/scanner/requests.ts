// Requests that belong to no operation: pages, forms, and the targets of redirects.

import type { SendOptions } from './check.ts'
import { headerOf } from './http.ts'
import { SendFailed } from './outcome.ts'
import type { Exchange, HttpRequest } from './types.ts'

export type Send = (request: HttpRequest, options?: SendOptions) => Promise<Exchange>

const MOST_REDIRECTS = 8

export const get = (url: string): HttpRequest => ({
  method: 'GET',
  url,
  headers: [
    ['Host', URL.parse(url)?.host ?? ''],
    ['Accept', 'text/html,application/json,*/*'],
  ],
  body: null,
})

export const post = (url: string, mediaType: string, body: string): HttpRequest => ({
  method: 'POST',
  url,
  headers: [...get(url).headers, ['Content-Type', mediaType], ['Content-Length', String(Buffer.byteLength(body))]],
  body,
})

/** The request with these cookies, which are sent as they are written. */
export const withCookieHeader = (
  request: HttpRequest,
  cookies: readonly (readonly [string, string])[],
): HttpRequest => ({
  ...request,
  headers: [...request.headers, ['Cookie', cookies.map(([name, value]) => `${name}=${value}`).join('; ')]],
})

/** Where the Location of an answer leads, whatever its status, without the part that no server gets; null: nowhere. */
export function locationOf({ request, answer }: Exchange): URL | null {
  const location = headerOf(answer, 'location')
  const url = location === '' ? null : URL.parse(location, request.url)
  if (url) url.hash = ''
  return url
}

/** Sends, and goes where redirects lead in the scan's scope. */
export async function follow(request: HttpRequest, send: Send, options: SendOptions): Promise<Exchange> {
  let exchange = await send(request, options)
  for (let hops = 0; hops < MOST_REDIRECTS; hops += 1) {
    const { status } = exchange.answer
    const next = status >= 300 && status < 400 ? locationOf(exchange) : null
    if (next === null) return exchange
    try {
      exchange = await send(get(next.href), options)
    } catch (error) {
      if (error instanceof SendFailed && error.reason === 'OUT_OF_SCOPE') return exchange
      throw error
    }
  }
  return exchange
}
