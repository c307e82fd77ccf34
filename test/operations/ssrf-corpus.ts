// Addresses that lead into the internal network by encodings, forms of IPv6, DNS or user information, and their near misses.

/** The names of the corpus and what they resolve to; a list of lists changes with each query (DNS rebinding). */
export const zone: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>> = {
  'public.example.test': ['93.184.216.34'],
  'public6.example.test': ['2606:2800:220:1::1'],
  'loopback.example.test': ['127.0.0.1'],
  'loopback6.example.test': ['::1'],
  'private.example.test': ['10.0.0.1'],
  'private-172.example.test': ['172.16.0.1'],
  'private-192.example.test': ['192.168.0.1'],
  'carrier.example.test': ['100.64.0.1'],
  'metadata.example.test': ['169.254.169.254'],
  'mapped.example.test': ['::ffff:10.0.0.1'],
  'unique-local.example.test': ['fd00::1'],
  'mixed.example.test': ['93.184.216.34', '10.0.0.1'],
  'mixed6.example.test': ['2606:2800:220:1::1', 'fd00::1'],
  'rebinding.example.test': [['93.184.216.34'], ['10.0.0.1']],
  'unspecified.example.test': ['0.0.0.0'],
  'metadata.google.internal': ['169.254.169.254'],
  'instance-data': ['169.254.169.254'],
  'kubernetes.default.svc': ['10.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'sub.localhost': ['127.0.0.1'],
  '127.0.0.1.nip.example.test': ['127.0.0.1'],
  'make-10-0-0-1.example.test': ['10.0.0.1'],
}

/** Public addresses, which must be reached. */
export const publicHosts = ['93.184.216.34', '[2606:2800:220:1::1]', 'public.example.test', 'public6.example.test']

/** Addresses of this machine in the namespace, none of which may be reached. */
export const insideAddresses = [
  '10.0.0.1',
  '10.255.255.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  'fd00::1',
  'fd00:ec2::254',
  '2002:a00:1::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  'fec0::1',
]

/** Hosts as they are written in an address, grouped by the trick. */
const hosts = {
  'plain addresses': [
    '127.0.0.1',
    '127.1.2.3',
    '127.255.255.254',
    '10.0.0.1',
    '10.255.255.254',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '255.255.255.255',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
  ],
  'other ways to write IPv4': [
    '2130706433',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '017700000001',
    '0177.0.0.1',
    '0177.0.0.01',
    '127.1',
    '127.0.1',
    '0',
    '0x0',
    '0x7F.1',
    '10.1',
    '167772161',
    '0x0a000001',
    '012.0.0.1',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.43518',
    '3232235521',
    '127.0.0.1.',
    '0300.0250.0.1',
  ],
  'other characters': [
    '１２７.０.０.１',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '10%2e0%2e0%2e1',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loc%61lhost',
    'LOCALHOST',
    'localhost.',
    'local­host',
  ],
  'forms of IPv6': [
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:10.0.0.1]',
    '[::ffff:a00:1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:0:10.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:a00:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[5f00::1]',
    '[3fff::1]',
    '[::a00:1]',
  ],
  'names that resolve inside': Object.keys(zone).filter((name) => !name.startsWith('public')),
} as const satisfies Record<string, readonly string[]>

/** Whole addresses, with https unless the scheme is the trick. */
const addresses = {
  'user information': [
    'https://public.example.test@10.0.0.1/',
    'https://public.example.test:443@127.0.0.1/',
    'https://public.example.test%40127.0.0.1/',
    'https://user:word@10.0.0.1/',
    'https://10.0.0.1#@public.example.test/',
    'https://10.0.0.1?@public.example.test/',
    'https://10.0.0.1\\@public.example.test/',
    'https://public.example.test\\@10.0.0.1/',
    'https://public.example.test:443@@10.0.0.1/',
    'https:\\\\10.0.0.1/',
    'https:/10.0.0.1/',
    'https:10.0.0.1/',
    'https:///10.0.0.1/',
    'https://[::1]:443@10.0.0.1/',
  ],
  'other schemes': [
    'file:///etc/passwd',
    'gopher://10.0.0.1:80/_GET',
    'ftp://10.0.0.1/',
    'dict://127.0.0.1:80/info',
    'ws://10.0.0.1/',
    'data:text/html,inside',
    'javascript:fetch(1)',
    'unix:///var/run/docker.sock',
    'http+unix://%2fvar%2frun%2fdocker.sock/info',
    'jar:https://10.0.0.1!/',
    '//10.0.0.1/',
    '10.0.0.1',
  ],
  'blanks and breaks': [
    'https://10.0.0.1\t/',
    'https://10.0.\n0.1/',
    ' https://10.0.0.1/',
    'https://public.example.test/\r\nHost: 10.0.0.1',
    'https://public.example.test\u0000.10.0.0.1/',
    'https://10.0.0.1:0443/',
    'https://10.0.0.1:80/',
    'https://127.0.0.1:8080/',
  ],
} as const satisfies Record<string, readonly string[]>

type Hostile = { kind: string; address: string }

/** Every hostile address, with https unless the scheme is the trick. */
export const hostile: readonly Hostile[] = [
  ...Object.entries(hosts).flatMap(([kind, all]) => all.map((host) => ({ kind, address: `https://${host}/canary` }))),
  ...Object.entries(addresses).flatMap(([kind, all]) => all.map((address) => ({ kind, address }))),
]

const turns = new Map<string, number>()

/** What a name of the zone resolves to now; for other names it throws as a resolver does. */
export async function resolveInZone(hostname: string): Promise<readonly string[]> {
  const found = zone[hostname]
  if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
  return answerOf(hostname, found)
}

/** The addresses that a name has for this query. */
export function answerOf(name: string, found: (typeof zone)[string]): readonly string[] {
  const turn = turns.get(name) ?? 0
  turns.set(name, turn + 1)
  return found.flatMap((answer, index) => {
    if (typeof answer === 'string') return [answer]
    return index === turn % found.length ? answer : []
  })
}
