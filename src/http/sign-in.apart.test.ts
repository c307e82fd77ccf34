// Signing in at an OpenID provider: who comes in, what stands in the way, and what nobody can forge.

import { generateKeyPair } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { send } from '../../test/http/send.ts'
import { newVisitor, type Visitor } from '../../test/http/visitor.ts'
import { administratorKey, run, unique } from '../../test/testkit/client.ts'
import { type Forged, type OpenidProvider, startOpenidProvider } from '../../test/testkit/openid-provider.ts'
import { type Service, startService } from '../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'

type Home = { provider: OpenidProvider; service: Service; email: string; companyId: string; personId: string }

/** A service with a provider that knows one person as `subject`, who is an analyst of a company. */
async function newHome(alg: 'RS256' | 'ES256' = 'RS256'): Promise<Home & { subject: string }> {
  const provider = await startOpenidProvider(alg)
  const service = await startService(provider.settings)
  onTestFinished(() => service.app.stop(0))
  provider.register(service.url)
  const { companyId } = await newWorld()
  const { id: personId, email } = await newPerson(companyId, 'ANALYST')
  const subject = unique('subject')
  provider.accounts.set(subject, { email, email_verified: true })
  return { provider, service, email, companyId, personId, subject }
}

/** Goes to the provider and signs in there as `subject`; answers with where one is sent back to. */
async function goThere(visitor: Visitor, { service }: Home, subject: string, change = (address: URL) => address) {
  const { next } = await visitor.visit(`${service.url}/session/oidc?path=${encodeURIComponent('/companies/7?a=b')}`)
  let address = change(new URL(next ?? '')).href
  for (let step = 0; step < 8 && !address.startsWith(service.url); step += 1) {
    const isForm = address.includes('/interaction/')
    const form = { method: 'POST', body: new URLSearchParams({ subject }) }
    address = (await visitor.visit(address, isForm ? form : {})).next ?? ''
  }
  return address
}

const ownPage = { 'x-merlon-console': '1', 'sec-fetch-site': 'same-origin', 'x-api-key': '' }

/** Whether, and as whom, the visitor is signed in. */
async function sessionOf(visitor: Visitor, { service }: Home) {
  const cookie = `merlon=${visitor.jarOf(new URL(service.url).origin).get('merlon') ?? ''}`
  const headers = { ...ownPage, cookie, 'content-type': '' }
  return JSON.parse((await send({ url: service.url, path: '/session', method: 'GET', headers })).text).session
}

const ask = async (visitor: Visitor, { service }: Home, query: string) => {
  const cookie = `merlon=${visitor.jarOf(new URL(service.url).origin).get('merlon') ?? ''}`
  return send({ url: service.url, headers: { ...ownPage, cookie }, body: JSON.stringify({ query }) })
}

/** The whole way as `subject`; answers with the fragment that the page is given when one is refused. */
async function signIn(visitor: Visitor, home: Home, subject: string): Promise<string> {
  const { next } = await visitor.visit(await goThere(visitor, home, subject))
  return new URL(next ?? '').hash
}

test.each(['RS256', 'ES256'] as const)('who is known by a verified address comes in, by a token of %s', async (alg) => {
  const home = await newHome(alg)
  const visitor = newVisitor()

  const back = await goThere(visitor, home, home.subject)
  const { response, next } = await visitor.visit(back)
  const asked = await ask(visitor, home, '{ viewer { email } }')

  expect([response.status, next]).toEqual([303, `${home.service.url}/companies/7?a=b`])
  expect(response.headers.getSetCookie()).toEqual([
    'merlon-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    expect.stringMatching(/^merlon=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/),
  ])
  expect(asked.data).toEqual({ viewer: { email: home.email } })
  expect(await sessionOf(visitor, home)).toMatchObject({
    email: home.email,
    keyPublicId: null,
    scopes: ['read', 'write', 'issues:decide', 'secrets:manage'],
    roles: { [home.companyId]: 'ANALYST' },
  })
})

test('the page learns where one signs in, and the sentence for each refusal', async () => {
  const { service, provider } = await newHome()

  const { text } = await send({ url: service.url, path: '/session', method: 'GET', headers: { 'content-type': '' } })

  expect(JSON.parse(text)).toMatchObject({
    session: null,
    signIn: { host: new URL(provider.issuer).host, refusals: { UNKNOWN: expect.stringContaining('email address') } },
  })
})

test('the audit records say who was bound and who came in', async () => {
  const home = await newHome()
  await signIn(newVisitor(), home, home.subject)

  const { auditRecords } = await run(
    administratorKey(),
    '{ auditRecords(pagination: { perPage: 20 }) { collection { operation object after keyPublicId portalUser { id } } } }',
  )

  const own = auditRecords.collection.filter(
    (one: { portalUser: { id: string } | null }) => one.portalUser?.id === home.personId,
  )
  expect(own).toMatchObject([
    { operation: 'GET /session/oidc/callback', object: expect.stringMatching(/^Session /), keyPublicId: null },
    { object: `PortalUser ${home.personId}`, after: { issuer: home.provider.issuer, subject: home.subject } },
  ])
})

