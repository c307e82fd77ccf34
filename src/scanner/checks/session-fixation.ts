// Checks for session fixation: the session cookie stays the same after signing in.

import type { TargetCheck } from '../check.ts'
import { readPage } from '../html.ts'
import { byForm } from '../login/form.ts'
import { quietly } from '../probing.ts'
import { follow, get, type Send, withCookieHeader } from '../requests.ts'
import { isInScope } from '../scope.ts'
import { signsOut } from '../seed/names.ts'
import { isTurnedAway, openSession } from '../session.ts'
import type { Exchange } from '../types.ts'
import { names } from './ownership.ts'

/** The least length of a cookie that holds a session rather than a preference. */
const SHORTEST = 8

/** The least length of a name that appears on no page by chance. */
const SHORTEST_NAME = 3

/** Whether a page links to a sign-out. */
function offersWayOut({ text }: Exchange): boolean {
  const { links, forms } = readPage(text)
  return [...links, ...forms.map(({ action }) => action)].some(signsOut)
}

/** Whether a page names the account, as a greeting does. */
const namesAccount = ({ text }: Exchange, { username }: { username: string }): boolean =>
  username.length >= SHORTEST_NAME && names(text, new Set([username.toLowerCase()])) !== null

export const sessionFixation: TargetCheck = {
  kind: 'target',
  id: 'session-fixation',
  title: 'Session fixation',
  cwes: [384],
  severity: 'MEDIUM',
  solution: 'Issue a new session ID at every sign-in, and invalidate the previous one.',
  profile: 'BALANCED',
  async *probe(context) {
    const identity = context.identities.find(({ login }) => login?.type === 'FORM')
    const login = identity?.login
    if (!identity || login?.type !== 'FORM' || login.totp) return
    if (![login.url, context.target.href].every((url) => isInScope(url, context.scope))) return
    // somebody without credentials, beside the scan's own sessions
    const visitor = openSession({ ...identity, headers: [], cookies: [], query: [] })
    const send: Send = async (request, options = {}) => {
      const isNobody = options.identity === null
      const asked = isNobody ? request : visitor.dress(request)
      const exchange = await context.send(asked, { identity: null, isSignIn: true })
      if (!isNobody) visitor.learn(exchange, { isSignIn: true })
      return exchange
    }
    const page = await quietly(follow(get(login.url), send, {}))
    const before = visitor.credentials().cookies
    if (!page || before.length === 0) return
    if ((await byForm(login, visitor, send, {}, null)) !== null) return
    const after = new Map(visitor.credentials().cookies)
    const request = get(visitor.canary?.request.url ?? visitor.landedAt ?? context.target.href)
    const isPlain = visitor.canary === null
    // where nobody is turned away, the way out or the name is what only somebody who is signed in is shown
    const nobodys = isPlain ? await quietly(context.send(request, { identity: null, isSignIn: true })) : null
    const shown = [offersWayOut, (exchange: Exchange) => namesAccount(exchange, login)]
    const signs = nobodys === null ? [] : shown.filter((shows) => !shows(nobodys))
    for (const [name, value] of before) {
      if (value.length < SHORTEST || after.get(name) !== value) continue
      const sent = withCookieHeader(request, [[name, value]])
      const opened = await quietly(context.send(sent, { identity: null, isSignIn: true }))
      if (!opened || isTurnedAway(opened) || opened.answer.status >= 400) continue
      if (isPlain && !signs.some((shows) => shows(opened))) continue
      yield {
        detail: `The value that ${name} had before the sign-in opens what only signed-in users get: whoever planted it is signed in too.`,
        proof: [name],
        exchange: opened,
        cause: `${context.target.origin} ${name}`,
      }
    }
  },
}
