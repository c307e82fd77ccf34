// Seals, through the endpoint and at their public addresses.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements, services, serviceUrl } from '../../../test/testkit/service.ts'
import { requireWellFormed } from '../../../test/testkit/well-formed.ts'
import { newAsset, newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateSealInput!) { createSeal(input: $input) { seal { id publicId assetId background } } }`
const UPDATE = `mutation ($input: UpdateSealInput!) { updateSeal(input: $input) {
  clientMutationId seal { id assetId background domain enabled expiresAt } } }`
const DELETE = 'mutation ($input: DeleteSealInput!) { deleteSeal(input: $input) { id } }'
const SEAL = `query ($id: ID!) { seal(id: $id) { id assetId asset { id name } background domain enabled publicId svgUrl verifyUrl
  issuedAt expiresAt state grade posture statement signature } }`
const SEALS = `query ($companyId: ID!, $pagination: PaginationInput, $assetId: ID) {
  seals(companyId: $companyId, pagination: $pagination, assetId: $assetId) {
    collection { id assetId asset { name } background state grade posture statement signature }
    metadata { totalCount totalPages currentPage limitValue } } }`

type NewSeal = { id: string; publicId: string; assetId: string }

const newSeal = async (
  { companyId, owner }: World,
  fields: Record<string, unknown> = {},
  asset: Record<string, unknown> = {},
): Promise<NewSeal> => {
  const { id: assetId } = await newAsset(owner.key, companyId, asset)
  return (await run(owner.key, CREATE, { input: { assetId, ...fields } })).createSeal.seal
}

const get = async (path: string, accept = '*/*') => {
  const response = await fetch(`${await serviceUrl()}${path}`, { headers: { accept } })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

const badge = async ({ publicId }: { publicId: string }) => (await get(`/seals/${publicId}.svg`)).body
const verification = async ({ publicId }: { publicId: string }, query = ''): Promise<Data> =>
  JSON.parse((await get(`/seals/${publicId}${query}`, 'application/json')).body)

/** What a badge carries, taken out of it as its documentation says. */
const SIGNED =
  /<metadata><seal xmlns="urn:merlon:seal:1"><statement>([^<]*)<\/statement><signature algorithm="Ed25519">([0-9a-f]{128})<\/signature><\/seal><\/metadata>/

const signedPart = (svg: string) => {
  const [, statement = '', signature = ''] = SIGNED.exec(svg) ?? []
  return { statement, signature, picture: createHash('sha256').update(svg.replace(SIGNED, '')).digest('hex') }
}

const isGenuine = (svg: string, publicKey: string): boolean => {
  const { statement, signature, picture } = signedPart(svg)
  const holds = verify(null, Buffer.from(statement), createPublicKey(publicKey), Buffer.from(signature, 'hex'))
  return holds && JSON.parse(statement).picture === picture
}

const addFinding = async (companyId: string, assetId: string, severity: string, status = 'IDENTIFIED') => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  await sql`
    insert into issue (company_id, asset_id, type, rule, title, severity, status, birth_key)
    values (${companyId}, ${assetId}, 'SAST_FINDING', 'rule', 'A finding', ${severity}::severity_category,
            ${status}::issue_status, sha256(gen_random_uuid()::text::bytea))`.execute(service.app.db)
}

/** Characters that change what a reader sees without being seen. */
const hidden = ['\u0001', '\u001b', '\u061c', '\u200f', '\u202e', '\u2066', '\ufffe']

describe('seals', () => {
  test('a seal comes back as it was made, under an address of its own', async () => {
    const world = await newWorld()
    const expiresAt = '2099-01-01T00:00:00Z'

    const made = await newSeal(world, { background: 'DARK', domain: 'Shop.Example.com', expiresAt })

    const { seal } = await run(world.owner.key, SEAL, { id: made.id })
    expect(made.publicId).toMatch(/^[0-9A-Za-z]{22}$/)
    expect(seal).toMatchObject({
      id: made.id,
      assetId: made.assetId,
      asset: { id: made.assetId },
      background: 'DARK',
      domain: 'shop.example.com',
      enabled: true,
      svgUrl: `/seals/${made.publicId}.svg`,
      verifyUrl: `/seals/${made.publicId}`,
      expiresAt,
      state: 'ACTIVE',
      grade: 'A',
      posture: 'No open findings',
    })
  })

  test('an update changes what it names, and takes away what is null', async () => {
    const world = await newWorld()
    const { id, assetId } = await newSeal(world, { domain: 'example.com', expiresAt: '2099-01-01' })

    const { updateSeal } = await run(world.owner.key, UPDATE, {
      input: { id, background: 'TRANSPARENT', domain: null, clientMutationId: 'mine' },
    })

    expect(updateSeal).toEqual({
      clientMutationId: 'mine',
      seal: {
        id,
        assetId,
        background: 'TRANSPARENT',
        domain: null,
        enabled: true,
        expiresAt: '2099-01-01T00:00:00Z',
      },
    })
  })

  test.each([
    [['NOTIFICATION'], 'A', 'No open findings'],
    [['LOW', 'NOTIFICATION'], 'B', 'No open findings above low'],
    [['MEDIUM', 'LOW'], 'C', 'No open critical or high findings'],
    [['HIGH', 'MEDIUM'], 'D', 'No open critical findings'],
    [['CRITICAL', 'LOW'], 'E', 'Open critical findings'],
  ])('an asset with open findings of %s is graded %s', async (severities, grade, posture) => {
    const world = await newWorld()
    const seal = await newSeal(world)
    for (const severity of severities) await addFinding(world.companyId, seal.assetId, severity)

    const said = await verification(seal)
    const svg = await badge(seal)

    expect(said).toMatchObject({ state: 'ACTIVE', grade, posture })
    expect(svg).toContain(`>${grade}</text>`)
  })

  test('findings that are drafts or dealt with do not count', async () => {
    const world = await newWorld()
    const seal = await newSeal(world)
    for (const status of ['DRAFT', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']) {
      await addFinding(world.companyId, seal.assetId, 'CRITICAL', status)
    }

    const said = await verification(seal)

    expect(said.grade).toBe('A')
  })

  test('the badge is an inert picture that other pages may show and keep briefly', async () => {
    const seal = await newSeal(await newWorld())

    const { status, headers, body } = await get(`/seals/${seal.publicId}.svg`)

    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    })
    expect(() => requireWellFormed(body)).not.toThrow()
    expect(body).not.toMatch(/<(script|style|image|use|a|foreignObject)\b|\b(href|src|style|on\w+)=|url\(/i)
  })

  test.each(['LIGHT', 'DARK', 'TRANSPARENT'])('the badge on a %s background is well formed', async (background) => {
    const seal = await newSeal(await newWorld(), { background })

    const svg = await badge(seal)

    expect(() => requireWellFormed(svg)).not.toThrow()
    expect(svg.includes('<rect')).toBe(background !== 'TRANSPARENT')
  })

  test('a badge proves itself with the published key, and not once any character of it is changed', async () => {
    const seal = await newSeal(await newWorld(), { domain: 'example.com' }, { name: `Zürich & Söhne <${Date.now()}>` })
    const svg = await badge(seal)
    const { publicKey } = await verification(seal)

    const changed = [...svg].flatMap((character, place) =>
      /[\w#.]/.test(character) ? [svg.slice(0, place) + (character === '0' ? '1' : '0') + svg.slice(place + 1)] : [],
    )
    const fooled = changed.filter((copy) => {
      try {
        return isGenuine(copy, publicKey)
      } catch {
        return false
      }
    })

    expect(isGenuine(svg, publicKey)).toBe(true)
    expect(changed.length).toBeGreaterThan(500)
    expect(fooled).toEqual([])
  })

  test('the signature of the endpoint is that of the published key', async () => {
    const world = await newWorld()
    const made = await newSeal(world)

    const { seal } = await run(world.owner.key, SEAL, { id: made.id })

    const { publicKey } = await verification(made)
    const signature = Buffer.from(seal.signature, 'hex')
    expect(verify(null, Buffer.from(seal.statement), createPublicKey(publicKey), signature)).toBe(true)
    expect(JSON.parse(seal.statement)).toMatchObject({ version: 1, seal: made.publicId, state: 'ACTIVE', grade: 'A' })
  })

  test('a copy of a statement is told genuine, of another seal, or false', async () => {
    const world = await newWorld()
    const [seal, other] = [await newSeal(world), await newSeal(world)]
    const { statement, signature } = signedPart(await badge(seal))
    const query = (said: string) => `?${new URLSearchParams({ statement: said, signature })}`

    const genuine = await verification(seal, query(statement))
    const ofAnother = await verification(other, query(statement))
    const changed = await verification(seal, query(statement.replace('"grade":"A"', '"grade":"B"')))
    const page = await get(`/seals/${seal.publicId}${query('{}')}`, 'text/html')

    expect(genuine.copy).toEqual({ signatureHolds: true, isOfThisSeal: true })
    expect(ofAnother.copy).toEqual({ signatureHolds: true, isOfThisSeal: false })
    expect(changed.copy).toEqual({ signatureHolds: false, isOfThisSeal: false })
    expect(page.body).toContain('Its signature does not hold')
  })

  test('a disabled seal is grey, says nothing of the asset, and says so', async () => {
    const world = await newWorld()
    const seal = await newSeal(world)
    await addFinding(world.companyId, seal.assetId, 'CRITICAL')
    await run(world.owner.key, UPDATE, { input: { id: seal.id, enabled: false } })

    const said = await verification(seal)
    const svg = await badge(seal)

    expect(said).toMatchObject({ state: 'DISABLED', grade: null, posture: 'The seal is disabled' })
    expect(svg).toContain('fill="#6d777c"')
    expect(svg).not.toContain('critical')
  })

  test('a seal past its expiry is grey and expired', async () => {
    const seal = await newSeal(await newWorld(), { expiresAt: new Date(Date.now() + 300).toISOString() })
    await sleep(400)

    const said = await verification(seal)
    const svg = await badge(seal)

    expect(said).toMatchObject({ state: 'EXPIRED', grade: null })
    expect(svg).toContain('fill="#6d777c"')
  })

  test('addresses of a deleted seal, a deleted asset or no seal at all say the same', async () => {
    const world = await newWorld()
    const [deleted, orphan] = [await newSeal(world), await newSeal(world)]
    await run(world.owner.key, DELETE, { input: { id: deleted.id } })
    const [service] = await services()
    await service?.app.db.deleteFrom('asset').where('id', '=', orphan.assetId).execute()

    const answers = await Promise.all(
      [deleted.publicId, orphan.publicId, '0'.repeat(22), 'x', '%00', "'or'1"].flatMap((id) => [
        get(`/seals/${id}`, 'application/json'),
        get(`/seals/${id}.svg`),
      ]),
    )

    const messages = new Set(answers.map(({ body }) => JSON.parse(body).errors[0].message))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect([...messages]).toEqual(['There is no such seal'])
  })

  test.each([
    '<script>alert(1)</script>',
    ']]></statement></metadata><script/>',
    `"' onload="alert(1)" x='`,
    '&lt;b&gt; &#x3c; &unknown;',
    '\u202egnissam\u2066 \u200f\u061c',
    '\u0001\u001b[31m\ufffe\ud800',
    `Z${'\u0300'.repeat(400)}`,
    '支払い'.repeat(160),
    '</title></svg><svg onload=alert(1)>',
  ])('an asset called %j does nothing to its badge or page', async (name) => {
    const seal = await newSeal(await newWorld(), {}, { name: `${Date.now() % 10_000} ${name}`.toWellFormed() })

    const svg = await badge(seal)
    const page = (await get(`/seals/${seal.publicId}`, 'text/html')).body

    const { publicKey } = await verification(seal)
    expect(() => requireWellFormed(svg)).not.toThrow()
    expect(isGenuine(svg, publicKey)).toBe(true)
    for (const text of [svg, page]) {
      expect(text).not.toMatch(/<(script|b)\b|<svg onload/)
      expect(hidden.filter((character) => text.includes(character))).toEqual([])
      expect(text).not.toMatch(/\p{M}{4}/u)
    }
  })

  test('the page is inert and says what the seal says now', async () => {
    const seal = await newSeal(await newWorld(), { domain: 'example.com' }, { name: `Shop ${Date.now()}` })

    const { status, headers, body } = await get(`/seals/${seal.publicId}`, 'text/html,application/json;q=0.9')

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).not.toContain('script-src')
    for (const said of [
      'This seal is in force. No open findings.',
      'example.com',
      '<dd>Holds</dd>',
      'BEGIN PUBLIC KEY',
    ]) {
      expect(body).toContain(said)
    }
    expect(body).not.toMatch(/<script|https?:\/\//)
  })

  test.each([
    ['an address for a domain', { domain: 'https://example.com' }, 'input.domain'],
    ['a wildcard for a domain', { domain: '*.example.com' }, 'input.domain'],
    ['an expiry that has passed', { expiresAt: '2001-01-01' }, 'input.expiresAt'],
  ])('%s is refused', async (_, fields, argument) => {
    const world = await newWorld()
    const { id, assetId } = await newSeal(world)

    const created = await refusal(world.owner.key, CREATE, { input: { assetId, ...fields } })
    const updated = await refusal(world.owner.key, UPDATE, { input: { id, ...fields } })

    expect(created.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    expect(updated.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })

  test('seals, assets and companies of others answer as missing ones do', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const foreign = await newSeal(theirs)
    const { companyId, owner } = mine
    const calls = (id: string, assetId: string) => [
      refusal(owner.key, SEAL, { id }),
      refusal(owner.key, UPDATE, { input: { id, enabled: false } }),
      refusal(owner.key, DELETE, { input: { id } }),
      refusal(owner.key, CREATE, { input: { assetId } }),
      refusal(owner.key, SEALS, { companyId, assetId }),
    ]

    const told = await Promise.all(calls(foreign.id, foreign.assetId))
    const missing = await Promise.all(calls('999999999', '999999999'))
    const company = await refusal(owner.key, SEALS, { companyId: theirs.companyId })

    const shown = (failures: Data[]) =>
      failures.map(({ message, extensions }) => [message.replace(/\d+/, '#'), extensions.code])
    expect(shown(told)).toEqual(shown(missing))
    expect(company.extensions.code).toBe('NOT_FOUND')
  })

  test('a developer makes, changes and deletes no seal, and changes are audited', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const { id, assetId } = await newSeal(world)
    const developer = await newPerson(companyId, 'DEVELOPER')
    await run(owner.key, DELETE, { input: { id: (await newSeal(world)).id } })

    const failures = await Promise.all([
      refusal(developer.key, CREATE, { input: { assetId } }),
      refusal(developer.key, UPDATE, { input: { id, enabled: false } }),
      refusal(developer.key, DELETE, { input: { id } }),
    ])

    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation } } }',
      { companyId },
    )
    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
    expect(auditRecords.collection[0]).toEqual({ operation: 'deleteSeal' })
  })

  test('a page takes as many statements with one seal as with twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await newSeal(small)
    for (let made = 0; made < 20; made += 1) await newSeal(large)
    const page = ({ companyId, owner }: World) => run(owner.key, SEALS, { companyId, pagination: { perPage: 50 } })
    const statements = async (world: World) => {
      await page(world)
      return countStatements(() => page(world))
    }

    const [one, twenty] = [await statements(small), await statements(large)]

    expect(twenty).toBe(one)
  })

  test('a badge costs one statement, and many callers at once no more than one each', async () => {
    const seal = await newSeal(await newWorld())
    await badge(seal)

    const alone = await countStatements(() => badge(seal))
    const together = await countStatements(() => Promise.all(Array.from({ length: 20 }, () => badge(seal))))

    expect(alone).toBe(1)
    expect(together).toBeLessThanOrEqual(20)
  })
})
