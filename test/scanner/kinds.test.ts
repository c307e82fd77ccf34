// Whether the words of an operation say that it reads, makes or changes.

import { expect, test } from 'vitest'
import { kindOf } from '../../src/scanner/seed/names.ts'

test.each([
  ['/users register_user', 'create'],
  ['/users api_views.users.register', 'create'],
  ['/settings', 'create'],
  ['/users/search', 'read'],
  ['/users getUsers', 'read'],
  ['/users check_login', 'read'],
  ['/profile updateProfile', 'update'],
])('POST of %s is to %s', (words, kind) => {
  expect(kindOf('POST', words)).toBe(kind)
})
