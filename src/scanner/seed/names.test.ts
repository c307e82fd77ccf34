// What words of names tell: values for fields, and which operations change or ask for a password.

import { expect, test } from 'vitest'
import { asksForReset, isDestructive, isPasswordForm, mayOpen, valueByName } from './names.ts'

test.each(['age', 'userAge', 'user_age', 'minAge', 'AGE', 'USER_AGE', 'port', 'serverPort', 'smtp_port'])(
  'a field %s takes a number',
  (name) => {
    expect(valueByName(name)).toBe('1')
  },
)

test.each(['domain', 'domainName', 'DOMAIN'])('a field %s takes the name of a host', (name) => {
  expect(valueByName(name)).toBe('example.com')
})

test.each(['message', 'report', 'passport', 'language', 'MESSAGE'])('a field %s takes a text', (name) => {
  expect(valueByName(name)).not.toBe('1')
})

test.each(['/reset-password', '/auth/reset-password', '/change-password/', '/newpassword'])(
  '%s is where one chooses a password',
  (path) => {
    expect(isPasswordForm(path)).toBe(true)
  },
)

test.each([
  '/passwords/clear',
  '/accounts/1/delete-password',
  '/reset-password/1',
  '/users/1/reset-password',
  '/reset',
])('%s may do something when it is opened', (path) => {
  expect(isPasswordForm(path)).toBe(false)
})

test.each([
  'POST /password/forgot',
  'POST /auth/forget-password',
  'POST /password_reset',
  'POST /graphql#Mutation.requestPasswordReset',
  'POST /recovery',
  'POST /accounts/recover',
  'POST /recover-password',
  'POST /graphql#Mutation.recoverAccount',
  'POST /password-recovery/start',
  'POST /recovery/start',
  'POST /recover/{email}',
  'POST /send-recovery-email',
  'POST /recovery_link',
  'POST /recover-by-mail',
  'POST /graphql#Mutation.startRecovery',
  'POST /graphql#Mutation.recoverAccountByEmail',
  'POST /graphql#Mutation.sendRecoveryLink',
])('%s asks for a new password', (key) => {
  expect(asksForReset(key)).toBe(true)
})

test.each([
  'POST /login',
  'POST /password/check',
  'GET /news',
  'POST /send-code',
  'GET /reminders/{id}',
  'POST /reminder',
  'POST /recovery-plans',
  'PUT /recovery_plans/{id}',
  'POST /documents/{id}/recover-version',
  'GET /recovered',
  'POST /recovery-codes',
])('%s asks for none', (key) => {
  expect(asksForReset(key)).toBe(false)
})

test.each(['/reset-password/{token}', '/auth/password-reset/{reset_token}', '/api/v1/reset_password/{key} showReset'])(
  'the page %s, which a token alone opens, is opened and not sent to',
  (words) => {
    expect(isDestructive('GET', words)).toBe(false)
    expect(isDestructive('POST', words)).toBe(true)
  },
)

test.each(['/reset-password/{id}', '/users/{id}/reset-password', '/reset/{token}', '/reset-password/{token}/confirm'])(
  '%s may replace a password by being opened',
  (words) => {
    expect(isDestructive('GET', words)).toBe(true)
  },
)

test('a link that asks a new password for somebody is not opened, and one to the form for it is', () => {
  expect(mayOpen(new URL('http://shop.example/forgot?email=ann@shop.example'))).toBe(false)
  expect(mayOpen(new URL('http://shop.example/forgot'))).toBe(true)
  expect(mayOpen(new URL('http://shop.example/list?page=2'))).toBe(true)
  for (const path of [
    '/users/12/forgot-password',
    '/forgot/ann@shop.example',
    '/forgot?who=ann',
    '/forgot?page=1&to=ann',
    '/forgot/ann',
    '/forgot/jo',
    '/users/al/forgot-password',
    '/password/forgot/ann/send',
    '/users/ann/forgot-password',
    '/recover-account/ann',
    '/recover/ann',
    '/recovery/send/ann',
    '/startRecovery?for=ann',
  ])
    expect(mayOpen(new URL(path, 'http://shop.example/'))).toBe(false)
  for (const path of [
    '/index.php?page=forgot-password.php',
    '/forgot?lang=en',
    '/users/12/reminders?sort=date',
    '/auth/forgot-password/done',
    '/en/accounts/forgot',
    '/forgot/pt-br',
    '/recovery-plans/ann',
  ])
    expect(mayOpen(new URL(path, 'http://shop.example/'))).toBe(true)
})
