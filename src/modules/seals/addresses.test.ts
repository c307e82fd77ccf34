// The public addresses of a seal: its badge and its verification.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { badge, DELETE, get, newSeal, verification } from '../../../test/testkit/seals.ts'
import { countStatements, services } from '../../../test/testkit/service.ts'
import { requireWellFormed } from '../../../test/testkit/well-formed.ts'
import { newWorld } from '../../../test/testkit/world.ts'

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

/** Characters that change what a reader sees without being seen. */
const hidden = ['\u0001', '\u001b', '\u061c', '\u200f', '\u202e', '\u2066', '\ufffe']

describe('the addresses of seals', () => {
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

  test('a copy of a statement is judged genuine, of another seal, or false', async () => {
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
    expect(page.body).toContain('Its signature is invalid')
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
    for (const said of ['This seal is valid. No open findings.', 'example.com', '<dd>Valid</dd>', 'BEGIN PUBLIC KEY']) {
      expect(body).toContain(said)
    }
    expect(body).not.toMatch(/<script|https?:\/\//)
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
