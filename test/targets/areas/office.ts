// The back office: pages that are for few, and the ways in which others get in by what they say of themselves.
import { type Area, type Call, page, Refusal } from '../route.ts'

const MENU = ['ledger', 'vault', 'archive'].map((name) => `<li><a href="/office/${name}">The ${name}</a></li>`)

function room(title: string, lines: readonly string[], mayEnter: boolean) {
  if (!mayEnter) throw new Refusal(403, 'This room is not for you')
  return page(title, `<h1>${title}</h1><ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`)
}

const comesFromInside = ({ headers }: Call): boolean => headers['x-forwarded-for'] === '127.0.0.1'

export const office: Area = {
  flaws: [
    {
      id: 'office-rank-cookie',
      cwe: 565,
      operation: 'GET /office/ledger',
      shows: 'a cookie says who may read the ledger',
      said: /rank/,
    },
    {
      id: 'office-claimed-address',
      cwe: 290,
      operation: 'GET /office/vault',
      shows: 'whoever says that he asks from the server itself is let into the vault',
    },
    {
      id: 'office-other-spelling',
      cwe: 289,
      operation: 'GET /office/archive',
      shows: 'the archive is refused, and open with a slash behind its name',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/office',
      handle: () =>
        page('Office', `<ul>${MENU.join('')}</ul>`, 200, {
          'set-cookie': 'rank=clerk; Path=/office; HttpOnly; Secure; SameSite=Strict',
        }),
    },
    {
      method: 'GET',
      path: '/office/ledger',
      handle: ({ on, cookies }) =>
        room(
          'The ledger',
          ['Teapots: 17 sold', 'Kettles: 4 sold', 'Owed by the mill: 120'],
          on('office-rank-cookie') && cookies.rank === 'admin',
        ),
    },
    {
      method: 'GET',
      path: '/office/vault',
      handle: (call) =>
        room(
          'The vault',
          ['First drawer: seals', 'Second drawer: keys'],
          call.on('office-claimed-address') && comesFromInside(call),
        ),
    },
    { method: 'GET', path: '/office/archive', handle: () => room('The archive', [], false) },
    {
      method: 'GET',
      path: '/office/archive/',
      handle: ({ on }) =>
        room('The archive', ['Letters of last year', 'Bills of last year'], on('office-other-spelling')),
    },
  ],
}
