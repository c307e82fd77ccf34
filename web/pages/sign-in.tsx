// The sign-in page, shown at every address to anyone without a session; the page of that address follows.

import { useEffect, useState } from 'react'
import { useSession } from '../api/session.ts'
import { SignInForm } from '../frame/sign-in-form.tsx'
import styles from './sign-in.module.css'

/** The fragment with which the identity provider's redirect names the reason for a refusal. */
const REFUSED = /^#refused=(\w+)$/

export function SignInPage() {
  const { elsewhere } = useSession()
  const [reason] = useState(() => REFUSED.exec(window.location.hash)?.[1])
  const refusal = reason === undefined ? undefined : elsewhere?.refusals[reason]
  useEffect(() => {
    document.title = 'Sign in – Merlon'
    const { pathname, search, hash } = window.location
    if (REFUSED.test(hash)) window.history.replaceState(window.history.state, '', pathname + search)
  }, [])
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <h1>
          <img src="/favicon.svg" alt="" width="20" height="20" /> Sign in to Merlon
        </h1>
        {refusal !== undefined && (
          <p role="alert" className={styles.refusal}>
            {refusal}
          </p>
        )}
        <SignInForm />
        <p className="muted">
          The administrator’s key was printed at the first start and saved to <code>data/admin-key</code>.
        </p>
      </div>
    </main>
  )
}
