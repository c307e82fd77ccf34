// Roles that people give themselves and keys that are numbers: found where the flaw is, not where it is mended.

import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { digitsOf } from '../../src/scanner/checks/token-digits.ts'
import { findingsOf, type Handler, places } from './tiny.ts'

const described = {
  'GET /profile': {},
  'PATCH /profile': { body: { nickname: 'al' } },
  'PUT /users/role': { body: { username: 'somebody', role: 'Guest' } },
}

type Ways = { isSentAlong?: boolean; isForAll?: boolean; isStrict?: boolean }

/** A club whose members are of three kinds; any other word is a fault of the program. */
function club({ isSentAlong = false, isForAll = false, isStrict = false }: Ways): {
  handle: Handler
  roles: () => string[]
} {
  const members = new Map(
    ['user-a', 'user-b'].map((username) => [username, { username, nickname: '', role: 'Customer' }]),
  )
  const handle: Handler = ({ method, path, user, body }) => {
    const member = members.get(`user-${user}`)
    if (member === undefined) return [401, { message: 'sign in' }]
    const { role, nickname, username } = Object(body)
    const isRole = ['Customer', 'Employee', 'Chef'].includes(role)
    if (path === '/users/role') {
      const other = members.get(username)
      if (!isForAll) return [403, { message: 'not for you' }]
      if (!other || !isRole) return [500, 'failed']
      other.role = role
      return [200, { done: true }]
    }
    if (method === 'PATCH') {
      if (isStrict && Object.keys(Object(body)).some((name) => !Object.hasOwn(member, name))) return [500, 'failed']
      if (role !== undefined && isSentAlong && !isRole) return [500, 'failed']
      if (role !== undefined && isSentAlong) member.role = role
      member.nickname = String(nickname)
    }
    return [200, member]
  }
  return { handle, roles: () => [...members.values()].map(({ role }) => role) }
}

const found = (handle: Handler) => findingsOf(handle, ['mass-assignment', 'own-role'], described, { profile: 'DEEP' })

test('a role that is sent along is found where the target knows only roles of its own, and is put back', async () => {
  const { handle, roles } = club({ isSentAlong: true })

  const findings = await found(handle)

  expect(findings.map(({ check, operation, parameter }) => [check, operation, parameter?.name])).toEqual([
    ['mass-assignment', 'PATCH /profile', 'role'],
  ])
  expect(roles()).toEqual(['Customer', 'Customer'])
})

test('a role that is sent along is found where the target fails on fields that it does not know', async () => {
  const { handle, roles } = club({ isSentAlong: true, isStrict: true })

  expect(places(await found(handle))).toEqual(['PATCH /profile'])
  expect(roles()).toEqual(['Customer', 'Customer'])
})

test('a target that fails on fields that it does not know and takes no role is not found', async () => {
  expect(await found(club({ isStrict: true }).handle)).toEqual([])
})

test('who gives themselves a role by what was made for others is found, and has their own again', async () => {
  const { handle, roles } = club({ isForAll: true })

  const findings = await found(handle)

  expect(findings.map(({ check, operation, cwes }) => [check, operation, cwes])).toEqual([
    ['own-role', 'PUT /users/role', [269, 862]],
  ])
  expect(roles()).toEqual(['Customer', 'Customer'])
})

/** People who say of themselves what they are. */
function people(isTaken: boolean): { handle: Handler; administrators: () => string[] } {
  const known = new Map(['a', 'b'].map((name) => [name, { username: `user-${name}`, bio: '', admin: false }]))
  const handle: Handler = ({ method, user, body }) => {
    const person = known.get(user ?? '')
    if (person === undefined) return [401, { message: 'sign in' }]
    const { bio, admin } = Object(Object(body).user)
    if (method === 'PUT') Object.assign(person, { bio }, isTaken && typeof admin === 'boolean' ? { admin } : {})
    return [200, { user: person }]
  }
  return { handle, administrators: () => [...known.values()].flatMap((one) => (one.admin ? one.username : [])) }
}

const ofPeople = (handle: Handler) =>
  findingsOf(
    handle,
    ['own-role'],
    { 'GET /user': {}, 'PUT /user': { body: { user: { bio: 'tea', admin: false } } } },
    { profile: 'DEEP' },
  )

test('who makes themselves an administrator by a field of their own account is found, and is none again', async () => {
  const { handle, administrators } = people(true)

  const findings = await ofPeople(handle)

  expect(findings.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
    ['PUT /user', 'user.admin'],
  ])
  expect(administrators()).toEqual([])
})

test('a field that the description has within another is meant to be set', async () => {
  const known = { username: 'user-a', bio: '' }
  const handle: Handler = ({ method, user, body }) => {
    if (method === 'PATCH') Object.assign(known, Object(body).user)
    return user === null ? [401, {}] : [200, { user: known }]
  }
  const properties = { bio: { type: 'string' }, username: { type: 'string' }, password: { type: 'string' } }
  const schema = { type: 'object', properties: { user: { type: 'object', properties } } }
  const requestBody = { content: { 'application/json': { schema } } }
  const text = JSON.stringify({
    openapi: '3.0.3',
    components: { schemas: { Registration: { type: 'object', required: ['password'], properties } } },
    paths: { '/user': { patch: { requestBody } } },
  })

  const found = await findingsOf(handle, ['mass-assignment'], {}, { profile: 'DEEP', schema: { name: 'o.json', text } })

  expect(found).toEqual([])
})

test('a field that makes nobody an administrator is not found', async () => {
  expect(await ofPeople(people(false).handle)).toEqual([])
})

test('roles that only those who may give them give are not found', async () => {
  expect(await found(club({}).handle)).toEqual([])
})

const tokenOf = (key: string | Buffer) => {
  const input = [{ alg: 'HS256' }, { sub: 'ann', exp: 2_000_000_000 }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}

test('a token whose key is a number of a few digits is found, one of a random key is not', async () => {
  const service =
    (key: string | Buffer): Handler =>
    ({ user }) =>
      user === null ? [401, {}] : [200, { invitation: tokenOf(key) }]
  const invited = { 'GET /invitation': {} }

  const weak = await findingsOf(service('00317'), ['token-key-digits'], invited)
  const strong = await digitsOf(tokenOf(randomBytes(32)), AbortSignal.timeout(300))

  expect(places(weak)).toEqual(['GET /invitation'])
  expect(weak[0]?.detail).toContain('"00317"')
  expect(strong).toBeNull()
})
