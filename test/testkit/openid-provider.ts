// A real OpenID provider in the test process: people sign in by name, and a test can forge its ID tokens.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'
import { onTestFinished } from 'vitest'

type Account = { email?: string; email_verified?: boolean; name?: string }

/** The content of an ID token and how it is signed; a test changes what it wants. */
export type Forged = { claims: JWTPayload; alg: string; key: CryptoKey | Uint8Array; kid: string | undefined }

export type OpenidProvider = {
  issuer: string
  /** subject → account */
  accounts: Map<string, Account>
  /** Changes the ID tokens issued from now on. */
  forge: ((token: Forged) => Forged) | null
  /** settings of a service that signs people in here */
  settings: Record<string, string>
  /** Registers the service at `url`, which is known only once it listens. */
  register(url: string): void
}

const CLIENT_ID = 'merlon'
const CLIENT_SECRET = 'a secret: of+the client'

/** Starts a provider for one test. */
export async function startOpenidProvider(alg: 'RS256' | 'ES256' = 'RS256'): Promise<OpenidProvider> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const kid = 'first'
  const own = { ...(await exportJWK(pair.privateKey)), kid, alg, use: 'sig' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a different site from the service's, as far as browsers are concerned
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, Account>()
  const provider: OpenidProvider = {
    issuer,
    accounts,
    forge: null,
    settings: {
      MERLON_OIDC_ISSUER: issuer,
      MERLON_OIDC_CLIENT_ID: CLIENT_ID,
      MERLON_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      MERLON_OUTBOUND_ALLOW: 'http://localhost',
    },
    register(url) {
      const oidc = open(url)
      const answer = oidc.callback()
      server.on('request', (request, response) => {
        const isInteraction = request.url?.startsWith('/interaction/')
        void (isInteraction ? interact(oidc, request, response) : answer(request, response))
      })
    },
  }

  const kept = new Map<string, AdapterPayload>()
  const configurationFor = (url: string): Configuration => ({
    adapter: (kind) => keep(kept, kind),
    ttl: Object.fromEntries(lifetimes.map((kind) => [kind, 600])),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${url}/session/oidc/callback`],
        id_token_signed_response_alg: alg,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, subject) => {
      const account = accounts.get(subject)
      return account && { accountId: subject, claims: () => ({ sub: subject, ...account }) }
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [own] },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId, clientId: CLIENT_ID })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
  })

  const open = (url: string): Provider => {
    const oidc = new Provider(issuer, configurationFor(url))
    oidc.use(forging)
    return oidc
  }

  const forging: Parameters<Provider['use']>[0] = async (context, next) => {
    await next()
    if (context.path !== '/token' || provider.forge === null || !isTokens(context.body)) return
    const claims = JSON.parse(Buffer.from(context.body.id_token.split('.')[1] ?? '', 'base64url').toString())
    const forged = provider.forge({ claims, alg, key: pair.privateKey, kid })
    context.body = { ...context.body, id_token: await signed(forged) }
  }

  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return provider
}

const lifetimes = ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session']

/** Keeps the provider's state for the duration of the test. */
function keep(kept: Map<string, AdapterPayload>, kind: string): Adapter {
  const place = (id: string) => `${kind} ${id}`
  const findBy = async (name: 'uid' | 'userCode', value: string) =>
    [...kept].find(([key, payload]) => key.startsWith(kind) && payload[name] === value)?.[1]
  return {
    upsert: async (id, payload) => void kept.set(place(id), payload),
    find: async (id) => kept.get(place(id)),
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (code) => findBy('userCode', code),
    consume: async (id) => void Object.assign(kept.get(place(id)) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id) => void kept.delete(place(id)),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
    },
  }
}

const isTokens = (body: unknown): body is { id_token: string } =>
  typeof body === 'object' && body !== null && 'id_token' in body && typeof body.id_token === 'string'

async function signed({ claims, alg, key, kid }: Forged): Promise<string> {
  if (alg !== 'none') return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  // merlon:allow some of its tokens have to be refused
  return `${part({ alg })}.${part(claims)}.`
}

const form = `<!doctype html><html lang="en"><title>Provider</title><form method="post">
<label>Account <input name="subject"></label><button>Continue</button></form></html>`

/** Signs in whoever is named; an empty name means a person who cancels. */
async function interact(oidc: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return void response.setHeader('content-type', 'text/html').end(form)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('subject') ?? ''
  const result = accountId === '' ? { error: 'access_denied' } : { login: { accountId } }
  await oidc.interactionFinished(request, response, result)
}
