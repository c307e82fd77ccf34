// The session of the signed-in user, shared by the whole page, and the queue of requests that wait for somebody to sign in again.

import { useSyncExternalStore } from 'react'
import { Failure } from './failure.ts'
import type { EnumOf } from './graphql.ts'

export type Role = EnumOf<'Role'>

export type Session = {
  name: string
  email: string
  isAdministrator: boolean
  /** Null for a user who signed in without a key. */
  keyPublicId: string | null
  scopes: string[]
  /** Maps each company to the user's role; null means the owner's role in every company. */
  roles: Record<string, Role> | null
  idleSeconds: number
}

/** The operator's identity provider: its host, and a sentence for each reason why it refused somebody. */
type Elsewhere = { host: string; refusals: Record<string, string> }

/** With `hasExpired`, requests wait for the same user to sign in again, while the page stays as it is. */
type SessionState = { session: Session | null; hasExpired: boolean; elsewhere: Elsewhere | null }

let state: SessionState = { session: null, hasExpired: false, elsewhere: null }
const listeners = new Set<() => void>()
let waiting: (() => void)[] = []

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

export const useSession = (): SessionState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/** Sent with every request of the console. Other sites cannot set it, which protects against forged requests. */
export const consoleHeaders = { 'x-merlon-console': '1' }

type Told = { session: Session | null; signIn?: Elsewhere }

async function call(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<Told> {
  const init = {
    method,
    headers: { ...consoleHeaders, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
  const response = await fetch('/session', init).catch(() => {
    throw new Failure('The server cannot be reached. Check that it runs, then try again.', 'UNREACHABLE')
  })
  const answer = await response.json().catch(() => ({}))
  const [error] = answer.errors ?? []
  if (error) throw new Failure(error.message, error.extensions.code, error.extensions.argument)
  return answer
}

/** Loads the session from the server before anything is shown. */
export async function loadSession(): Promise<void> {
  const { session, signIn } = await call('GET')
  set({ session, hasExpired: false, elsewhere: signIn ?? null })
}

/** Tells the other tabs of a sign-in or sign-out, since the session is a cookie that all tabs share. */
const tabs = new BroadcastChannel('session')
tabs.onmessage = () => void followOtherTab().catch(() => {})

async function followOtherTab(): Promise<void> {
  const { session } = await call('GET')
  if (session) goOn(session)
  else if (state.session) window.location.assign('/')
}

/** Signs in. Waiting requests continue if it is the same user; otherwise the page belongs to somebody else and is left. */
export async function signIn(key: string): Promise<void> {
  const { session } = await call('POST', { key })
  goOn(session)
  tabs.postMessage('signed in')
}

/** Continues if somebody has signed in meanwhile, for example in another tab. */
export async function lookAgain(): Promise<void> {
  const { session } = await call('GET')
  if (session) goOn(session)
}

function goOn(session: Session | null): void {
  const before = state.session
  if (before && session && before.email !== session.email) {
    window.location.assign('/')
    return
  }
  set({ ...state, session, hasExpired: false })
  for (const go of waiting) go()
  waiting = []
}

export async function signOut(): Promise<void> {
  await call('DELETE')
  tabs.postMessage('signed out')
  // A full page load clears the previous user's data from memory.
  window.location.assign('/')
}

/** Resolves once somebody has signed in again. */
export function signedInAgain(): Promise<void> {
  set({ ...state, hasExpired: true })
  return new Promise((resolve) => waiting.push(resolve))
}