describe('nobody comes in', () => {
  test('with a state that this browser was not given', async () => {
    const home = await newHome()
    const [victim, attacker] = [newVisitor(), newVisitor()]
    const back = await goThere(attacker, home, home.subject)

    const withoutAny = await victim.visit(back)
    await goThere(victim, home, home.subject)
    const withAnother = await victim.visit(back)

    expect(new URL(withoutAny.next ?? '').hash).toBe('#refused=STATE')
    expect(new URL(withAnother.next ?? '').hash).toBe('#refused=STATE')
    expect(await sessionOf(victim, home)).toBeNull()
  })

  test('with a cookie of our own making', async () => {
    const home = await newHome()
    const visitor = newVisitor()
    const back = await goThere(visitor, home, home.subject)
    const jar = visitor.jarOf(new URL(home.service.url).origin)
    const begun = { state: new URL(back).searchParams.get('state'), nonce: 'n', verifier: 'v', path: '/', until: 9e15 }
    jar.set('merlon-sign-in', Buffer.from(JSON.stringify(begun)).toString('base64url'))

    const { next } = await visitor.visit(back)

    expect(new URL(next ?? '').hash).toBe('#refused=STATE')
  })

  test('with a code that was used already', async () => {
    const home = await newHome()
    const visitor = newVisitor()
    const back = await goThere(visitor, home, home.subject)
    const jar = visitor.jarOf(new URL(home.service.url).origin)
    const begun = jar.get('merlon-sign-in') ?? ''
    await visitor.visit(back)
    jar.clear()

    const without = await visitor.visit(back)
    jar.set('merlon-sign-in', begun)
    const again = await visitor.visit(back)

    expect(new URL(without.next ?? '').hash).toBe('#refused=STATE')
    expect(new URL(again.next ?? '').hash).toBe('#refused=CODE')
    expect(await sessionOf(visitor, home)).toBeNull()
  })

  test('with a code that was given for another verifier', async () => {
    const home = await newHome()
    const visitor = newVisitor()
    const back = await goThere(visitor, home, home.subject, (address) => {
      address.searchParams.set('code_challenge', 'A'.repeat(43))
      return address
    })

    const { next } = await visitor.visit(back)

    expect(new URL(next ?? '').hash).toBe('#refused=CODE')
  })

  test('with a token of another sign-in', async () => {
    const home = await newHome()
    const visitor = newVisitor()
    const back = await goThere(visitor, home, home.subject, (address) => {
      address.searchParams.set('nonce', 'another')
      return address
    })

    const { next } = await visitor.visit(back)

    expect(new URL(next ?? '').hash).toBe('#refused=TOKEN')
  })

  const ago = () => Math.floor(Date.now() / 1000) - 3_600
  const forgeries: [string, (token: Forged) => Forged][] = [
    ['that has expired', (token) => ({ ...token, claims: { ...token.claims, exp: ago() } })],
    ['without an end', (token) => ({ ...token, claims: { ...token.claims, exp: undefined } })],
    ['of another issuer', (token) => ({ ...token, claims: { ...token.claims, iss: 'https://evil.example' } })],
    ['for another client', (token) => ({ ...token, claims: { ...token.claims, aud: 'another' } })],
    ['for another client too', (token) => ({ ...token, claims: { ...token.claims, aud: ['merlon', 'another'] } })],
    ['given to another client', (token) => ({ ...token, claims: { ...token.claims, azp: 'another' } })],
    ['without a nonce', (token) => ({ ...token, claims: { ...token.claims, nonce: undefined } })],
    // merlon:allow a token that has to be refused
    ['that nobody signed', (token) => ({ ...token, alg: 'none' })],
    ['signed with the client’s secret', (token) => ({ ...token, alg: 'HS256', key: Buffer.alloc(32, 'secret') })],
    ['signed by a key of another name', (token) => ({ ...token, kid: 'another' })],
    [
      'about another subject than the provider tells of',
      (token) => ({ ...token, claims: { ...token.claims, sub: 'x' } }),
    ],
  ]

  test.each(forgeries)('with a token %s', async (_, forge) => {
    const home = await newHome()
    home.provider.forge = forge
    const visitor = newVisitor()

    const refused = await signIn(visitor, home, home.subject)

    expect(refused).toBe('#refused=TOKEN')
    expect(await sessionOf(visitor, home)).toBeNull()
  })

  test('with a token signed by another key under the provider’s name', async () => {
    const home = await newHome()
    const { privateKey } = await generateKeyPair('RS256')
    home.provider.forge = (token) => ({ ...token, key: privateKey })

    expect(await signIn(newVisitor(), home, home.subject)).toBe('#refused=TOKEN')
  })

  test.each([
    ['that nobody here has', { email: 'nobody@example.test', email_verified: true }, 'UNKNOWN'],
    ['that is not verified', { email_verified: false }, 'UNVERIFIED'],
    ['of which nobody says that it is verified', { email_verified: undefined }, 'UNVERIFIED'],
    ['that is not told', { email: undefined }, 'UNVERIFIED'],
  ])('with an address %s', async (_, account, reason) => {
    const home = await newHome()
    home.provider.accounts.set(home.subject, { email: home.email, email_verified: true, ...account })
    const visitor = newVisitor()

    expect(await signIn(visitor, home, home.subject)).toBe(`#refused=${reason}`)
    expect(await sessionOf(visitor, home)).toBeNull()
  })

  test('who turned back', async () => {
    const home = await newHome()

    expect(await signIn(newVisitor(), home, '')).toBe('#refused=DENIED')
  })

  test('from another site', async () => {
    const home = await newHome()
    const { visit } = newVisitor()

    const { response } = await visit(`${home.service.url}/session/oidc`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })

    expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
  })

  test('where the provider does not answer', async () => {
    const provider = await startOpenidProvider()
    const service = await startService({ ...provider.settings, MERLON_OIDC_ISSUER: 'http://localhost:1' })
    onTestFinished(() => service.app.stop(0))

    const { next } = await newVisitor().visit(`${service.url}/session/oidc`)

    expect(next).toBe(`${service.url}/#refused=UNREACHABLE`)
  })

  test('where none is configured', async () => {
    const service = await startService({})
    onTestFinished(() => service.app.stop(0))

    const { response } = await newVisitor().visit(`${service.url}/session/oidc`)

    expect(response.status).toBe(404)
  })
})

