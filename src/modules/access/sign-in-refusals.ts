// The closed table of reasons why a sign-in at the OpenID provider is refused.

/** Reason → the sentence that the person reads on the page where one signs in. */
export const signInRefusals = {
  DENIED: 'You were not let in there: you left, or you may not use Merlon.',
  UNREACHABLE:
    'The service that you sign in at cannot be reached, or answers nothing that can be used. Try again later.',
  STATE: 'This sign-in was begun in another browser or tab, or more than ten minutes ago. Begin again.',
  CODE: 'What you came back with was used already, or has become too old. Sign in again.',
  TOKEN: 'What the service says of you could not be proven to come from it, for this sign-in, now. Sign in again.',
  UNVERIFIED: 'The service does not say that your e-mail address has been verified, so nobody here can be found by it.',
  UNKNOWN: 'Nobody here has your e-mail address. An owner of your company can add you.',
  OTHER_SUBJECT:
    'The one here with your e-mail address has signed in with another account. An administrator can change it.',
  DISABLED: 'You are shut out here. An administrator can let you in again.',
} as const

type SignInReason = keyof typeof signInRefusals

/** Somebody is not let in; `message` says to the operator's log what was wrong, never a token. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly reason: SignInReason

  constructor(reason: SignInReason, detail: string = reason, cause?: unknown) {
    super(detail, { cause })
    this.reason = reason
  }
}
