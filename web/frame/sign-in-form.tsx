// Signing in with a key, on the first page and over a page whose session ended.

import { signIn } from '../api/session.ts'
import { TextField } from '../forms/field.tsx'
import { Form } from '../forms/form.tsx'

export function SignInForm() {
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
        hint="It is exchanged for a session that ends when it is not used for half a day. The key itself is not kept."
      />
    </Form>
  )
}
