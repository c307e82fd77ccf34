// The service desk: pages whose links and choices are made by scripts, forms with several buttons, and what they keep of their visitor.
import { type Area, type Call, escaped, page, Refusal, text } from '../route.ts'

/** Written the way that a script of the page turns into links. */
const HELP = `<pre id="help">## The desk
* [Say hello](/desk/greeting)
* [Choose a language](/desk/language)
* [Get a ticket](/desk/tickets)
* [Your profile](/desk/profile)
* [Continue](/desk/resume?state=a%3A1%3A%7Bi%3A0%3Bs%3A3%3A%22tea%22%3B%7D)
</pre><script>var help = document.getElementById('help')
help.innerHTML = help.textContent.replace(/\\[([^\\]]*)\\]\\(([^)]*)\\)/g, '<a href="$2">$1</a>')</script>`

/** The level is a choice of the visitor: whatever is none of these is the careful one. */
const isCareful = ({ cookies }: Call) => !['', 'plain'].includes(cookies.level ?? '')

let tickets = 0

export const desk: Area = {
  flaws: [
    {
      id: 'desk-greeting',
      cwe: 79,
      operation: 'GET /desk/greeting',
      parameter: 'name',
      shows: 'markup is answered as markup where one of two buttons is pressed',
    },
    {
      id: 'desk-language',
      cwe: 79,
      operation: 'GET /desk/language',
      shows: 'a script writes a value of the query into a list',
      needs: 'browser',
    },
    {
      id: 'desk-ticket-counted',
      cwe: 340,
      operation: 'POST /desk/tickets',
      shows: 'a session is numbered',
    },
    {
      id: 'desk-password-other-sites',
      cwe: 352,
      operation: 'GET /desk/profile',
      shows: 'a new password is taken from an address without a token',
      said: /desk\/profile/,
    },
    {
      id: 'desk-state-object',
      cwe: 502,
      operation: 'GET /desk/resume',
      parameter: 'state',
      shows: 'an object in a value is read back, and its class is complained of',
      said: /object/i,
    },
  ],
  routes: [
    { method: 'GET', path: '/desk', handle: () => page('Desk', HELP) },
    {
      method: 'GET',
      path: '/desk/greeting',
      handle: (call) => {
        const { name = '', show } = call.query
        if (call.query.clear !== undefined) call.state.notes.length = 0
        const said = call.on('desk-greeting') && !isCareful(call) ? name : escaped(name)
        return page(
          'Hello',
          `<p><form action="/desk/greeting"><div><input name="name"></div><button name="show">Show</button>
           <button name="clear" value="1">Clear the notes</button></form></p>${show === undefined ? '' : `<p>Hello ${said}</p>`}
           <form action="/desk/level" method="post"><select name="level"><option>plain</option><option>careful</option></select>
           ${call.on('notes-other-sites') ? '' : '<input type="hidden" name="csrf_token" value="none-is-asked-for-here">'}
           <button>Keep</button></form>`,
        )
      },
    },
    {
      method: 'POST',
      path: '/desk/level',
      handle: ({ body }) => {
        const level = text(body.level) === 'plain' ? 'plain' : 'careful'
        return {
          status: 303,
          headers: {
            location: '/desk/greeting',
            'set-cookie': `level=${level}; Path=/; HttpOnly; Secure; SameSite=Strict`,
          },
          body: '',
        }
      },
    },
    {
      method: 'GET',
      path: '/desk/language',
      handle: ({ on }) =>
        page(
          'Language',
          `<form action="/desk/language"><select name="lang"><script>
           var at = location.href.indexOf('lang=')
           var chosen = at < 0 ? 'English' : decodeURI(location.href.slice(at + 5))
           ${on('desk-language') ? '' : "chosen = chosen.replace(/[^A-Za-z]/g, '')"}
           document.write('<option value="' + chosen + '">' + chosen + '</option><option value="French">French</option>')
           </script></select><button>Choose</button></form>`,
        ),
    },
    {
      method: 'GET',
      path: '/desk/tickets',
      handle: ({ on }) =>
        page(
          'Tickets',
          `<form action="/desk/tickets" method="post"><button>Get one</button>
           ${on('notes-other-sites') ? '' : '<input type="hidden" name="csrf_token" value="none-is-asked-for-here">'}</form>`,
        ),
    },
    {
      method: 'POST',
      path: '/desk/tickets',
      handle: ({ on }) => {
        tickets += 1
        const ticket = on('desk-ticket-counted') ? String(tickets) : crypto.randomUUID()
        const set = `ticket_session=${ticket}; Path=/desk; HttpOnly; Secure; SameSite=Strict`
        return page('Ticket', '<p>It is yours</p>', 200, { 'set-cookie': set })
      },
    },
    {
      method: 'GET',
      path: '/desk/profile',
      access: 'user',
      handle: ({ on, query }) => {
        const isChanged = query.password_new !== undefined
        if (isChanged && !on('desk-password-other-sites')) throw new Refusal(403, 'This form is out of date')
        return page(
          'Password',
          `<form action="/desk/profile">New <input type="password" name="password_new">
           Again <input type="password" name="password_conf">
           ${on('desk-password-other-sites') ? '' : '<input type="hidden" name="csrf_token" value="6d1f0c7be2a94853">'}
           <button name="change">Change</button></form>${isChanged ? '<p>Changed</p>' : ''}`,
        )
      },
    },
    {
      method: 'GET',
      path: '/desk/resume',
      handle: ({ on, query }) => {
        const { state = '' } = query
        const named = /^[OC]:\d+:"(\w+)"/.exec(state)?.[1]
        if (named !== undefined && on('desk-state-object')) {
          return page('Desk', `<p>Uncaught Exception: Unserialization of '${named}' is not allowed</p>`, 500)
        }
        return page('Desk', '<p>Welcome back</p>')
      },
    },
  ],
}
