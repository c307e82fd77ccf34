// The options of `merlon scan`, and their translation for the scanner.

import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { type CallbackAddress, readCallback } from '../core/callback-address.ts'
import { type Allowed, readAllowed } from '../core/outbound-address.ts'
import type { SeedFormat } from '../scanner/options.ts'
import type { SentOptions } from '../scanner/processed.ts'
import type { Identity, Profile } from '../scanner/types.ts'
import { BLOCKED } from './exit.ts'
import { reading } from './files.ts'
import { readDescription } from './scan-description.ts'
import { readIdentity, withOwnNames } from './scan-identity.ts'
import { aboveZero, oneOf } from './values.ts'
import { WrongUse } from './wrong-use.ts'

/** Mildest first. */
export const severities = ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const

const profiles = ['BASIC', 'BALANCED', 'DEEP'] as const satisfies readonly Profile[]
const formats = ['OPENAPI', 'GRAPHQL', 'SOAP', 'POSTMAN', 'HAR'] as const satisfies readonly SeedFormat[]
const outputs = ['text', 'json', 'sarif'] as const

export type GivenOptions = {
  schema?: string
  format?: SeedFormat
  profile: Profile
  header?: string[]
  identity?: string[]
  include?: string[]
  exclude?: string[]
  origin?: string[]
  allow?: string[]
  check?: string[]
  rate?: number
  maxRequests?: number
  maxMinutes?: number
  listen?: string
  certificate?: string
  crawl?: boolean
  browser: boolean
  destructive?: boolean
  failOn?: (typeof severities)[number]
  output: (typeof outputs)[number]
}

const many = (value: string, before: string[] = []) => [...before, value]

export const addOptions = (command: Command): Command =>
  command
    .argument('<url>')
    .option(
      '--schema <file or address>',
      'its API description: OpenAPI, Swagger, GraphQL (SDL or introspection), WSDL, Postman 2.1 or HAR',
    )
    .option(
      '--format <format>',
      'format of the description: openapi, graphql, soap, postman or har; by default recognised by its content',
      oneOf('--format', formats),
    )
    .addOption(
      new Option('--profile <profile>', 'basic (harmless), balanced, or deep')
        .argParser(oneOf('--profile', profiles))
        .default('BALANCED', 'balanced'),
    )
    .option('--header <header>', '"Name: value", sent with every request of the first identity; may be repeated', many)
    .option(
      '--identity <file>',
      'JSON file with a user of the target and how to sign in; give a second one to test access between users',
      many,
    )
    .option(
      '--include <glob>',
      'scan only matching paths, or operations such as /graphql#Query.*; may be repeated',
      many,
    )
    .option(
      '--exclude <glob>',
      'do not scan matching paths, or operations such as #Mutation.deleteUser; may be repeated',
      many,
    )
    .option('--origin <origin>', 'another origin that belongs to the target; may be repeated', many)
    .option('--allow <network>', 'private network or host that may also be called; may be repeated', many)
    .option('--check <id>', 'run only this check; may be repeated', many)
    .option('--rate <number>', 'maximum requests per second', aboveZero)
    .option('--max-requests <number>', 'maximum requests in total', aboveZero)
    .option('--max-minutes <number>', 'maximum minutes in total', aboveZero)
    .option(
      '--listen <host:port>',
      'where the target can reach this machine, for vulnerabilities that show only by a callback; not needed for a local target',
    )
    .option('--certificate <fingerprint>', 'accept this certificate (SHA-256), or any, from the address of --schema')
    .option('--crawl', 'follow links and forms even if there is a description')
    .option('--no-browser', 'do not open pages in Chromium')
    .option('--destructive', 'also send requests that delete, log out, or reset or change passwords')
    .option(
      '--fail-on <severity>',
      `exit with ${BLOCKED} if there is a finding of at least this severity: low, medium, high or critical`,
      oneOf('--fail-on', severities),
    )
    .addOption(new Option('--output <output>', 'text, json or sarif').choices(outputs).default('text'))

/** The scanner's options; WrongUse for invalid values, and for files that cannot be read. */
export async function readOptions(url: string, options: GivenOptions): Promise<SentOptions> {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new WrongUse(`${url} is not an http or https address`)
  if (options.certificate !== undefined && !options.schema)
    throw new WrongUse('--certificate applies only to an https address in --schema')
  const hostname = target.hostname.replace(/^\[(.*)\]$/, '$1')
  const allowed = allowedOf(hostname, options.allow)
  const { rate, maxRequests, maxMinutes } = options
  return {
    target: url,
    profile: options.profile,
    format: options.format ?? null,
    schema: options.schema ? await readDescription(options.schema, target, allowed, options.certificate) : null,
    identities: await identitiesOf(options),
    scope: {
      origins: options.origin ?? [],
      include: options.include ?? [],
      exclude: options.exclude ?? [],
    },
    budget: {
      ...(rate === undefined ? {} : { rate }),
      ...(maxRequests === undefined ? {} : { requests: maxRequests }),
      ...(maxMinutes === undefined ? {} : { time: maxMinutes * 60_000 }),
    },
    checks: options.check,
    allowDestructive: options.destructive ?? false,
    crawl: options.crawl,
    browser: options.browser,
    listener: listenerOf(options.listen, hostname),
    allowed,
  }
}

/** The hosts that may be called: whoever types the target's address at a terminal allows calling it, also on a private network. */
function allowedOf(hostname: string, networks: readonly string[] = []): Allowed {
  const allowed = readAllowed([hostname, ...networks].join(','))
  if (allowed === null) throw new WrongUse('--allow takes hosts, addresses and networks such as 10.0.0.0/8')
  return { ...allowed, hosts: new Set([...allowed.hosts, hostname]) }
}

/** The users of --identity, the first one with the headers of --header; none for an anonymous scan. */
async function identitiesOf(options: GivenOptions): Promise<Identity[]> {
  const files = options.identity ?? []
  const headers = (options.header ?? []).map(readHeader)
  if (files.length === 0 && headers.length === 0) return []
  const identities = withOwnNames(
    await Promise.all(files.map(async (file) => readIdentity(await reading(file, readFile(file, 'utf8')), file))),
  )
  const [first = { name: 'user', isNameMadeUp: true, headers: [], cookies: [], query: [] }, ...others] = identities
  return [{ ...first, headers: [...first.headers, ...headers] }, ...others]
}

function readHeader(line: string): [string, string] {
  const at = line.indexOf(':')
  if (at < 1) throw new WrongUse('--header takes "Name: value"')
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}

/** The address for callbacks of the target; for a target on this machine the loopback address, without --listen. */
function listenerOf(given: string | undefined, hostname: string): CallbackAddress | null {
  if (given === undefined) return isLoopback(hostname) ? { host: '127.0.0.1', ports: [0, 0] } : null
  const address = readCallback(given, 0)
  if (!address) throw new WrongUse('--listen takes host, host:port or host:first-last')
  return address
}

const isLoopback = (hostname: string) => /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/.test(hostname)
