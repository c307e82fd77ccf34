// Pages with what is somebody's alone: those that are shown to others are found, and nothing that is meant for them.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const parcels = [
  { id: '1101', owner: 'a', text: 'Teapot to Harbour 5' },
  { id: '1102', owner: 'a', text: 'Kettle to Harbour 5' },
  { id: '1201', owner: 'b', text: 'Bicycle to Mill 77' },
]
const linksTo = (ids: readonly string[]) => ids.map((id) => `<a href="/parcels/${id}">Parcel</a>`).join('')
const idsOf = (user: string) => parcels.flatMap(({ id, owner }) => (owner === user ? [id] : []))

type Shop = {
  /** the page of a parcel, for whoever asks; null: refused */
  parcel: (id: string, user: string) => string | null
  /** what the list leads somebody to */
  listed?: (user: string) => readonly string[]
  /** another page for everybody who is signed in */
  recent?: () => readonly string[]
  isOpen?: boolean
}

const textOf = (id: string) => parcels.find((parcel) => parcel.id === id)?.text ?? null

/** Parcels that the list of their owner leads to until somebody else opens them. */
function untilOpened(): Shop {
  const opened = new Set<string>()
  return {
    parcel: (id, user) => {
      if (!idsOf(user).includes(id)) opened.add(id)
      return textOf(id)
    },
    listed: (user) => idsOf(user).filter((id) => !opened.has(id)),
  }
}

/** No page says whose it is. */
const shop =
  ({ parcel, listed = idsOf, recent = () => [], isOpen = false }: Shop): Handler =>
  ({ path, user }) => {
    if (user === null && !(isOpen && path.startsWith('/parcels/'))) return [302, '', { location: '/login' }]
    if (path === '/') return [200, '<a href="/parcels">My parcels</a><a href="/recent">Recent</a>']
    if (path === '/parcels') return [200, `<h1>My parcels</h1>${linksTo(listed(user ?? ''))}`]
    if (path === '/recent') return [200, `<h1>Recent</h1>${linksTo(recent())}`]
    const id = /^\/parcels\/(\d+)$/.exec(path)?.[1]
    const text = id === undefined ? null : parcel(id, user ?? '')
    return text === null ? [404, '<p>There is none</p>'] : [200, `<h1>Parcel ${id}</h1><b>On its way</b><p>${text}</p>`]
  }

const found = async (of: Shop) =>
  places(await findingsOf(shop(of), ['object-access'], {}, { schema: null, crawl: true }))

const isOwn = (id: string, user: string) => idsOf(user).includes(id)

test("a page of another's parcel is found by what it shows, without a name on it", async () => {
  expect(await found({ parcel: textOf })).toEqual(['GET /parcels/{parcelId}'])
})

test("what the second person alone is led to is found where the first one's is guarded", async () => {
  expect(await found({ parcel: (id, user) => (isOwn(id, 'a') && user !== 'a' ? null : textOf(id)) })).toEqual([
    'GET /parcels/{parcelId}',
  ])
})

/** Accounts that are chosen from a list, and whose pages show amounts alone. */
const bank =
  (isGuarded: boolean): Handler =>
  ({ path, query, user }) => {
    const accounts = [
      { id: '800102', owner: 'a', balance: '$10041.42' },
      { id: '800103', owner: 'a', balance: '$15077.39' },
      { id: '800201', owner: 'b', balance: '$412.95' },
    ]
    if (user === null) return [302, '', { location: '/login' }]
    const options = accounts.flatMap(({ id, owner }) =>
      owner === user ? [`<option value="${id}">${id}</option>`] : [],
    )
    if (path === '/')
      return [200, `<form action="/balance"><select name="listAccounts">${options.join('')}</select></form>`]
    const account = accounts.find(({ id, owner }) => id === query.get('listAccounts') && (!isGuarded || owner === user))
    return account ? [200, `<h1>Balance</h1><td>${account.balance}</td>`] : [404, '<p>There is none</p>']
  }

test('what lists of a form lead one person to alone is found where others are shown it', async () => {
  const asked = (isGuarded: boolean) =>
    findingsOf(bank(isGuarded), ['object-access'], {}, { schema: null, crawl: true })

  expect(places(await asked(false))).toEqual(['GET /balance?listAccounts'])
  expect(await asked(true)).toEqual([])
})

