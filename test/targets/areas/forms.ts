// Pages of the shop with links and forms, for people: searching, signing in, notes, redirects.
import { randomBytes } from 'node:crypto'
import { type Area, type Call, escaped, page, Refusal, text } from '../route.ts'
import { rows } from '../state.ts'
import { sessionToken } from '../tokens.ts'
import { bound } from './auth.ts'

/** A hidden field with a token that the form must send back; nothing where the flaw leaves it out. */
export const formToken = ({ on, state }: Call, flaw: string): string => {
  if (on(flaw)) return ''
  const token = randomBytes(16).toString('hex')
  state.formTokens.add(token)
  return `<input type="hidden" name="csrf_token" value="${token}">`
}
export const refuseOtherSites = ({ on, state, body }: Call, flaw: string): void => {
  if (!on(flaw) && !state.formTokens.delete(text(body.csrf_token))) throw new Refusal(403, 'This form is out of date')
}

const cookie = (on: Call['on'], token: string) =>
  [
    `session=${token}; Path=/`,
    on('cookie-script') ? '' : '; HttpOnly',
    on('cookie-plain') ? '' : '; Secure',
    on('cookie-sites') ? '' : '; SameSite=Strict',
  ].join('')

const raw = (call: Call, flaw: string, value: string) => (call.on(flaw) ? value : escaped(value))

