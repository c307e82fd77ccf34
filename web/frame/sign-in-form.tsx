// Signing in with a key or at the operator's identity provider, on the first page and over a page whose session ended.

import { useEffect } from 'react'
import { lookAgain, signIn, useSession } from '../api/session.ts'
import { TextField } from '../forms/field.tsx'
import { Form } from '../forms/form.tsx'
import { ButtonAnchor } from '../ui/button.tsx'
import { to } from '../util/path-builder.ts'

export function SignInForm({ isOverPage = false }: { isOverPage?: boolean }) {
  const { elsewhere } = useSession()
  return (
    <>
      {elsewhere && <Elsewhere host={elsewhere.host} isOverPage={isOverPage} />}
      <KeyForm />
    </>
  )
}

/**
 * Over an existing page the provider opens in another tab, so that the page is kept; it continues when the user comes
 * back to it.
 */
function Elsewhere({ host, isOverPage }: { host: string; isOverPage: boolean }) {
  useEffect(() => {
    if (!isOverPage) return
    const look = () => void lookAgain().catch(() => {})
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [isOverPage])
  const { pathname, search } = window.location
  const path = isOverPage ? to.start() : pathname + search
  return (
    <ButtonAnchor href={to.signInElsewhere(path)} target={isOverPage ? '_blank' : undefined}>
      Sign in with {host}
    </ButtonAnchor>
  )
}

function KeyForm() {
  return (
    <Form action={(filled) => signIn(filled.text('key'))} submit="Sign in">
      <TextField
        name="key"
        label="API key"
        type="password"
        placeholder="mrl_…"
        required
        autoFocus
        autoComplete="current-password"
        spellCheck={false}
        hint="Starts a session that ends after 12 hours without use. The key itself is not stored."
      />
    </Form>
  )
}
