// The dialog that asks to sign in again over a page whose session has ended.

import { Dialog } from '../ui/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

export default function SessionEnded({ email }: { email: string }) {
  return (
    <Dialog
      title="Your session has ended"
      description={`Sign in again as ${email}. The page stays as it is, and your work continues.`}
      isOpen
    >
      <SignInForm isOverPage />
    </Dialog>
  )
}