export const forms: Area = {
  flaws: [
    { id: 'search-script', cwe: 79, operation: 'GET /search', parameter: 'q', shows: 'markup is answered as markup' },
    { id: 'greet-attribute', cwe: 79, operation: 'GET /greet', parameter: 'name', shows: 'a quote ends an attribute' },
    {
      id: 'track-script',
      cwe: 79,
      operation: 'GET /track',
      parameter: 'code',
      shows: 'a quote ends a text in a script',
    },
    {
      id: 'notes-stored',
      cwe: 79,
      operation: 'POST /notes',
      parameter: 'text',
      shows: 'markup that was kept is shown as markup',
    },
    {
      id: 'notes-other-sites',
      cwe: 352,
      operation: '*',
      shows: 'a form that changes something has no token',
      said: /token/i,
    },
    {
      id: 'signin-sql',
      cwe: 89,
      operation: 'POST /signin',
      parameter: 'username',
      shows: 'a quote makes SQLite complain',
    },
    { id: 'go-anywhere', cwe: 601, operation: 'GET /go', parameter: 'to', shows: 'any address is redirected to' },
    {
      id: 'leave-anywhere',
      cwe: 601,
      operation: 'GET /leave',
      parameter: 'next',
      shows: 'an address without a scheme is redirected to',
    },
    { id: 'lang-header', cwe: 113, operation: 'GET /lang', parameter: 'code', shows: 'a line break makes a header' },
    { id: 'host-link', cwe: 644, operation: 'GET /forgot', shows: 'a link has the host that the request named' },
    { id: 'cookie-script', cwe: 1004, operation: '*', shows: 'scripts may read the session cookie' },
    { id: 'cookie-plain', cwe: 614, operation: '*', shows: 'the session cookie goes over unencrypted connections' },
    { id: 'cookie-sites', cwe: 1275, operation: '*', shows: 'the session cookie goes with requests of other sites' },
  ],
  routes: [
    {
      method: 'GET',
      path: '/search',
      handle: (call) => {
        const { q = '' } = call.query
        const found = rows(call.state, 'select name from products where name = ?', q)
        return page(
          'Search',
          `<h1>Results for ${raw(call, 'search-script', q)}</h1><p>${found.length} found</p>
           <form action="/search"><input name="q" value="teapot"><button>Search</button></form>`,
        )
      },
    },
    {
      method: 'GET',
      path: '/greet',
      handle: (call) => {
        const { name = 'you' } = call.query
        const safe = name.replace(/[<>]/g, '')
        return page(
          'Hello',
          `<form action="/greet"><input name="name" value="${raw(call, 'greet-attribute', safe)}"></form>`,
        )
      },
    },
    {
      method: 'GET',
      path: '/track',
      handle: (call) => {
        const { code = 'A1' } = call.query
        const value = call.on('track-script') ? code.replace(/[<>]/g, '') : code.replace(/[^\w-]/g, '')
        return page('Parcel', `<p id="parcel">Looking</p><script>var code = '${value}'; var done = false</script>`)
      },
    },
    {
      method: 'GET',
      path: '/notes',
      handle: (call) => {
        const shown = call.state.notes.slice(-200).map((note) => `<li>${raw(call, 'notes-stored', note.text)}</li>`)
        return page(
          'Guest book',
          `<ul>${shown.join('')}</ul><form action="/notes" method="post">${formToken(call, 'notes-other-sites')}
           <input name="author" value="carol"><textarea name="text">So nice</textarea><button>Write</button></form>`,
        )
      },
    },
    {
      method: 'POST',
      path: '/notes',
      handle: (call) => {
        refuseOtherSites(call, 'notes-other-sites')
        const { notes } = call.state
        notes.push({ id: notes.length + 1, author: text(call.body.author), text: text(call.body.text) })
        return { status: 303, headers: { location: '/notes' }, body: '' }
      },
    },
    {
      method: 'GET',
      path: '/signin',
      handle: (call) =>
        page(
          'Sign in',
          `<form action="/signin" method="post">${formToken(call, 'notes-other-sites')}<input name="username" value="carol">
           <input type="password" name="password"><button>Sign in</button></form>`,
        ),
    },
    {
      method: 'POST',
      path: '/signin',
      handle: (call) => {
        refuseOtherSites(call, 'notes-other-sites')
        const { state, body, on } = call
        const name = text(body.username)
        let found: Record<string, unknown>[]
        try {
          found = on('signin-sql')
            ? rows(state, `select name, password from users where name = '${name}'`)
            : rows(state, 'select name, password from users where name = ?', name)
        } catch (error) {
          throw new Refusal(500, error instanceof Error ? `SQLite error: ${error.message}` : 'failed')
        }
        const [row] = found
        if (row === undefined || row.password !== body.password) {
          bound(call, 'signin-unlimited', `page ${name}`)
          return page('Sign in', '<p>Wrong name or password</p>', 401)
        }
        const token = sessionToken(state.keys, String(row.name), on)
        return { status: 303, headers: { location: '/', 'set-cookie': cookie(on, token) }, body: '' }
      },
    },
    {
      method: 'GET',
      path: '/account',
      access: 'user',
      handle: ({ user }) => page('Account', `<h1>Account of ${escaped(user?.name ?? '')}</h1>`),
    },
    {
      method: 'GET',
      path: '/go',
      handle: ({ on, query }) => {
        const { to = '/' } = query
        const location = on('go-anywhere') || /^\/(?![/\\])/.test(to) ? to.replace(/[\r\n]/g, '') : '/'
        return { status: 302, headers: { location: encodeURI(location) }, body: '' }
      },
    },
    {
      method: 'GET',
      path: '/leave',
      handle: ({ on, query }) => {
        const { next = '/' } = query
        const isRefused = on('leave-anywhere') ? /^[a-z]+:/i.test(next) : !/^\/(?![/\\])/.test(next)
        return {
          status: 302,
          headers: { location: isRefused ? '/' : encodeURI(next.replace(/[\r\n]/g, '')) },
          body: '',
        }
      },
    },
    {
      method: 'GET',
      path: '/lang',
      handle: ({ on, query }) => {
        const { code = 'en' } = query
        if (!on('lang-header')) return page('Language', '<p>Set</p>', 200, { 'x-language': code.replace(/\W/g, '') })
        return { ...page('Language', '<p>Set</p>'), rawHeaders: `x-language: ${code}\r\n` }
      },
    },
    {
      method: 'GET',
      path: '/forgot',
      handle: ({ on, headers }) => {
        const host = on('host-link') ? (headers['x-forwarded-host'] ?? headers.host ?? '') : 'shop.example'
        return page('Password', `<a href="http://${escaped(host)}/reset">Choose a new one</a>`)
      },
    },
  ],
}
