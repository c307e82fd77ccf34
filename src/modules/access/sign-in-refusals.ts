// The closed table of reasons why a sign-in at the OpenID provider is refused.

/** Reason → the sentence that the person reads on the page where one signs in. */
export const signInRefusals = {
  DENIED: 'The identity provider did not sign you in: you cancelled, or you may not use Merlon.',
  UNREACHABLE: 'The identity provider cannot be reached, or its response is unusable. Try again later.',
  STATE: 'This sign-in was started in another browser or tab, or more than ten minutes ago. Start again.',
  CODE: 'This sign-in response was already used, or has expired. Sign in again.',
  TOKEN: 'The identity provider’s response could not be verified for this sign-in. Sign in again.',
  UNVERIFIED:
    'The identity provider does not confirm that your email address is verified, so no user can be matched to it.',
  UNKNOWN: 'No user has your email address. An owner of your company can add you.',
  OTHER_SUBJECT: 'The user with your email address has signed in with another account. An administrator can change it.',
  DISABLED: 'Your user is disabled. An administrator can enable it.',
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
