// Signing in over REST: tokens, what is told of unknown names, and how often one may guess.
import { type Area, type Call, json, object, Refusal, string, text } from '../route.ts'
import { rows } from '../state.ts'
import { accessToken } from '../tokens.ts'

const MOST_REFUSALS = 10

/** Counts what was refused for a key, and refuses more than ten. */
export const bound = ({ state, on }: Call, flaw: string, key: string): void => {
  if (on(flaw)) return
  const refused = (state.refused.get(key) ?? 0) + 1
  state.refused.set(key, refused)
  if (refused > MOST_REFUSALS) throw new Refusal(429, 'Too many attempts; come back later')
}

export const auth: Area = {
  flaws: [
    {
      id: 'token-alg-none',
      cwe: 347,
      operation: '*',
      shows: 'a token without a signature is taken when it says so',
      said: /none/i,
    },
    {
      id: 'token-signature-cut',
      cwe: 347,
      operation: '*',
      shows: 'a token whose signature was cut off is taken',
      said: /cut|removed|without (?:its|a) signature|empty/i,
    },
    {
      id: 'token-key-confusion',
      cwe: 347,
      operation: '*',
      shows: 'a token signed with the public key as a shared one is taken',
      said: /confus|public key/i,
    },
    {
      id: 'session-weak-key',
      cwe: 1391,
      operation: '*',
      shows: 'the key of session tokens is in a list of common ones',
    },
    { id: 'session-expiry-ignored', cwe: 613, operation: '*', shows: 'a session token that expired is taken' },
    { id: 'login-unlimited', cwe: 307, operation: 'POST /api/login', shows: 'passwords can be guessed without end' },
    {
      id: 'login-default-account',
      cwe: 1392,
      operation: 'POST /api/login',
      parameter: 'password',
      shows: 'the account that every installation has signs in with the password that it came with',
    },
    {
      id: 'pin-unlimited',
      cwe: 307,
      operation: 'POST /api/pin/verify',
      shows: 'a code of four digits can be guessed without end',
    },
    {
      id: 'login-names',
      cwe: 204,
      operation: 'POST /api/login',
      parameter: 'username',
      shows: 'an unknown name is refused in other words',
    },
    {
      id: 'forgot-names',
      cwe: 204,
      operation: 'POST /api/password/forgot',
      parameter: 'email',
      shows: 'an unknown address is answered otherwise',
    },
  ],
  routes: [
    {
      method: 'POST',
      path: '/api/login',
      spec: {
        summary: 'Signs in',
        body: object({ username: string('carol'), password: string('a-guess') }, ['username', 'password']),
        answer: object({ token: string('eyJ') }),
      },
      handle: (call) => {
        const { state, body, on } = call
        const username = text(body.username)
        if (on('login-default-account') && username === 'admin' && body.password === 'admin')
          return json({ token: accessToken(state.keys, 'carol') })
        const [row] = rows(state, 'select name, password from users where name = ?', username)
        if (row !== undefined && row.password === body.password) {
          return json({ token: accessToken(state.keys, String(row.name)) })
        }
        bound(call, 'login-unlimited', `login ${username}`)
        throw new Refusal(
          401,
          row === undefined && on('login-names') ? 'There is no such user' : 'Wrong name or password',
        )
      },
    },
    {
      method: 'POST',
      path: '/api/pin/verify',
      access: 'user',
      spec: {
        summary: 'Confirms with the code that was sent',
        body: object({ pin: string('0000') }, ['pin']),
        answer: object({ confirmed: { type: 'boolean' } }),
      },
      handle: (call) => {
        bound(call, 'pin-unlimited', `pin ${call.user?.name}`)
        throw new Refusal(401, 'This is not the code')
      },
    },
    {
      method: 'POST',
      path: '/api/password/forgot',
      spec: {
        summary: 'Sends a letter to choose a new password',
        body: object({ email: string('carol@shop.example') }, ['email']),
        answer: object({ message: string('sent') }),
      },
      handle: ({ state, body, on }) => {
        const isKnown = rows(state, 'select id from users where email = ?', text(body.email)).length > 0
        if (!isKnown && on('forgot-names')) throw new Refusal(404, 'No account has this address')
        return json({ message: 'If there is an account, a letter is on its way' })
      },
    },
    {
      method: 'GET',
      path: '/.well-known/jwks.json',
      handle: ({ state }) => json({ keys: [state.keys.jwk] }),
    },
  ],
}
