// A sign-in that tests guess at, and how it is described.

import type { Described, Handler } from './tiny.ts'

type Ways = { limit?: number; isTelling?: boolean; isNoisy?: boolean }

export const login = ({ limit = Number.POSITIVE_INFINITY, isTelling = false, isNoisy = false }: Ways): Handler => {
  let refused = 0
  return ({ path, body, user }) => {
    if (path !== '/login') return user === null ? [401, {}] : [200, { username: `user-${user}` }]
    const name = typeof body === 'object' && body !== null && 'username' in body ? body.username : ''
    refused += 1
    if (refused > limit) return [429, { message: 'too many attempts' }]
    const isKnown = name === 'user-a' || name === 'user-b'
    const message = isTelling && !isKnown ? 'This user does not exist here' : 'Wrong name or password'
    return [
      401,
      isNoisy
        ? { message, hint: ['a tip for today', 'another piece of advice', 'some words'][refused % 3] }
        : { message },
    ]
  }
}
export const described: Described = {
  'POST /login': { body: { username: 'somebody', password: 'x' }, isOpen: true },
  'GET /me': {},
  'POST /register': { body: { username: 'somebody', password: 'x' }, isOpen: true },
}
