// Parcels of people as pages: a list of one's own, each on a page that does not say whose it is, and a form that hands one in.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Area, type Call, escaped, page, plain, Refusal, text } from '../route.ts'
import { rows } from '../state.ts'
import { formToken, refuseOtherSites } from './forms.ts'

/** Parcels that the list shows, the oldest first. */
const MOST_LISTED = 30

function parcelOf({ on, state, params, user }: Call): Record<string, unknown> {
  const [parcel] = rows(state, 'select * from parcels where id = ?', Number(params.id) || 0)
  if (parcel === undefined || (!on('parcel-of-others') && parcel.owner !== user?.id))
    throw new Refusal(404, 'There is no such parcel')
  return parcel
}

function paper(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Refusal(404, 'There is no such paper')
  }
}

export const parcels: Area = {
  flaws: [
    {
      id: 'parcel-of-others',
      cwe: 639,
      operation: 'GET /parcels/{parcelId}',
      parameter: 'parcelId',
      shows: 'the page of a parcel is shown to others, and does not name its owner',
    },
    {
      id: 'parcel-price',
      cwe: 915,
      operation: 'POST /parcels',
      parameter: 'price',
      shows: 'a field that the form does not have is kept and shown',
    },
    {
      id: 'parcel-note-stored',
      cwe: 79,
      operation: 'POST /parcels',
      parameter: 'note',
      shows: 'markup that was kept is shown as markup on the page that the form makes',
    },
    {
      id: 'paper-any-name',
      cwe: 552,
      operation: 'GET /papers',
      parameter: 'file',
      shows: 'a file is handed out by any name, the settings beside it too',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/papers',
      handle: ({ on, state, query }) => {
        const name = basename(query.file ?? 'customs.txt')
        if (!on('paper-any-name') && name !== 'customs.txt') throw new Refusal(404, 'There is no such paper')
        return plain(paper(join(state.folder, '..', 'papers', name)))
      },
    },
    {
      method: 'GET',
      path: '/parcels',
      access: 'user',
      handle: (call) => {
        const own = rows(
          call.state,
          'select id, item from parcels where owner = ? order by id limit ?',
          call.user?.id ?? 0,
          MOST_LISTED,
        )
        const items = own.map(({ id, item }) => `<li><a href="/parcels/${id}">${escaped(String(item))}</a></li>`)
        return page(
          'Parcels',
          `<ul>${items.join('')}</ul><a href="/papers?file=customs.txt">For the customs</a><form action="/parcels" method="post">${formToken(call, 'notes-other-sites')}
           <input name="item" value="umbrella"><textarea name="note">With care</textarea><button>Hand in</button></form>`,
        )
      },
    },
    {
      method: 'POST',
      path: '/parcels',
      access: 'user',
      handle: (call) => {
        refuseOtherSites(call, 'notes-other-sites')
        const { on, state, body, user } = call
        const price = on('parcel-price') && body.price !== undefined ? text(body.price) : '12'
        const [made] = rows(
          state,
          'insert into parcels (owner, item, note, price) values (?, ?, ?, ?) returning id',
          user?.id ?? 0,
          text(body.item),
          text(body.note),
          price,
        )
        return { status: 303, headers: { location: `/parcels/${made?.id}` }, body: '' }
      },
    },
    {
      method: 'GET',
      path: '/parcels/{id}',
      access: 'user',
      handle: (call) => {
        const { item, note, price } = parcelOf(call)
        const said = call.on('parcel-note-stored') ? String(note) : escaped(String(note))
        return page(
          'Parcel',
          `<h1>Parcel</h1><dl><dt>Item</dt><dd>${escaped(String(item))}</dd><dt>Price</dt><dd>${escaped(String(price))}</dd></dl>
           <p>${said}</p>`,
        )
      },
    },
  ],
}