test.each<[string, Shop]>([
  ['refused to others', { parcel: (id, user) => (isOwn(id, user) ? textOf(id) : null) }],
  ['refused to others with a page of the same form', { parcel: (id, user) => (isOwn(id, user) ? textOf(id) : 'No') }],
  [
    'shown without its address',
    { parcel: (id, user) => (isOwn(id, user) ? textOf(id) : (textOf(id) ?? '').slice(0, 6)) },
  ],
  ['shown to people who are not signed in', { parcel: textOf, isOpen: true }],
  ['listed for everybody', { parcel: textOf, recent: () => parcels.map(({ id }) => id) }],
  ['the same whatever is named', { parcel: () => 'We send parcels on Mondays' }],
  ['listed for its owner at first alone', untilOpened()],
])('a page that is %s is not found', async (_, of) => {
  expect(await found(of)).toEqual([])
})

const MENU = Array.from(
  { length: 60 },
  (_, at) => `<li><a href="/help/${at}">A page of help about subject ${at}</a></li>`,
)

/** Profiles on pages that are a menu for the most part; who is not signed in is asked to, on the same page. */
const profiles =
  (isGuarded: boolean, present = ''): Handler =>
  ({ path, query, user }) => {
    const around = (text: string): [number, string] => [200, `<ul>${MENU.join('')}</ul><p>${text}</p>`]
    const own = user === 'a' ? '2' : '3'
    if (path === '/') return around(user === null ? 'Welcome' : `<a href="/profile?id=${own}">My profile</a>`)
    if (path !== '/profile') return [404, '<p>There is none</p>']
    if (user === null) return around('Please sign in')
    const id = query.get('id') ?? ''
    if (present !== '') return around(`Rules of the shop ${id}. Also here: ${present}`)
    const name = id === '2' ? 'user-a' : id === '3' ? 'user-b' : null
    return around(name === null || (isGuarded && id !== own) ? 'There is none' : `Name: ${name}`)
  }

test.each([
  [false, ['GET /profile?id']],
  [true, []],
])('a page that is like the one for nobody but for its owner (guarded: %s)', async (isGuarded, expected) => {
  const findings = await findingsOf(profiles(isGuarded), ['object-access'], {}, { schema: null, crawl: true })

  expect(places(findings)).toEqual(expected)
})

test('a page that names everybody who is there, whatever is asked for, is nobody alone', async () => {
  const findings = await findingsOf(
    profiles(true, 'user-a, user-b'),
    ['object-access'],
    {},
    { schema: null, crawl: true },
  )

  expect(places(findings)).toEqual([])
})

/** Boxes that are chosen from a list, two of the first person's; the page of a box tells what `about` says of its name. */
const boxes =
  ([one, two, others]: readonly [string, string, string], about: (name: string) => string): Handler =>
  ({ path, query, user }) => {
    if (user === null) return [302, '', { location: '/login' }]
    const options = (user === 'a' ? [one, two] : [others]).map((name) => `<option value="${name}">${name}</option>`)
    if (path === '/') return [200, `<form action="/box"><select name="boxId">${options.join('')}</select></form>`]
    const name = query.get('boxId') ?? ''
    return [one, two, others].includes(name) ? [200, `<h1>Box</h1><td>${about(name)}</td>`] : [404, '<p>None</p>']
  }

const foundOfBoxes = async (names: readonly [string, string, string], about: (name: string) => string) =>
  places(await findingsOf(boxes(names, about), ['object-access'], {}, { schema: null, crawl: true }))

test.each<[string, [string, string, string]]>([
  ['words with spaces', ['red chest', 'old chest', 'blue trunk']],
  ['one word', ['chest', 'case', 'trunk']],
  ['words with hyphens', ['red-chest', 'old-chest', 'blue-trunk']],
])('a page that repeats the name it was asked with, of %s, tells nothing of anybody', async (_, names) => {
  expect(await foundOfBoxes(names, (name) => `Contents of ${name} are on their way`)).toEqual([])
  expect(await foundOfBoxes(names, (name) => `See label-${name}.pdf for it`)).toEqual([])
})

test('a name that is part of a longer number of the page is not repeated by it', async () => {
  expect(await foundOfBoxes(['41', '42', '95'], (name) => `Balance $1${name}412.77`)).toEqual(['GET /box?boxId'])
})
