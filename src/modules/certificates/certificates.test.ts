// Certificate credits, through the endpoint.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { administratorKey, ask, type Data, refusal, run } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { countSettled } from '../../../test/testkit/service.ts'
import { newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

const GRANT = `mutation ($input: GrantSslCertificateCreditsInput!) { grantSslCertificateCredits(input: $input) {
  sslCertificateCredits { id status allowsWildcard expiresAt } } }`
const USE = `mutation ($input: UseSslCertificateCreditInput!) { useSslCertificateCredit(input: $input) {
  clientMutationId sslCertificateCredit { id status domain usedBy { email } } } }`
const CANCEL = `mutation ($input: CancelSslCertificateCreditInput!) { cancelSslCertificateCredit(input: $input) {
  sslCertificateCredit { id status } } }`
const CREDITS = `query ($companyId: ID!, $onlyAvailable: Boolean) { sslCertificateCredits(companyId: $companyId, onlyAvailable: $onlyAvailable) {
  id status allowsWildcard } }`

const grant = async (companyId: string, fields: Record<string, unknown> = {}): Promise<string[]> => {
  const granted = await run(administratorKey(), GRANT, { input: { companyId, ...fields } })
  return granted.grantSslCertificateCredits.sslCertificateCredits.map(({ id }: Data) => id)
}

describe('certificate credits', () => {
  test('an administrator grants credits, and the company sees them newest first', async () => {
    const { companyId, owner } = await newWorld()

    const [first] = await grant(companyId)
    await grant(companyId, { count: 2, allowsWildcard: true })

    const { sslCertificateCredits } = await run(owner.key, CREDITS, { companyId })
    expect(sslCertificateCredits.map(({ allowsWildcard }: Data) => allowsWildcard)).toEqual([true, true, false])
    expect(sslCertificateCredits.at(-1)).toEqual({ id: first, status: 'AVAILABLE', allowsWildcard: false })
  })

  test('a credit is spent for a domain, by whom, and is audited', async () => {
    const { companyId, owner } = await newWorld()
    const [id] = await grant(companyId)

    const { useSslCertificateCredit } = await run(owner.key, USE, {
      input: { id, domain: 'Shop.Example.com.', clientMutationId: 'mine' },
    })

    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object after } } }',
      { companyId },
    )
    expect(useSslCertificateCredit).toEqual({
      clientMutationId: 'mine',
      sslCertificateCredit: { id, status: 'USED', domain: 'shop.example.com', usedBy: { email: owner.email } },
    })
    expect(auditRecords.collection[0]).toMatchObject({
      operation: 'useSslCertificateCredit',
      object: `SSLCertificateCredit ${id}`,
      after: { status: 'USED', domain: 'shop.example.com' },
    })
  })

  test('of a hundred callers at once one spends a credit, and the others get a conflict', async () => {
    const { companyId, owner } = await newWorld()
    const [id] = await grant(companyId)

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, caller) =>
        ask(owner.key, USE, { input: { id, domain: `c${caller}.example.com` } }),
      ),
    )

    const codes = answers.map(({ errors }) => errors[0]?.extensions.code ?? 'SPENT')
    expect(codes.filter((code) => code === 'SPENT')).toHaveLength(1)
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(99)
  })

  test('only available credits are shown when asked', async () => {
    const { companyId, owner } = await newWorld()
    const [free, used, canceled] = await grant(companyId, { count: 3 })
    await run(owner.key, USE, { input: { id: used, domain: 'example.com' } })
    await run(administratorKey(), CANCEL, { input: { id: canceled } })

    const all = await run(owner.key, CREDITS, { companyId })
    const available = await run(owner.key, CREDITS, { companyId, onlyAvailable: true })

    const statuses = Object.fromEntries(all.sslCertificateCredits.map(({ id, status }: Data) => [id, status]))
    expect(statuses).toEqual({ [`${free}`]: 'AVAILABLE', [`${used}`]: 'USED', [`${canceled}`]: 'CANCELED' })
    expect(available.sslCertificateCredits.map(({ id }: Data) => id)).toEqual([free])
  })

  test('a credit past its expiry is expired: not available, not spent, not canceled', async () => {
    const { companyId, owner } = await newWorld()
    const [id] = await grant(companyId, { expiresAt: '2099-01-01T00:00:00Z' })
    const { db } = await inside()
    await sql`update ssl_certificate_credit set expires_at = now() where company_id = ${companyId} and id = ${id}`.execute(
      db,
    )

    const all = await run(owner.key, CREDITS, { companyId })
    const available = await run(owner.key, CREDITS, { companyId, onlyAvailable: true })
    const spent = await refusal(owner.key, USE, { input: { id, domain: 'example.com' } })
    const canceled = await refusal(administratorKey(), CANCEL, { input: { id } })

    expect(all.sslCertificateCredits).toEqual([{ id, status: 'EXPIRED', allowsWildcard: false }])
    expect(available.sslCertificateCredits).toEqual([])
    expect([spent.extensions.code, canceled.extensions.code]).toEqual(['CONFLICT', 'CONFLICT'])
    expect(spent.message).toBe('The credit is expired')
  })

  test('a wildcard takes a credit that allows it, and a refused one is not spent', async () => {
    const { companyId, owner } = await newWorld()
    const [plain] = await grant(companyId)
    const [wild] = await grant(companyId, { allowsWildcard: true })

    const failure = await refusal(owner.key, USE, { input: { id: plain, domain: '*.example.com' } })
    const { useSslCertificateCredit } = await run(owner.key, USE, { input: { id: wild, domain: '*.example.com' } })

    const available = await run(owner.key, CREDITS, { companyId, onlyAvailable: true })
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.domain' })
    expect(useSslCertificateCredit.sslCertificateCredit.domain).toBe('*.example.com')
    expect(available.sslCertificateCredits.map(({ id }: Data) => id)).toEqual([plain])
  })

  test.each(['', 'localhost', '192.0.2.1', 'https://example.com', 'a_b.example.com', `${'a'.repeat(300)}.com`])(
    'a credit is not spent for %j, which is no domain',
    async (domain) => {
      const { companyId, owner } = await newWorld()
      const [id] = await grant(companyId)

      const failure = await refusal(owner.key, USE, { input: { id, domain } })

      expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.domain' })
    },
  )

  test.each([
    ['no credits', { count: 0 }, 'input.count'],
    ['101 credits', { count: 101 }, 'input.count'],
    ['credits that have expired', { expiresAt: '2001-01-01' }, 'input.expiresAt'],
  ])('a grant of %s is refused', async (_, fields, argument) => {
    const { companyId } = await newWorld()

    const failure = await refusal(administratorKey(), GRANT, { input: { companyId, ...fields } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })

  test('an owner grants and cancels no credits, and a developer spends none', async () => {
    const { companyId, owner } = await newWorld()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const [id] = await grant(companyId)

    const failures = await Promise.all([
      refusal(owner.key, GRANT, { input: { companyId } }),
      refusal(owner.key, CANCEL, { input: { id } }),
      refusal(developer.key, USE, { input: { id, domain: 'example.com' } }),
    ])

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  })

  test('credits of others answer as missing ones do', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const [foreign] = await grant(theirs.companyId)

    const told = await refusal(mine.owner.key, USE, { input: { id: foreign, domain: 'example.com' } })
    const missing = await refusal(mine.owner.key, USE, { input: { id: '999999999', domain: 'example.com' } })
    const company = await refusal(mine.owner.key, CREDITS, { companyId: theirs.companyId })

    expect(told.message.replace(`${foreign}`, '#')).toBe(missing.message.replace('999999999', '#'))
    expect([told.extensions.code, company.extensions.code]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })

  test('a list takes as many statements with one credit as with twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await grant(small.companyId)
    await grant(large.companyId, { count: 20 })
    const page = ({ companyId, owner }: World) => run(owner.key, CREDITS, { companyId })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

    expect(twenty).toBe(one)
  })
})
