// Fetches a new anti-forgery token for each request, because a form without one is refused before anything is tested.

import type { SendOptions } from './check.ts'
import { readPage } from './html.ts'
import { headersOf } from './http.ts'
import { SendFailed } from './outcome.ts'
import { get } from './requests.ts'
import { readCookie } from './set-cookie.ts'
import type { Change, Exchange, HttpRequest, Operation, Point } from './types.ts'

/** Changes that put the page's current tokens into the form, except those that a check itself changes. */
export async function freshTokens(
  operation: Operation,
  changes: readonly Change[],
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>,
  identity: SendOptions['identity'],
): Promise<Change[]> {
  const wanted = (operation.tokens ?? []).filter((name) => !changes.some(({ point }) => point.name === name))
  if (wanted.length === 0 || !operation.foundOn) return []
  const place: Point['place'] =
    operation.body?.type === 'multipart' ? 'multipart' : operation.body?.type === 'form' ? 'form' : 'query'
  try {
    const page = await send(get(operation.foundOn), { identity })
    const fields = readPage(page.text).forms.flatMap((form) => form.fields)
    const tokens = wanted.flatMap((name): Change[] => {
      const value = fields.find((field) => field.name === name)?.value
      return value ? [{ point: { place, name, value }, value }] : []
    })
    return identity === null ? [...tokens, ...cookiesOf(page)] : tokens
  } catch (error) {
    if (error instanceof SendFailed) return []
    throw error
  }
}

/** Anonymous requests keep no cookies, so those that came with the token are sent with it. */
function cookiesOf({ answer }: Exchange): Change[] {
  const pairs = headersOf(answer, 'set-cookie').flatMap((line) => {
    const cookie = readCookie(line)
    return cookie === null || cookie.isGone ? [] : [`${cookie.name}=${cookie.value}`]
  })
  const value = pairs.join('; ')
  return value === '' ? [] : [{ point: { place: 'header', name: 'Cookie', value }, value }]
}
