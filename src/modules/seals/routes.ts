// The public addresses of a seal: its badge, and its verification page.

import type { Config } from '../../core/config.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Answer, Route, RouteRequest } from '../types.ts'
import { type Copy, renderPage } from './page.ts'
import { type Shown, sealKey, showPublicly } from './service.ts'
import { holds, publicPem, type SigningKey } from './statement.ts'

const PATH = '/seals'

/** The address where a seal is verified; with `.svg` appended, that of its badge. */
export const addressOf = ({ publicUrl }: Config, publicId: string): string =>
  `${publicUrl?.replace(/(?<!\/)\/+$/, '') ?? ''}${PATH}/${publicId}`

const badgeHeaders = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  vary: 'accept',
}

const jsonHeaders = { ...pageHeaders, 'content-type': 'application/json; charset=utf-8' }

const found = (shown: Shown | null): Shown => {
  if (!shown) throw new ApplicationError('NOT_FOUND', 'There is no such seal')
  return shown
}

export const routes: readonly Route[] = [
  {
    path: `${PATH}/:publicId.svg`,
    access: 'public',
    answer: async (parts, { params }) => ({
      status: 200,
      headers: badgeHeaders,
      body: found(await showPublicly(parts, params.publicId ?? '')).svg,
    }),
  },
  {
    path: `${PATH}/:publicId`,
    access: 'public',
    answer: async (parts, request) =>
      verification(found(await showPublicly(parts, request.params.publicId ?? '')), sealKey(parts), request),
  },
]

function verification(shown: Shown, key: SigningKey, { headers, query }: RouteRequest): Answer {
  const { statement, signature, facts } = shown
  const publicKey = publicPem(key)
  const signatureHolds = holds(key, statement, signature)
  const copy = readCopy(key, facts.seal, query)
  if (!wantsJson(headers.accept)) {
    const page = renderPage({ facts, statement, signature, publicKey, signatureHolds, copy })
    return { status: 200, headers: pageHeaders, body: page }
  }
  const { version: _, ...said } = facts
  const body = { ...said, statement, signature, algorithm: 'Ed25519', publicKey, signatureHolds, copy }
  return { status: 200, headers: jsonHeaders, body: JSON.stringify(body) }
}

/** Checks a statement and a signature that somebody copied from a badge. */
function readCopy(key: SigningKey, publicId: string, { statement, signature }: Record<string, string>): Copy | null {
  if (statement === undefined || signature === undefined) return null
  const signatureHolds = holds(key, statement, signature)
  return { signatureHolds, isOfThisSeal: signatureHolds && sealOf(statement) === publicId }
}

function sealOf(statement: string): unknown {
  const said: unknown = JSON.parse(statement)
  return said !== null && typeof said === 'object' && 'seal' in said ? said.seal : null
}

/** Whether the Accept header names JSON, and names it before HTML. */
function wantsJson(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((part) => part.split(';', 1)[0]?.trim().toLowerCase())
  const [json, html] = [types.indexOf('application/json'), types.indexOf('text/html')]
  return json >= 0 && (html < 0 || json < html)
}
