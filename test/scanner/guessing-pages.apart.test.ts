// Guesses at the sign-in of a page: what people read there may speak of a limit, and what only its markup has does not.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const signIn =
  (refusal: string): Handler =>
  ({ path, method }) => {
    const form = `<form method="post" action="/login"><i class="icon icon-locked"></i><input name="username">
      <input type="password" name="password"><button>Sign in</button></form>`
    return path === '/login' ? [200, method === 'POST' ? `<p>${refusal}</p>${form}` : form] : [404, '']
  }

const found = async (refusal: string) =>
  places(
    await findingsOf(signIn(refusal), ['unlimited-guessing'], {}, (url) => ({
      target: `${url}/login`,
      schema: null,
      crawl: true,
      identities: [],
    })),
  )

test('an icon of a lock is no limit, and a sentence that says so is', async () => {
  expect(await found('Invalid user name or password')).toEqual(['POST /login#password&username'])
  expect(await found('Invalid password: your account is locked')).toEqual([])
})
