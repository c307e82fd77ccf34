// Fields beside those of a form: what is kept of them is found by the page that shows it.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, people } from './tiny.ts'

type Member = { name: string; role: string; balance: string; isAdmin: boolean }
type Club = {
  /** fields that are taken, whatever the form has */
  taken?: readonly string[]
  /** the page shows all that came last */
  echoes?: boolean
  /** another form of the same address has the field */
  offersRole?: boolean
  /** a text that changes with each page */
  deals?: boolean
  /** its address */
  place?: string
}

const shown = ({ name, role, balance, isAdmin }: Member) =>
  `<tr><td>${name}</td><td>Role: ${role}</td><td>Balance</td><td>${balance}</td><td>${isAdmin ? 'In charge' : ''}</td></tr>`

/** Members by a form: a list that grows, or one card that is changed. */
const club = (
  { taken = [], echoes = false, offersRole = false, deals = false, place = '/members' }: Club,
  isCard = false,
  sent: URLSearchParams[] = [],
): Handler => {
  let kept: Member[] = [{ name: 'ann', role: 'guest', balance: '0', isAdmin: false }]
  let last = ''
  let pages = 0
  return ({ method, path, body }) => {
    if (path !== place) return [302, '', { location: place }]
    if (method === 'POST') {
      const fields = new URLSearchParams(String(body))
      sent.push(fields)
      const of = (name: string, usual: string) => (taken.includes(name) ? (fields.get(name) ?? usual) : usual)
      const [role, balance] = [of('role', 'guest'), of('balance', '0')]
      const isAdmin = of('is_admin', '') === '1'
      const member = { name: fields.get('name') ?? '', role, balance, isAdmin }
      const before = kept.at(0)
      kept =
        isCard && before ? [{ ...before, ...member, role: fields.has('role') ? role : before.role }] : [...kept, member]
      last = [...fields].map(([name, value]) => `<td>${name}</td><td>${value}</td>`).join('')
      return [302, '', { location: place }]
    }
    pages += 1
    const form = `<form method="post" action="${place}"><input name="name"></form>`
    const other = `<form method="post" action="${place}"><select name="role"><option>guest</option></select></form>`
    const deal = `<p>Today ${'abcdefgh'.charAt(pages % 8).repeat(4)}</p>`
    return [
      200,
      `${form}${offersRole ? other : ''}<table>${kept.map(shown).join('')}<tr>${echoes ? last : ''}</tr></table>${deals ? deal : ''}`,
    ]
  }
}

const found = async (handle: Handler, allowDestructive = false) =>
  (
    await findingsOf(
      handle,
      ['form-fields'],
      {},
      {
        schema: null,
        crawl: true,
        profile: 'DEEP',
        identities: people.slice(0, 1),
        allowDestructive,
      },
    )
  ).map(({ operation, parameter, cwes }) => [operation, parameter?.name, cwes])

test.each(['role', 'balance', 'is_admin'])('%s that a form does not have and that is kept is found', async (name) => {
  expect(await found(club({ taken: [name] }))).toEqual([['POST /members#name', name, [915]]])
})

test.each<[string, Club]>([
  ['takes its own fields alone', {}],
  ['shows whatever it was sent and keeps nothing of it', { echoes: true }],
  ['has the field in another form of the same address', { taken: ['role'], offersRole: true }],
  ['shows another text each time', { deals: true }],
])('a form that %s is not found', async (_, of) => {
  expect(await found(club(of))).toEqual([])
})

test('what was changed to show that it could be is put back', async () => {
  const sent: URLSearchParams[] = []

  const findings = await found(club({ taken: ['role'] }, true, sent))

  expect(findings).toHaveLength(1)
  expect(
    sent
      .filter((fields) => fields.has('role'))
      .map((fields) => fields.get('role'))
      .at(-1),
  ).toBe('guest')
})

test('a form for a new password is sent with nothing beside its fields, but where the scan may', async () => {
  const sent: URLSearchParams[] = []
  const forgotten = { taken: ['role'], place: '/forgot' }

  const without = await found(club(forgotten, false, sent))
  const withLeave = await found(club(forgotten), true)

  expect(without).toEqual([])
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter((fields) => fields.has('role'))).toEqual([])
  expect(withLeave).toEqual([['POST /forgot#name', 'role', [915]]])
})
