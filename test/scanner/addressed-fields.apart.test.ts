// Operations that take their fields in the address: what others change of somebody's, or add to it, and marks that nobody may set.

import { expect, test } from 'vitest'
import { type Described, findingsOf, type Handler, people, places } from './tiny.ts'

type Address = { id: string; owner: string; street: string }
type Account = { id: string; nickname: string; is_admin: boolean }

const described: Described = {
  'GET /me': {},
  'GET /users/{userId}/addresses': { path: { userId: 'user-0' } },
  'POST /users/{userId}/addresses': { path: { userId: 'user-0' }, query: { street: 'Harbour' } },
  'PUT /users/{userId}/addresses/{addressId}': {
    path: { userId: 'user-0', addressId: 'x' },
    query: { street: 'Harbour' },
  },
  'PUT /nickname': { query: { nickname: 'sparrow' } },
}

type Ways = { isGuarded?: boolean; isOpenToRead?: boolean; takesMarks?: boolean }

const shop = ({ isGuarded = false, isOpenToRead = true, takesMarks = false }: Ways): Handler => {
  const accounts: Account[] = ['a', 'b'].map((one) => ({ id: `user-${one}`, nickname: one, is_admin: false }))
  const addresses: Address[] = accounts.map(({ id }, at) => ({ id: `place-${at}`, owner: id, street: `Mill ${at}` }))
  return ({ method, path, query, user }) => {
    const own = accounts.find(({ id }) => id === `user-${user}`)
    if (own === undefined) return [401, { message: 'sign in' }]
    if (path === '/me') return [200, { userId: own.id, ...own }]
    if (path === '/nickname') {
      own.nickname = query.get('nickname') ?? own.nickname
      if (takesMarks && query.has('is_admin')) own.is_admin = query.get('is_admin') === 'true'
      return [200, own]
    }
    const [, , owner = '', , id] = path.split('/')
    if (owner !== own.id && (isGuarded || (method === 'GET' && !isOpenToRead))) return [403, { message: 'not yours' }]
    const theirs = addresses.filter((one) => one.owner === owner)
    const street = query.get('street') ?? ''
    if (method === 'GET') return [200, theirs]
    if (method === 'POST') {
      const made = { id: `place-${addresses.length}`, owner, street }
      addresses.push(made)
      return [201, made]
    }
    const address = theirs.find((one) => one.id === id) ?? theirs[0]
    if (address === undefined) return [404, {}]
    address.street = street
    return [200, address]
  }
}

const found = (ways: Ways, check: string) =>
  findingsOf(shop(ways), [check], described, { profile: 'DEEP', identities: people })

test('what somebody has is changed and added to by others, and found where its owner reads it back', async () => {
  expect(places(await found({}, 'object-change'))).toEqual([
    'POST /users/{userId}/addresses',
    'PUT /users/{userId}/addresses/{addressId}',
  ])
  expect(await found({ isGuarded: true }, 'object-change')).toEqual([])
})

test('what may be left with somebody, who alone reads it, is nothing that was added without leave', async () => {
  expect(places(await found({ isOpenToRead: false }, 'object-change'))).toEqual([
    'PUT /users/{userId}/addresses/{addressId}',
  ])
})

test('a mark that is sent along in the address and kept is found', async () => {
  expect(places(await found({ takesMarks: true }, 'mass-assignment'))).toEqual(['PUT /nickname'])
  expect(await found({}, 'mass-assignment')).toEqual([])
})

/** Whoever is signed in changes any note: its title stands in the body, and a language in the address. */
const notebook = (): Handler => {
  const notes = ['a', 'b'].map((one) => ({ id: `note-${one}`, owner: `user-${one}`, title: `Of ${one}` }))
  return ({ method, path, body, user }) => {
    if (user === null) return [401, { message: 'sign in' }]
    if (path === '/notes') return [200, notes.filter(({ owner }) => owner === `user-${user}`)]
    const note = notes.find(({ id }) => path === `/notes/${id}`)
    if (note === undefined) return [404, {}]
    if (method === 'PUT') note.title = String(Object(body).title)
    return [200, note]
  }
}

test('an operation with a body is changed there, whatever its address has beside', async () => {
  const operations: Described = {
    'GET /notes': {},
    'GET /notes/{noteId}': { path: { noteId: 'x' } },
    'PUT /notes/{noteId}': { path: { noteId: 'x' }, query: { lang: 'en' }, body: { title: 'Shopping' } },
  }

  const findings = await findingsOf(notebook(), ['object-change'], operations, { profile: 'DEEP', identities: people })

  expect(places(findings)).toEqual(['PUT /notes/{noteId}'])
})

test('answers that people leave below a question of somebody are theirs to give', async () => {
  const questions = ['a', 'b'].map((one) => ({ id: `question-${one}`, owner: `user-${one}`, text: `How, ${one}?` }))
  const answers: { question: string; text: string }[] = []
  const board: Handler = ({ method, path, body, user }) => {
    if (user === null) return [401, { message: 'sign in' }]
    if (path === '/questions') return [200, questions.filter(({ owner }) => owner === `user-${user}`)]
    const id = path.split('/')[2] ?? ''
    if (!questions.some((one) => one.id === id)) return [404, {}]
    if (method === 'POST') answers.push({ question: id, text: String(Object(body).text) })
    return [method === 'POST' ? 201 : 200, answers.filter(({ question }) => question === id)]
  }
  const operations: Described = {
    'GET /questions': {},
    'GET /questions/{questionId}/answers': { path: { questionId: 'x' } },
    'POST /questions/{questionId}/answers': { path: { questionId: 'x' }, body: { text: 'So' } },
  }

  const findings = await findingsOf(board, ['object-change'], operations, { profile: 'DEEP', identities: people })

  expect(findings).toEqual([])
})
