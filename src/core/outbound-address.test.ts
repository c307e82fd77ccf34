// The guard tells public addresses from all others, on the same addresses that the trial in a network namespace uses.

import { describe, expect, test } from 'vitest'
import { hostile, resolveInZone } from '../../test/operations/ssrf-corpus.ts'
import { addressesOf } from './judged-addresses.ts'
import { openOutbound } from './outbound.ts'
import { bytesOf, nothingAllowed, readAllowed, refusalOf } from './outbound-address.ts'
import { OutboundFailed } from './outbound-errors.ts'

const bounds = { largest: 1000, timeout: 5000 }
const allowedBy = (text: string) => readAllowed(text) ?? nothingAllowed

describe('an address that leads inside', () => {
  const outbound = openOutbound({ resolve: resolveInZone })
  const once = hostile.filter(({ address }) => !address.includes('rebinding'))

  test('is tried in more than ninety ways', () => {
    expect(hostile.length).toBeGreaterThan(90)
  })

  test.each(once)('is not called: $kind, $address', async ({ address }) => {
    const failure = await outbound.call(address, bounds).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(OutboundFailed)
    expect(failure).toMatchObject({
      reason: expect.stringMatching(/^(BAD_ADDRESS|FORBIDDEN_ADDRESS|NOT_FOUND)$/),
      isSent: false,
    })
  })

  test('is the one that was judged when the name changes its answer', async () => {
    const answers = [['93.184.216.34'], ['10.0.0.1']]
    const resolve = async () => answers.shift() ?? []

    const first = await addressesOf('rebinding.example.test', nothingAllowed, resolve)
    const second = addressesOf('rebinding.example.test', nothingAllowed, resolve)

    expect(first).toEqual(['93.184.216.34'])
    await expect(second).rejects.toThrow('a private network')
  })
})

describe('a public address', () => {
  test.each([
    '93.184.216.34',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:2800:220:1::1',
    '2a00:1450:4001:82a::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ])('may be called: %s', (address) => {
    expect(refusalOf(address, nothingAllowed, '')).toBeNull()
  })
})

describe('what an operator allows', () => {
  test.each([
    ['gitlab.lan', '10.1.2.3', true],
    ['other.lan', '10.1.2.3', false],
    ['gitlab.lan, 192.168.7.0/24', '192.168.7.9', true],
    ['192.168.7.0/24', '192.168.8.9', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['fd00:1::/32', 'fd00:1::5', true],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['gitlab.lan', '169.254.169.254', false],
    ['gitlab.lan', '100.100.100.200', false],
    ['gitlab.lan', 'fd00:ec2::254', false],
    ['gitlab.lan', '0.0.0.0', false],
    ['169.254.169.254', '169.254.169.254', true],
  ])('%s leads to %s at gitlab.lan: %s', (text, address, isAllowed) => {
    expect(refusalOf(address, allowedBy(text), 'gitlab.lan') === null).toBe(isAllowed)
  })

  test('is spoken to without TLS where that is said', async () => {
    const allowed = allowedBy('http://gitlab.lan, http://10.0.0.1, jira.lan')
    const resolve = async () => ['169.254.1.1']
    const outbound = openOutbound({ allowed, resolve })

    const reasons = await Promise.all(
      ['http://gitlab.lan/', 'http://jira.lan/'].map((address) =>
        outbound.call(address, bounds).catch(({ reason }: OutboundFailed) => reason),
      ),
    )

    expect([...allowed.plain]).toEqual(['gitlab.lan', '10.0.0.1'])
    expect(reasons).toEqual(['FORBIDDEN_ADDRESS', 'BAD_ADDRESS'])
  })

  test.each([
    '10.0.0.0/33',
    'two words',
    'https://gitlab.lan',
    'gitlab.lan/path',
    '*.lan',
    'http://10.0.0.0/8',
    '1.2.3',
  ])('is not %s', (text) => {
    expect(readAllowed(text)).toBeNull()
  })
})

test.each([
  ['1.2.3.4', [1, 2, 3, 4]],
  ['::', Array(16).fill(0)],
  ['1::', [0, 1, ...Array(14).fill(0)]],
  ['::ffff:1.2.3.4', [...Array(10).fill(0), 255, 255, 1, 2, 3, 4]],
  ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ['fe80::1%eth0', [0xfe, 0x80, ...Array(13).fill(0), 1]],
  ['1.2.3', null],
])('%s has its bytes', (address, bytes) => {
  expect(bytesOf(address)).toEqual(bytes && Uint8Array.from(bytes as number[]))
})