describe('who came in once', () => {
  test('is known by the subject, whatever the address becomes', async () => {
    const home = await newHome()
    await signIn(newVisitor(), home, home.subject)
    home.provider.accounts.set(home.subject, { email: 'renamed@example.test' })
    const visitor = newVisitor()

    expect(await signIn(visitor, home, home.subject)).toBe('')
    expect(await sessionOf(visitor, home)).toMatchObject({ email: home.email })
  })

  test('keeps the address from another subject, until an administrator lets it be bound anew', async () => {
    const home = await newHome()
    await signIn(newVisitor(), home, home.subject)
    home.provider.accounts.set('somebody else', { email: home.email.toUpperCase(), email_verified: true })

    const refused = await signIn(newVisitor(), home, 'somebody else')
    await setDisabled(home.personId, 'disable')
    await setDisabled(home.personId, 'enable')
    const bound = await signIn(newVisitor(), home, 'somebody else')

    expect([refused, bound]).toEqual(['#refused=OTHER_SUBJECT', ''])
  })

  test('is out with all sessions when shut out, and does not come in again', async () => {
    const home = await newHome()
    const visitor = newVisitor()
    await signIn(visitor, home, home.subject)
    const before = await ask(visitor, home, '{ viewer { email } }')

    await setDisabled(home.personId, 'disable')
    const after = await ask(visitor, home, '{ viewer { email } }')
    const again = await signIn(visitor, home, home.subject)
    await setDisabled(home.personId, 'enable')
    const late = await ask(visitor, home, '{ viewer { email } }')

    expect([before.status, after.status, again, late.status]).toEqual([200, 401, '#refused=DISABLED', 401])
  })

  test('loses what a membership gave when it ends', async () => {
    const home = await newHome()
    const visitor = newVisitor()
    await signIn(visitor, home, home.subject)

    await run(
      administratorKey(),
      'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { portalUserAccess { role } } }',
      { input: { companyId: home.companyId, id: home.personId, role: null } },
    )
    const asked = await ask(visitor, home, `{ portalUsers(companyId: ${home.companyId}) { collection { id } } }`)

    expect(asked.errors[0]?.extensions.code).toBe('NOT_FOUND')
    expect(await sessionOf(visitor, home)).toMatchObject({ roles: {}, scopes: ['read', 'write'] })
  })

  test('leaves by signing out', async () => {
    const home = await newHome()
    const visitor = newVisitor()
    await signIn(visitor, home, home.subject)
    const cookie = `merlon=${visitor.jarOf(new URL(home.service.url).origin).get('merlon')}`

    const headers = { ...ownPage, cookie, 'content-type': '' }
    await send({ url: home.service.url, path: '/session', method: 'DELETE', headers })

    expect(await sessionOf(visitor, home)).toBeNull()
  })
})

const setDisabled = (id: string, what: 'disable' | 'enable') =>
  run(administratorKey(), `mutation { ${what}PortalUser(input: { id: ${id} }) { portalUser { id } } }`)
