// Finds secrets in responses, by the forms that their providers document, and addresses that contain passwords.

import { scanSecrets } from '../../review/secrets/scan.ts'
import type { PassiveCheck } from '../check.ts'
import { mediaTypeOf } from '../http.ts'
import type { Exchange } from '../types.ts'

const LONGEST = 300_000
const MOST_TOLD = 5

const structured: readonly (readonly [cause: string, what: string, pattern: RegExp])[] = [
  ['an AWS key', 'an AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ['a private key', 'a private key', /-----BEGIN (?:RSA |EC |OPENSSH |DSA |PGP )?PRIVATE KEY-----/],
  [
    'an address of a database with its password',
    'a database URL with its password',
    /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp):\/\/[^\s:@/"'<>]{1,60}:[^\s:@/"'<>]{1,80}@[\w.-]{1,100}/,
  ],
]

/** Kinds of keys that are meant to be public. */
const PUBLIC = new Set(['google-api-key'])

/** `cause` is part of the finding's fingerprint: it stays when `what` is said in other words. */
type Told = { cause: string; what: string; text: string }

/** Secrets with a recognisable format that grant access to something. */
function secretsOf(text: string): Told[] {
  const plain = structured.flatMap(([cause, what, pattern]): Told[] => {
    const found = pattern.exec(text)?.[0]
    return found ? [{ cause, what, text: found }] : []
  })
  const lines = text.split('\n')
  const patch = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`
  const formed = scanSecrets('answer', Buffer.from(patch))
    .filter(
      ({ detector: { id, rank, severity } }) =>
        rank === 0 && (severity === 'HIGH' || severity === 'CRITICAL') && !PUBLIC.has(id),
    )
    .map(({ detector, secret }) => ({ cause: `a ${detector.name}`, what: withArticle(detector.name), text: secret }))
  return [...plain, ...formed.filter(({ text: one }) => !plain.some(({ text: other }) => one.includes(other)))]
}

const withArticle = (name: string): string => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`

const sentIn = ({ request }: Exchange): string =>
  `${request.url} ${request.headers.map(([, value]) => value).join(' ')} ${request.body?.toString() ?? ''}`

export const answeredSecrets: PassiveCheck = {
  kind: 'passive',
  id: 'secret-in-answer',
  title: 'Secret exposed in a response',
  cwes: [200],
  severity: 'HIGH',
  solution: 'Revoke the secret, and keep secrets out of responses.',
  profile: 'BASIC',
  *look(exchange) {
    if (/^(image|video|audio|font)\//.test(mediaTypeOf(exchange.answer))) return
    const sent = sentIn(exchange)
    const found = secretsOf(exchange.text.slice(0, LONGEST)).filter(({ text }) => !sent.includes(text))
    for (const { cause, what, text } of found.slice(0, MOST_TOLD)) {
      yield {
        detail: `The response contains ${what}.`,
        proof: [text.slice(0, 200)],
        exchange,
        cause: `${cause} ${text.slice(0, 200)}`,
      }
    }
  },
}
