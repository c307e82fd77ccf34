// Shows the pages to who is signed in, and asks to sign in again over a page whose session ended, without losing it.

import { lazy, type ReactNode, Suspense } from 'react'
import { useSession } from '../api/session.ts'
import { SignInPage } from '../pages/sign-in.tsx'

const SessionEnded = lazy(() => import('./session-ended.tsx'))

export function SignedIn({ children }: { children: ReactNode }) {
  const { session, hasExpired } = useSession()
  if (!session) return <SignInPage />
  return (
    <>
      {children}
      {hasExpired && (
        <Suspense>
          <SessionEnded email={session.email} />
        </Suspense>
      )}
    </>
  )
}
