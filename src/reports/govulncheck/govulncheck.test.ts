// How govulncheck's stream of messages is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { govulncheck } from './reader.ts'

const config = { config: { protocol_version: 'v1.0.0', scanner_name: 'govulncheck' } }

const osv = (id: string) => ({
  osv: {
    id,
    aliases: ['CVE-2026-1001'],
    summary: 'Overflow in lib',
    details: 'It overflows.',
    affected: [{ package: { name: 'example.org/lib' }, ranges: [{ type: 'SEMVER', events: [{ fixed: '1.1.0' }] }] }],
  },
})

const required = { module: 'example.org/lib', version: 'v1.0.0' }
const called = () => [
  { ...required, package: 'example.org/lib/a', function: 'Parse' },
  {
    module: 'example.org/shop',
    package: 'example.org/shop',
    function: 'main',
    position: { filename: 'cmd/main.go', line: 12 },
  },
]

const finding = (id: string, trace: unknown, more: Record<string, unknown> = {}) => ({
  finding: { osv: id, fixed_version: 'v1.1.0', trace, ...more },
})

const stream = (...messages: unknown[]) => messages.map((message) => JSON.stringify(message, null, 2)).join('\n')

const whole = stream(
  config,
  osv('GO-2026-1001'),
  finding('GO-2026-1001', [required]),
  finding('GO-2026-1001', called()),
)

describe('a vulnerability', () => {
  test('is an observation of the module, with the nearest of its traces', async () => {
    const observations = await observationsIn(govulncheck, whole)

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'govulncheck',
        ruleId: 'GO-2026-1001',
        title: 'Overflow in lib',
        description:
          'The program calls the vulnerable code.\n\nCalled through example.org/shop.main → example.org/lib/a.Parse\n\nOverflow in lib\n\nIt overflows.',
        vulnerabilityIds: ['GO-2026-1001', 'CVE-2026-1001'],
        reference: 'https://osv.dev/GO-2026-1001',
        solution: 'Update example.org/lib to 1.1.0.',
        tags: ['called'],
        package: 'example.org/lib',
        affectedVersion: 'v1.0.0',
        patchedVersion: 'v1.1.0',
        packageManager: 'Go',
        fileName: 'cmd/main.go',
      },
    ])
  })

  test.each([
    [[{ ...required, package: 'example.org/lib/a' }], 'imported'],
    [[required], 'required'],
  ])('with the trace %j is %s', async (trace, tag) => {
    const observations = await observationsIn(
      govulncheck,
      stream(config, osv('GO-2026-1001'), finding('GO-2026-1001', trace)),
    )

    expect(observations).toMatchObject([{ tags: [tag], fileName: 'go.mod' }])
  })

  test('of which nothing was found is no finding, and one that the report does not hold is left out', async () => {
    const rows = await rowsIn(govulncheck, stream(config, osv('GO-2026-1001'), finding('GO-2026-1002', called())))

    expect(rows).toEqual([
      {
        kind: 'LEFT_OUT',
        at: 'GO-2026-1002',
        reason: 'The report does not contain the vulnerability that it refers to',
      },
    ])
  })

  test('in an array, or as the first versions wrote it, is read too', async () => {
    const array = JSON.stringify([config, osv('GO-2026-1001'), finding('GO-2026-1001', called())])
    const first = {
      Calls: {},
      Vulns: [
        {
          OSV: osv('GO-2026-1001').osv,
          ModPath: 'example.org/lib',
          PkgPath: 'example.org/lib/a',
          Symbol: 'Parse',
          CallSink: 3,
        },
      ],
    }

    const observations = [...(await observationsIn(govulncheck, array)), ...(await observationsIn(govulncheck, first))]

    expect(observations).toMatchObject([
      { tags: ['called'] },
      { tags: ['called'], description: expect.stringContaining('Calls example.org/lib/a.Parse') },
    ])
    expect([array, first].map((each) => recognisedBy(govulncheck, each))).toEqual([true, true])
  })
})

describe('a report of govulncheck', () => {
  test('that breaks off gives what came before, and says so last', async () => {
    const cut = stream(
      config,
      osv('GO-2026-1001'),
      finding('GO-2026-1001', called()),
      finding('GO-2026-1002', called()),
    )

    const rows = await rowsIn(govulncheck, `${cut}{"osv": {"id": `)

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'LEFT_OUT', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other findings', async () => {
    const messages = [
      osv('GO-2026-1001'),
      finding('GO-2026-1001', called()),
      osv('GO-2026-1002'),
      finding('GO-2026-1002', called()),
    ]

    await fc.assert(
      fc.asyncProperty(
        damaged(messages, (path) => /^[23]/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(govulncheck, given)

          expect(rows).toContainEqual(
            expect.objectContaining({ kind: 'OBSERVATION', at: 'finding GO-2026-1002 example.org/lib' }),
          )
        },
      ),
    )
  })
})
