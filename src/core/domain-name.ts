// Validates and normalises domain names: lower case, international names in ASCII form.

import { domainToASCII } from 'node:url'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const LONGEST = 253

type DomainName = { name: string; isWildcard: boolean }

/**
 * Reads a fully qualified domain name of at least two labels, optionally preceded by `*` (RFC 1034, RFC 5890, RFC 6125); null for anything
 * else, including an address, a port or a path.
 */
export function readDomainName(given: string): DomainName | null {
  const text = given.trim().replace(/\.$/, '')
  const isWildcard = text.startsWith('*.')
  const host = isWildcard ? text.slice(2) : text
  if (host.length > LONGEST || /[^\p{L}\p{M}\p{N}.\u002d]/u.test(host)) return null
  const name = domainToASCII(host)
  const labels = name.split('.')
  const top = labels.at(-1) ?? ''
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(top)
  const whole = isWildcard ? `*.${name}` : name
  return isName && whole.length <= LONGEST ? { name: whole, isWildcard } : null
}
