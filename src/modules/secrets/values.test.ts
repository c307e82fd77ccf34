// The rules of a secret's values.

import { describe, expect, test } from 'vitest'
import { parseValues, readValues, type SecretType, writeValues } from './values.ts'

const form = {
  loginUrl: 'https://example.test/login',
  username: 'u',
  password: 'p',
  usernameSelector: '#u',
  passwordSelector: '#p',
}

describe('values of secrets', () => {
  test.each<[SecretType, Record<string, unknown>]>([
    ['BASIC_AUTH', { username: 'ü', password: 'p:ß' }],
    ['BEARER_TOKEN', { token: 'a.b-c_d~e+f/g==' }],
    ['HEADER', { name: 'Authorization', value: 'Custom é' }],
    ['COOKIE', { name: '__Host-id', value: '"a,b"' }],
    ['QUERY_PARAMETER', { name: 'ключ[]', value: 'any & thing' }],
    ['FORM_LOGIN', form],
    ['FORM_LOGIN', { ...form, submitSelector: 'button[type=submit]' }],
  ])('%s takes %j, and writes and parses back to it', (type, given) => {
    const read = readValues(type, { ...given, token: given.token ?? null })

    expect(read).toEqual({ values: { type, ...given } })
    if ('values' in read) expect(parseValues(writeValues(read.values))).toEqual(read.values)
  })

  test.each<[SecretType, string, Record<string, unknown>]>([
    ['BASIC_AUTH', 'password', { username: 'u' }],
    ['BASIC_AUTH', 'username', { username: '', password: 'p' }],
    ['BASIC_AUTH', 'username', { username: 'a:b', password: 'p' }],
    ['BASIC_AUTH', 'password', { username: 'a', password: 'p\r\nx' }],
    ['BASIC_AUTH', 'token', { username: 'a', password: 'p', token: 't' }],
    ['BEARER_TOKEN', 'token', {}],
    ['BEARER_TOKEN', 'token', { token: 'a b' }],
    ['BEARER_TOKEN', 'token', { token: 'x'.repeat(16_385) }],
    ['HEADER', 'name', { name: 'a b', value: 'v' }],
    ['HEADER', 'name', { name: 'Host', value: 'v' }],
    ['HEADER', 'value', { name: 'X-Key', value: 'a\nb' }],
    ['HEADER', 'value', { name: 'X-Key', value: '→' }],
    ['COOKIE', 'name', { name: 'a=b', value: 'v' }],
    ['COOKIE', 'value', { name: 'a', value: 'v; Path=/' }],
    ['QUERY_PARAMETER', 'name', { name: '', value: 'v' }],
    ['QUERY_PARAMETER', 'value', { name: 'a', value: 'b\u0000' }],
    ['FORM_LOGIN', 'usernameSelector', { ...form, usernameSelector: null }],
    ['FORM_LOGIN', 'loginUrl', { ...form, loginUrl: 'javascript:alert(1)' }],
    ['FORM_LOGIN', 'loginUrl', { ...form, loginUrl: 'https://u:p@example.test' }],
    ['FORM_LOGIN', 'loginUrl', { ...form, loginUrl: '/login' }],
  ])('%s is refused for its %s in %j', (type, field, given) => {
    const read = readValues(type, given)

    expect(read).toMatchObject({ fault: { field } })
  })

  test('a fault says which field and never what it held', () => {
    const read = readValues('BEARER_TOKEN', { token: 'canary with spaces' })

    expect(JSON.stringify(read)).not.toContain('canary')
  })
})
