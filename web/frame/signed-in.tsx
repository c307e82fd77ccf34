// Shows the pages to who is signed in, and asks to sign in again over a page whose session ended, without losing it.

import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { SignInPage } from '../pages/sign-in.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function SignedIn({ children }: { children: ReactNode }) {
  const { session, hasExpired } = useSession()
  if (!session) return <SignInPage />
  return (
    <>
      {children}
      <Dialog
        title="Your session has ended"
        description={`Sign in again as ${session.email}: the page stays as it is, and what was under way goes on.`}
        isOpen={hasExpired}
      >
        <SignInForm />
      </Dialog>
    </>
  )
}
