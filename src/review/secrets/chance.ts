// Tells random-looking values and chosen passwords from words, code, paths and prose.

import { entropyOf, isPlaceholder } from './placeholders.ts'

/** References to a value at run time, paths, addresses, and text for people. */
function isCode(value: string): boolean {
  if (/^(?:true|false|null|none|undefined|nil|string|number|password|secret|token)$/i.test(value)) return true
  if (
    /[()[\]{}<>|]|\*\.|\.\*|=>|::|&&|&(?:lt|gt|amp|quot);|\\[nrtux]|[^\x20-\x7e]|^[./~]|^urn:|^\$\w{1,10}\$|^\w+:\/\/|^data:|^[#.]|^--|\.(?:js|ts|py|java|php|go|json|ya?ml|pem|crt|key|html|css)$/i.test(
      value,
    )
  )
    return true
  if (/^[A-Za-z_$][\w$]*(?:[.:/][A-Za-z_$-][\w$-]*)+$/.test(value)) return value.split(/[.:/]/).every(isName)
  return (/^[A-Z][A-Z0-9_]*$/.test(value) && value.includes('_')) || NUMBERED.test(value)
}

/** A name in code with a number within that says what it holds: `oauth2ClientSecret`, `db2PasswordField`. */
const NUMBERED =
  /^[a-z]{1,20}\d{1,3}(?:[A-Z][a-z]{2,20}){0,4}(?:Pass(?:word|wd|phrase)?|Secret|Key|Token|Credentials?)(?:[A-Z][a-z]{2,20}){0,3}$/

/** A part of a dotted name, and not a part of a token: short, or made of words. */
const isName = (part: string): boolean => part.length < 16 || isWords(part)

/** Random-looking, and long enough to be a key. */
export function mayBeKey(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~!@#$%^&*:;?-]+$/.test(value)) return false
  const digits = digitsOf(value)
  if (isWords(value) || (digits < 2 && !changesOften(value))) return false
  const isHex = /^[0-9a-f-]+$/i.test(value)
  return entropyOf(value) >= (isHex ? 3 : 3.5)
}

export const digitsOf = (value: string): number => value.replace(/[^0-9]/g, '').length

/** Letters whose case changes at random. */
const changesOften = (value: string): boolean =>
  value.length >= 20 && (value.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0) >= value.length / 3

/** Chosen as a password: three of small letters, capitals, digits and signs. */
export function mayBePassword(value: string): boolean {
  if (value.length < 8 || value.length > 128) return false
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((each) => each.test(value)).length
  return classes >= 3 && !isWords(value) && entropyOf(value) >= 2.7 && /[0-9]|[^\w.:/-]/.test(value)
}

/** Words with signs or capitals between them, at most a digit here or there: `reset-password-2`, `resetPassword`. */
function isWords(value: string): boolean {
  const parts = value.split(/[-_.:/ ]+|(?<=[a-z])(?=[A-Z])/)
  const words = parts.filter((part) => /^(?:[A-Za-z]?[a-z]+|[A-Z]+)\d{0,2}$/.test(part) || /^\d{1,4}$/.test(part))
  const mean = value.length / parts.length
  return words.length === parts.length && parts.some((part) => /^[A-Za-z]/.test(part)) && mean >= 3 && mean < 11
}

/** Whether a value is worth reporting: neither a placeholder nor code. */
export const isLiteral = (value: string): boolean => !isPlaceholder(value) && !isCode(value)
