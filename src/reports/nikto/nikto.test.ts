// How Nikto's reports are read, XML and JSON.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { nikto } from './reader.ts'

const found = (more: Record<string, unknown> = {}) => ({
  id: '999103',
  references: 'https://example.org/header',
  method: 'GET',
  url: '/a',
  msg: 'The server may be vulnerable to CVE-2026-1001.',
  ...more,
})

const host = (vulnerabilities: unknown[], more: Record<string, unknown> = {}) => ({
  host: 'shop.example.org',
  ip: '192.0.2.1',
  port: '443',
  banner: 'nginx',
  vulnerabilities,
  ...more,
})

const item = (id: string, description: string) =>
  `<item id="${id}" method="GET"><description><![CDATA[${description}]]></description><uri>/</uri><namelink>https://shop.example.org:443/</namelink><references>https://example.org/header</references></item>`

const xml = (items: string) =>
  `<?xml version="1.0" ?><!DOCTYPE niktoscan SYSTEM "docs/nikto.dtd"><niktoscan><niktoscan version="2.5.0"><scandetails targethostname="shop.example.org" sitename="https://shop.example.org:443/">${items}</scandetails></niktoscan></niktoscan>`

describe('a finding', () => {
  test('of JSON is an observation at its address', async () => {
    const observations = await observationsIn(nikto, host([found()]))

    expect(observations).toEqual([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        toolName: 'Nikto',
        ruleId: '999103: The server may be vulnerable to CVE-2026-1001.',
        title: 'The server may be vulnerable to CVE-2026-1001.',
        description: 'The server may be vulnerable to CVE-2026-1001.',
        severity: 'LOW',
        vulnerabilityIds: ['CVE-2026-1001'],
        reference: 'https://example.org/header',
        url: 'https://shop.example.org/a',
        method: 'GET',
      },
    ])
  })

  test('of XML is one too, in newer and older reports', async () => {
    const newer = await observationsIn(nikto, xml(item('1', 'A header is missing.')))
    const older = await observationsIn(
      nikto,
      `<niktoscan><scandetails sitename="http://old.example.org/">${item('2', 'Old.')}</scandetails></niktoscan>`,
    )

    expect([...newer, ...older]).toMatchObject([
      { ruleId: '1: A header is missing.', url: 'https://shop.example.org:443/', method: 'GET' },
      { ruleId: '2: Old.' },
    ])
  })

  test.each([
    [{ port: '80' }, 'http://shop.example.org/a'],
    [{ port: 8443 }, 'https://shop.example.org:8443/a'],
    [{ host: '' }, 'https://192.0.2.1/a'],
  ])('of a host with %j is at %s', async (more, url) => {
    const observations = await observationsIn(nikto, [host([found()], more)])

    expect(observations).toMatchObject([{ url }])
  })

  test('keeps its address where the host says of itself only behind its findings', async () => {
    const behind = { vulnerabilities: [found()], banner: '', port: '443', host: 'late.example.org' }

    expect(await observationsIn(nikto, behind)).toMatchObject([{ url: 'https://late.example.org/a' }])
  })

  test('without a message is left out, and the others come through', async () => {
    const rows = [
      ...(await rowsIn(nikto, host([found({ msg: {} }), found()]))),
      ...(await rowsIn(nikto, xml(item('1', '') + item('2', 'Good.')))),
    ]

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'vulnerabilities[0]', reason: 'It has no message' },
      { kind: 'OBSERVATION' },
      { kind: 'LEFT_OUT', at: 'item 1' },
      { kind: 'OBSERVATION', at: 'item 2' },
    ])
  })
})

describe('a report of Nikto', () => {
  test('is recognised', () => {
    expect([xml(''), host([]), [host([])], { vulnerabilities: [] }].map((each) => recognisedBy(nikto, each))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  test('that breaks off gives what came before', async () => {
    const cut = [
      xml(item('1', 'a') + item('2', 'b')).slice(0, -100),
      JSON.stringify(host([found(), found()])).slice(0, -30),
    ]

    const rows = (await Promise.all(cut.map((each) => rowsIn(nikto, each)))).flat()

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED', 'OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other findings', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(host([found(), found()]), (path) => path === 'vulnerabilities' || path.startsWith('vulnerabilities.1')),
        async (given) => {
          const rows = await rowsOrFault(nikto, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'vulnerabilities[1]' }))
        },
      ),
    )
  })
})
