// Shows the pages to a signed-in user, and asks to sign in again over a page whose session has ended, without losing that page.

import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { SignInPage } from '../pages/sign-in.tsx'
import { late } from '../ui/late.tsx'
import { say } from './toasts.tsx'

/** In milliseconds, between attempts to load the code that the page cannot continue without. */
const RETRY = 3_000

const SessionEnded = late(
  async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await import('./session-ended.tsx')
      } catch {
        if (tries === 1) say('Your session has ended. The sign-in dialog could not be loaded; trying again.')
        await new Promise((resolve) => setTimeout(resolve, RETRY))
      }
    }
  },
  () => {},
)

export function SignedIn({ children }: { children: ReactNode }) {
  const { session, hasExpired } = useSession()
  if (!session) return <SignInPage />
  return (
    <>
      {children}
      {hasExpired && <SessionEnded email={session.email} />}
    </>
  )
}
