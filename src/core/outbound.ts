// Fetches a file from an address that the operator configured: over https, within a time and a size.

import { OperatorError } from './errors.ts'

/** The file could not be fetched; the message says from where and why. */
export class FetchFailed extends OperatorError {}

/** https anywhere; plain http only on this machine, for a mirror of one's own. */
export function isFeedUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname))
  )
}

const MOST_REDIRECTS = 5

/** The bytes at the address, following redirects to addresses of the same kind. `largest` in bytes, `timeout` in milliseconds for all of it. */
export async function fetchBytes(address: string, { largest, timeout }: { largest: number; timeout: number }) {
  const signal = AbortSignal.timeout(timeout)
  try {
    let url = address
    for (let step = 0; step <= MOST_REDIRECTS; step += 1) {
      if (!isFeedUrl(url)) throw new FetchFailed('it is no https address')
      const response = await fetch(url, { redirect: 'manual', signal })
      const next = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
      if (next === null) return await bodyOf(response, largest)
      await response.body?.cancel()
      url = new URL(next, url).href
    }
    throw new FetchFailed(`it was sent on more than ${MOST_REDIRECTS} times`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new FetchFailed(`${address} could not be fetched: ${why}`, { cause: error })
  }
}

async function bodyOf(response: Response, largest: number): Promise<Buffer> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new FetchFailed(`the answer was ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > largest) throw new FetchFailed(`it is larger than ${largest} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
