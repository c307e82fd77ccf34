// Identifies the viewer by key or by session; signs the console in and out, and keeps other sites from using its cookie.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import { ApplicationError } from '../core/errors.ts'
import { closeSession, openSession, SESSION_IDLE, SESSION_LIFE } from '../modules/access/sessions.ts'
import { signInRefusals } from '../modules/access/sign-in-refusals.ts'
import type { Viewer } from '../modules/context.ts'
import { cookieName, readCookie, setCookie, valueIn } from './cookies.ts'
import { pathOf } from './edge.ts'
import { openRateLimit, requireRate } from './rate.ts'
import type { ServerParts } from './server-parts.ts'

/** A header that no form can set, and that another site's script could set only if CORS allowed it, which it never does. */
const CONSOLE_HEADER = 'x-merlon-console'

/** Sign-ins per minute from one address, and with one key: each makes a session and an audit record. */
const PER_ADDRESS = 300
const PER_KEY = 30

/** Bytes; a key has 55 characters. */
const LARGEST_SIGN_IN = 4_096

/** The viewer of a request by the key in x-api-key, or else by the session's cookie; null if neither is valid. */
export async function findViewer(
  request: FastifyRequest,
  { viewers, db, config }: ServerParts,
): Promise<Viewer | null> {
  const key = request.headers['x-api-key']
  if (typeof key === 'string') return viewers.find(db, key)
  const token = readToken(request, config)
  if (token === null) return null
  requireOwnOrigin(request, config)
  return viewers.findBySession(db, token)
}

/** Whether the browser has a session. This does not prove who sent the request, so it may only protect what is the same for everybody. */
export async function isSignedIn(request: FastifyRequest, { viewers, db, config }: ServerParts): Promise<boolean> {
  const token = readToken(request, config)
  return token !== null && (await viewers.findBySession(db, token)) !== null
}

/** The viewer of a WebSocket connection by its session; null if there is none, or if another site's page opened the connection. */
export async function findSocketViewer(
  { headers, socket }: IncomingMessage,
  { viewers, db, config }: ServerParts,
): Promise<Viewer | null> {
  const { cookie, origin, host } = headers
  const forwarded = config.trustProxy ? headers['x-forwarded-proto'] : undefined
  const isTls = 'encrypted' in socket || forwarded === 'https'
  const own = [`${isTls ? 'https' : 'http'}://${host}`, config.publicUrl === null ? null : originOf(config.publicUrl)]
  if (cookie === undefined || origin === undefined || !own.includes(origin)) return null
  const isSecureHere = isTls || (config.publicUrl?.startsWith('https:') ?? false)
  const token = valueIn(cookie, cookieName('merlon', isSecureHere))
  return token === null ? null : viewers.findBySession(db, token)
}

/** `POST /session` signs in with a key, `GET` returns who is signed in, `DELETE` signs out. */
export function addSession(app: FastifyInstance, parts: ServerParts): void {
  const { viewers, db, config } = parts
  const ownOrigin = async (request: FastifyRequest) => requireOwnOrigin(request, config)

  const ofAddresses = openRateLimit(PER_ADDRESS)
  const ofKeys = openRateLimit(PER_KEY)
  const limit = async (request: FastifyRequest, reply: FastifyReply) =>
    requireRate(ofAddresses, request.ip, reply, 'Too many sign-ins come from this address')

  app.post('/session', { bodyLimit: LARGEST_SIGN_IN, onRequest: [ownOrigin, limit] }, async (request, reply) => {
    const viewer = await viewers.find(db, keyOf(request.body))
    if (!viewer) throw new ApplicationError('UNAUTHENTICATED', 'This key is not valid here', { argument: 'key' })
    requireRate(ofKeys, viewer.keyId, reply, `This key may sign in ${PER_KEY} times a minute`)
    const replaced = readToken(request, config)
    if (replaced !== null) await closeSession(db, replaced)
    const token = await openSession(parts, viewer, { id: request.id, address: request.ip })
    request.viewer = viewer
    setSession(request, reply, config, token)
    return { session: shown(viewer) }
  })

  app.get('/session', async (request) => {
    const token = readToken(request, config)
    const viewer = token === null ? null : await viewers.findBySession(db, token)
    return { session: viewer && shown(viewer), signIn: signInElsewhere(config) }
  })

  app.delete('/session', { onRequest: ownOrigin }, async (request, reply) => {
    const token = readToken(request, config)
    if (token !== null) await closeSession(db, token)
    parts.forgetViewers()
    setCookie(request, reply, config, { name: 'merlon', value: '', seconds: 0, sameSite: 'Strict' })
    return { session: null }
  })
}

/** For the sign-in page: the provider's host, and a sentence for each reason of a refusal; undefined without a provider. */
const signInElsewhere = ({ oidc }: Config) =>
  oidc ? { host: new URL(oidc.issuer).host, refusals: signInRefusals } : undefined

function keyOf(body: unknown): string | undefined {
  const key = body !== null && typeof body === 'object' && 'key' in body ? body.key : undefined
  if (typeof key !== 'string') throw new ApplicationError('BAD_REQUEST', 'The body must be { "key": "mrl_…" }')
  return key.trim()
}

const shown = ({ name, email, isAdministrator, keyPublicId, scopes, memberships }: Viewer) => ({
  name,
  email,
  isAdministrator,
  keyPublicId,
  scopes,
  /** company → role; null: every company, as its owner */
  roles: memberships && Object.fromEntries(memberships),
  idleSeconds: SESSION_IDLE / 1000,
})

const readToken = (request: FastifyRequest, config: Config): string | null => readCookie(request, config, 'merlon')

/** Sets the session's cookie. */
export function setSession(request: FastifyRequest, reply: FastifyReply, config: Config, token: string): void {
  setCookie(request, reply, config, { name: 'merlon', value: token, seconds: SESSION_LIFE / 1000, sameSite: 'Strict' })
}

const refused = (why: string) => new ApplicationError('FORBIDDEN', `A session is used by the console alone: ${why}`)

/**
 * FORBIDDEN unless the request comes from a page of ours: pages cannot forge the Origin header that a browser sends. A download by a link cannot
 * carry our header, but it changes nothing, and SameSite=Strict keeps out links of other sites.
 */
export function requireOwnOrigin(request: FastifyRequest, { publicUrl }: Config): void {
  const { method, headers } = request
  const site = headers['sec-fetch-site']
  const isDownload = method === 'GET' && pathOf(request) !== '/graphql'
  if (isDownload && (site === undefined || site === 'none')) return
  if (site !== undefined && site !== 'same-origin') throw refused('this request comes from another site')
  if (isDownload) return
  if (headers[CONSOLE_HEADER] !== '1') throw refused(`the header ${CONSOLE_HEADER} is missing`)
  const { origin } = headers
  if (origin === undefined) {
    if (site === undefined) throw refused('the request does not say which page it comes from')
    return
  }
  const own = [`${request.protocol}://${request.host}`, publicUrl === null ? null : originOf(publicUrl)]
  if (!own.includes(origin)) throw refused('this request comes from another site')
}

export const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)
