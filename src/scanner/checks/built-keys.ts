// Generates signing keys that people compose of a few words, such as `my-app-secret-123`.

import { commonKeys } from './common-keys.ts'

const BEFORE = `
  super my very top the your our a this-is-a this-is-my safe secure weak strong insecure unsafe vulnerable simple basic
  default test testing demo dev development prod production staging local app api web server backend shop bank jwt auth
  access token session cookie signing hardcoded random dummy example sample intentionally-weak not-so do-not-use
  my-super super-duper`
  .trim()
  .split(/\s+/)
const MIDDLE = ['secret', 'key', 'secret-key', 'jwt-secret', 'jwt-key', 'token-secret', 'signing-key', 'password']
const BEHIND = ['', '1', '123', '1234', '12345', '!', '-123', '-2024', '-2025']

/** Keys that are put together of the words that people take for them, some twenty thousand; none of them is asked about twice. */
export function* builtKeys(): Generator<string> {
  const known = new Set(commonKeys)
  for (const before of ['', ...BEFORE])
    for (const middle of MIDDLE)
      for (const behind of BEHIND)
        for (const one of spellings(`${before === '' ? '' : `${before}-`}${middle}${behind}`)) {
          if (known.has(one)) continue
          known.add(one)
          yield one
        }
}

/** `my-secret-key` is written with hyphens, with lines below, in one, in capitals, and as names of programs are. */
const spellings = (words: string): string[] => [
  words,
  words.replaceAll('-', '_'),
  words.replaceAll('-', ''),
  words.replaceAll('-', '_').toUpperCase(),
  words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
]
