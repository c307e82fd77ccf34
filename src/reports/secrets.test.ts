// What of a secret is kept: never the secret.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hiddenIn, masked, maskedCode, withoutSecrets } from './secrets.ts'

describe('a secret', () => {
  test.each([
    ['AKIAIOSFODNN7EXAMPLE', 'AKI*****LE'],
    ['exactly-12-c', '********'],
    ['short', '*****'],
  ])('%s is shown as %s', (secret, shown) => {
    expect(masked(secret)).toBe(shown)
  })

  test('is masked wherever it stands in a text, also line by line and escaped', () => {
    const secret = 'first line of it\nsecond "line" of it'
    const said = `found ${JSON.stringify(secret)}, that is\n  first line of it\n  second "line" of it`

    const kept = withoutSecrets(said, [secret])

    expect(kept).not.toMatch(/first line|second/)
  })

  test.each(['$&-is-my-secret', 'is-my-secret-$&', "$'-is-my-secret", '$`-is-my-secret'])(
    'is masked with its dollars: %s',
    (secret) => {
      expect(withoutSecrets(`key=${secret} # mine`, [secret])).toBe(`key=${masked(secret)} # mine`)
    },
  )

  test('that another one begins leaves nothing of the other', () => {
    expect(withoutSecrets('key=prod-key-4711-harbour', ['prod-key', 'prod-key-4711-harbour'])).toBe('key=pro*****ur')
  })

  test('that stands in its line is masked alone, and everything like one where it does not', () => {
    expect(hiddenIn('export TOKEN=abcdefghijklmnop # mine', 'abcdefghijklmnop')).toBe('export TOKEN=abc*****op # mine')
    expect(hiddenIn('TOKEN=abcdefghijklmnop', 'something else')).toBe('TOKEN=abc*****op')
  })
})

describe('code around a secret that is not marked', () => {
  test.each([
    ['password = "correct-horse-battery"', 'password = "cor*****ry"'],
    ['"api_token": "0123456789abcdef",', '"api_token": "012*****ef",'],
    ['connect("user", "hunter2hunter2")', '*******("user", "hun*****r2")'],
    ['TOKEN=AKI*****LE', 'TOKEN=AKI*****LE'],
  ])('%s keeps names and hides values', (code, kept) => {
    expect(maskedCode(code)).toBe(kept)
  })

  test('holds no word of the value any more', () => {
    const secrets = fc.stringMatching(/^[A-Za-z0-9+/_.-]{8,60}$/)

    fc.assert(
      fc.property(secrets, (secret) => {
        expect(maskedCode(`const key = '${secret}'`)).not.toContain(secret)
      }),
    )
  })
})
