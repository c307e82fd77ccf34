// The lobby: a greeting in a page that scripts compile, a way out that refuses some addresses, and a mailbox with a number.
import { type Area, type Call, escaped, page, Refusal } from '../route.ts'
import { userBy } from '../state.ts'

const ROOMS = ['notes', 'help']

/** Whose mailbox it is: of whoever is signed in, or of whoever has the number. */
const guestOf = ({ on, user, cookies, state }: Call) =>
  user ?? (on('lobby-guest-number') ? userBy(state, 'id', Number(cookies.guest)) : undefined)

export const lobby: Area = {
  flaws: [
    {
      id: 'lobby-expression',
      cwe: 1336,
      operation: 'GET /lobby/greeting',
      parameter: 'name',
      shows: 'an expression stands where the page is compiled in the browser',
    },
    {
      id: 'lobby-number-host',
      cwe: 601,
      operation: 'GET /lobby/out',
      parameter: 'to',
      shows: 'dots and slashes are refused, and a host that is written as a number is not',
    },
    {
      id: 'lobby-guest-number',
      cwe: 565,
      operation: 'GET /lobby/mailbox',
      shows: 'a cookie with the number of the account opens it without a session',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/lobby',
      access: 'user',
      handle: ({ user }) =>
        page(
          'Lobby',
          `<a href="/lobby/greeting?name=you">Greeting</a> <a href="/lobby/out?to=notes">Out</a> <a href="/lobby/mailbox">Mailbox</a>`,
          200,
          { 'set-cookie': `guest=${user?.id ?? 0}; Path=/lobby; HttpOnly; Secure; SameSite=Strict` },
        ),
    },
    {
      method: 'GET',
      path: '/lobby/greeting',
      handle: ({ on, query }) => {
        const { name = '' } = query
        const kept = on('lobby-expression') ? '' : ' ng-non-bindable'
        return page('Greeting', `<div ng-app><p${kept}>Hello ${escaped(name)}</p></div>`)
      },
    },
    {
      method: 'GET',
      path: '/lobby/out',
      handle: ({ on, query }) => {
        const { to = '' } = query
        const isTaken = on('lobby-number-host') ? !/[./]/.test(to) : ROOMS.includes(to)
        if (!isTaken) throw new Refusal(400, 'This leads nowhere')
        return {
          status: 302,
          headers: { location: ROOMS.includes(to) ? `/${to}` : encodeURI(to.toWellFormed()) },
          body: '',
        }
      },
    },
    {
      method: 'GET',
      path: '/lobby/mailbox',
      handle: (call) => {
        const guest = guestOf(call)
        if (guest === undefined) throw new Refusal(401, 'Sign in first')
        return page(
          'Mailbox',
          `<h1>Mailbox of ${guest.name}</h1><ul><li>To ${guest.email}: your key is ready</li></ul>`,
        )
      },
    },
  ],
}
