// The counter: what is reached by choosing from a menu, by answering a form with another form, and by a parameter that nothing names.
import { type Area, type Call, escaped, page, text } from '../route.ts'

const DRAWERS = ['teas', 'cups', 'pots']

const guard = ({ on }: Call) =>
  on('notes-other-sites') ? '' : '<input type="hidden" name="csrf_token" value="none-is-asked-for-here">'

export const counter: Area = {
  flaws: [
    {
      id: 'counter-drawer',
      cwe: 79,
      operation: 'GET /counter/drawer',
      parameter: 'label',
      shows: 'markup is answered as markup on a page that a choice of a menu leads to',
    },
    {
      id: 'counter-slip',
      cwe: 79,
      operation: 'POST /counter/slip',
      parameter: 'note',
      shows: 'markup is answered as markup by a form that only the answer to another form shows',
    },
    {
      id: 'counter-greeting',
      cwe: 79,
      operation: 'GET /counter/greeting',
      parameter: 'name',
      shows: 'a page shows a parameter that nothing names',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/counter',
      handle: (call) =>
        page(
          'Counter',
          `<form action="/counter" method="post"><select name="drawer">
           ${DRAWERS.map((name, at) => `<option value="${at}">The ${name}</option>`).join('')}</select>${guard(call)}
           <button>Open</button></form>
           <form action="/counter/preview" method="post"><input name="item">${guard(call)}<button>Preview</button></form>
           <a href="/counter/greeting">Say hello</a>`,
        ),
    },
    {
      method: 'POST',
      path: '/counter',
      handle: ({ body }) => {
        const at = Number(text(body.drawer)) || 0
        const location = at === 1 ? '/counter/drawer?label=Cups' : '/counter/greeting'
        return { status: 303, headers: { location }, body: '' }
      },
    },
    {
      method: 'GET',
      path: '/counter/drawer',
      handle: ({ on, query }) => {
        const { label = '' } = query
        return page('Drawer', `<p>${on('counter-drawer') ? label : escaped(label)}</p>`)
      },
    },
    {
      method: 'POST',
      path: '/counter/preview',
      handle: (call) =>
        page(
          'Preview',
          `<p>${escaped(text(call.body.item))}</p><form action="/counter/slip" method="post"><input name="note">
           ${guard(call)}<button>Write it</button></form>`,
        ),
    },
    {
      method: 'POST',
      path: '/counter/slip',
      handle: ({ on, body }) => {
        const note = text(body.note)
        return page('Slip', `<p>${on('counter-slip') ? note : escaped(note)}</p>`)
      },
    },
    {
      method: 'GET',
      path: '/counter/greeting',
      handle: ({ on, query }) => {
        const { name = 'you' } = query
        return page('Hello', `<p>Hello ${on('counter-greeting') ? name : escaped(name)}</p>`)
      },
    },
  ],
}
