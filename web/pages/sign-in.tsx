// Who is not signed in sees this, at whatever address; afterwards the page of that address.

import { useEffect } from 'react'
import { SignInForm } from '../frame/sign-in-form.tsx'
import styles from './sign-in.module.css'

export function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in – Merlon'
  }, [])
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <h1>
          <img src="/favicon.svg" alt="" width="20" height="20" /> Sign in to Merlon
        </h1>
        <SignInForm />
        <p className="muted">
          The first start printed the administrator’s key and wrote it to <code>data/admin-key</code>.
        </p>
      </div>
    </main>
  )
}
