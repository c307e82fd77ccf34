// Signs an identity in: through a form, a scripted page, or a request that returns a token, with or without a second factor.

import type { SendOptions } from '../check.ts'
import { SendFailed } from '../outcome.ts'
import type { Send } from '../requests.ts'
import type { Session } from '../session.ts'
import { withFreshCode } from './code.ts'
import { byForm } from './form.ts'
import type { Pages } from './page.ts'
import { byToken, renew } from './token.ts'

/** Opens the session of an identity that has a login; else a sentence that says why the target did not let it in. */
export async function signIn(session: Session, send: Send, pages: Pages, signal: AbortSignal): Promise<string | null> {
  const { login, name } = session.identity
  if (!login) return null
  const options: SendOptions = { identity: session.identity, isSignIn: true }
  try {
    if (login.type === 'FORM')
      return await withFreshCode(session, signal, () => byForm(login, session, send, options, pages))
    const isIn = session.renewal
      ? await renew(login, session, send, options)
      : await byToken(login, session, send, options)
    return isIn ? null : `${name} could not sign in`
  } catch (error) {
    if (error instanceof SendFailed) return `${name} could not sign in: ${error.message}`
    throw error
  }
}
