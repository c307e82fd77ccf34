// Decides which internet addresses the service may connect to: public ones, and those that the operator allowed.

import { isIP, isIPv4 } from 'node:net'

/** A network: the addresses whose first `bits` bits equal those of `prefix`, which has 4 or 16 bytes. */
type Range = { prefix: Uint8Array; bits: number }

/** What the operator allows: networks, hosts by name, and which of them may be called without TLS. */
export type Allowed = { networks: readonly Range[]; hosts: ReadonlySet<string>; plain: ReadonlySet<string> }

export const nothingAllowed: Allowed = { networks: [], hosts: new Set(), plain: new Set() }

const range = (cidr: string): Range => {
  const read = readRange(cidr)
  if (read === null) throw new Error(`${cidr} is no range of addresses`)
  return read
}

/**
 * Networks that are not public, by the registries of special-purpose addresses (iana.org/assignments/iana-ipv4-special-registry and
 * iana-ipv6-special-registry), and the metadata addresses of clouds.
 */
const special: readonly (readonly [what: string, isPrivate: boolean, ...ranges: Range[]])[] = [
  ['this network', false, range('0.0.0.0/8')],
  ['a private network', true, range('10.0.0.0/8'), range('172.16.0.0/12'), range('192.168.0.0/16'), range('fc00::/7')],
  ['a provider’s shared network', true, range('100.64.0.0/10')],
  ['this machine', true, range('127.0.0.0/8'), range('::1/128')],
  ['a link-local address', false, range('169.254.0.0/16'), range('fe80::/10')],
  ['a cloud metadata address', false, range('168.63.129.16/32'), range('fd00:ec2::/32')],
  ['a protocol’s own address', false, range('192.0.0.0/24'), range('192.31.196.0/24'), range('192.52.193.0/24')],
  ['a protocol’s own address', false, range('192.175.48.0/24'), range('192.88.99.0/24'), range('2620:4f:8000::/48')],
  ['a documentation address', false, range('192.0.2.0/24'), range('198.51.100.0/24'), range('203.0.113.0/24')],
  ['a documentation address', false, range('2001:db8::/32'), range('3fff::/20')],
  ['a benchmarking network', false, range('198.18.0.0/15')],
  ['a multicast address', false, range('224.0.0.0/4'), range('ff00::/8')],
  ['a reserved address', false, range('240.0.0.0/4')],
  ['a tunnel', false, range('2001::/23'), range('2002::/16'), range('64:ff9b:1::/48')],
]
const clouds = [range('168.63.129.16/32'), range('fd00:ec2::/32'), range('100.100.100.200/32')]
const globalUnicast = range('2000::/3')
const carriers = [range('::ffff:0:0/96'), range('64:ff9b::/96')]

/** The 4 or 16 bytes of an address as resolvers write it, without its zone; null if it is not an address. */
export function bytesOf(address: string): Uint8Array | null {
  const [text = ''] = address.split('%')
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number)
  if (isIP(text) !== 6) return null
  const last = text.slice(text.lastIndexOf(':') + 1)
  const tail = isIPv4(last) ? (bytesOf(last) ?? []) : []
  const plain = tail.length === 0 ? text : `${text.slice(0, -last.length)}0:0`
  const [before = '', after] = plain.split('::')
  const groups = (part: string | undefined) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [head, end] = [groups(before), groups(after)]
  const all = [...head, ...Array<number>(8 - head.length - end.length).fill(0), ...end]
  const bytes = Uint8Array.from(all.flatMap((group) => [group >> 8, group & 255]))
  bytes.set(tail, 16 - tail.length)
  return bytes
}

const isWithin = (bytes: Uint8Array, { prefix, bits }: Range): boolean =>
  bytes.length === prefix.length &&
  prefix.every((byte, index) => {
    const shift = 8 - Math.min(8, Math.max(0, bits - index * 8))
    return byte >> shift === (bytes[index] ?? 0) >> shift
  })

/** The IPv4 address embedded in an IPv6 address: mapped (RFC 4291) or translated (RFC 6052). */
const carried = (bytes: Uint8Array): Uint8Array =>
  carriers.some((carrier) => isWithin(bytes, carrier)) ? bytes.slice(12) : bytes

/**
 * Why connecting to the address is refused, or null if it is allowed. A host that the operator allowed by name may be on a private network or
 * on this machine; any other address that is not public needs its network allowed.
 */
export function refusalOf(address: string, allowed: Allowed, hostname: string): string | null {
  const given = bytesOf(address)
  if (given === null) return 'not an internet address'
  const bytes = carried(given)
  if (allowed.networks.some((network) => isWithin(bytes, network) || isWithin(given, network))) return null
  const isCloud = clouds.some((cloud) => isWithin(bytes, cloud))
  const found = special.find(([, , ...ranges]) => ranges.some((one) => isWithin(bytes, one)))
  if (found) {
    const [what, isPrivate] = found
    return isPrivate && !isCloud && allowed.hosts.has(hostname) ? null : what
  }
  return bytes.length === 4 || isWithin(bytes, globalUnicast) ? null : 'a reserved address'
}

/** As refusalOf, for a host that is an address, as a URL has it; also null for a name, whose addresses are judged when connecting. */
export function refusalOfLiteral({ hostname }: Pick<URL, 'hostname'>, allowed: Allowed): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? null : refusalOf(host, allowed, host)
}

function readRange(text: string): Range | null {
  const [address = '', length, ...more] = text.split('/')
  const prefix = bytesOf(address)
  if (prefix === null || more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null
  const bits = length === undefined ? prefix.length * 8 : Number(length)
  return bits <= prefix.length * 8 ? { prefix, bits } : null
}

const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/

/**
 * Reads hosts, addresses and networks, separated by commas; a preceding `http://` allows calls without TLS. Null if an entry is none of
 * these.
 */
export function readAllowed(text: string): Allowed | null {
  const networks: Range[] = []
  const hosts = new Set<string>()
  const plain = new Set<string>()
  for (const entry of text.split(',').map((part) => part.trim().toLowerCase())) {
    if (entry === '') continue
    const isPlain = entry.startsWith('http://')
    const name = (isPlain ? entry.slice('http://'.length) : entry).replace(/^\[(.*)\]$/, '$1')
    const network = readRange(name)
    if (network) networks.push(network)
    else if (NAME.test(name) && !/^[\d.]+$/.test(name)) hosts.add(name)
    else return null
    if (!isPlain) continue
    if (name.includes('/')) return null
    plain.add(name)
  }
  return { networks, hosts, plain }
}
