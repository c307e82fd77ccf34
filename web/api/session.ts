// Who is signed in, for every part of the page; and the wait of requests for somebody to sign in again.

import { useSyncExternalStore } from 'react'
import { Failure } from './failure.ts'
import type { EnumOf } from './graphql.ts'

export type Role = EnumOf<'Role'>

export type Session = {
  name: string
  email: string
  isAdministrator: boolean
  /** null: of who signed in without a key */
  keyPublicId: string | null
  scopes: string[]
  /** company → role; null: every company, as its owner */
  roles: Record<string, Role> | null
  idleSeconds: number
}

/** Where one signs in beside keys: its host, and the sentence for each reason why it let nobody in. */
export type Elsewhere = { host: string; refusals: Record<string, string> }

/** `hasExpired`: requests wait for the same user to sign in again, and the page stays as it is. */
export type SessionState = { session: Session | null; hasExpired: boolean; elsewhere: Elsewhere | null }

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

/** On every request of the console: no other site can set it. */
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

/** Asks the server once, before anything is shown. */
export async function loadSession(): Promise<void> {
  const { session, signIn } = await call('GET')
  set({ session, hasExpired: false, elsewhere: signIn ?? null })
}

/** The session is a cookie, so that who signs in or out in one tab does so in all of them. */
const tabs = new BroadcastChannel('session')
tabs.onmessage = () => void followOtherTab().catch(() => {})

async function followOtherTab(): Promise<void> {
  const { session } = await call('GET')
  if (session) goOn(session)
  else if (state.session) window.location.assign('/')
}

/** Signs in; requests that waited go on when it is the same user, and a page of somebody else's is left. */
export async function signIn(key: string): Promise<void> {
  const { session } = await call('POST', { key })
  goOn(session)
  tabs.postMessage('signed in')
}

/** Goes on when somebody signed in meanwhile, as in another tab. */
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
  // Nothing of the one who left stays in memory.
  window.location.assign('/')
}

/** Until somebody has signed in again. */
export function signedInAgain(): Promise<void> {
  set({ ...state, hasExpired: true })
  return new Promise((resolve) => waiting.push(resolve))
}
