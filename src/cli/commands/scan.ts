// `merlon scan`: runs the dynamic scanner against a running application, from this machine and without a server.

import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { type CallbackAddress, readCallback } from '../../core/callback-address.ts'
import { offer } from '../../core/nearest.ts'
import { readAllowed } from '../../core/outbound-address.ts'
import { VERSION } from '../../core/version.ts'
import { defaultBudget } from '../../scanner/budget.ts'
import type { Finding } from '../../scanner/finding.ts'
import type { Outcome, Progress } from '../../scanner/outcome.ts'
import type { SentOptions } from '../../scanner/processed.ts'
import type { Identity, Profile, SeedFormat } from '../../scanner/types.ts'
import { BLOCKED, REFUSED } from '../exit.ts'
import { reading } from '../files.ts'
import { printable, printJson, printJsonWith, say } from '../output.ts'
import { readDescription } from '../scan-description.ts'
import { readIdentity, withOwnNames } from '../scan-identity.ts'
import { sarifOfScan } from '../scan-sarif.ts'
import { printText } from '../scan-text.ts'
import { WrongUse } from '../wrong-use.ts'

type Options = {
  schema?: string
  format?: string
  profile: string
  header?: string[]
  identity?: string[]
  include?: string[]
  exclude?: string[]
  origin?: string[]
  allow?: string[]
  check?: string[]
  rate?: string
  maxRequests?: string
  maxMinutes?: string
  listen?: string
  certificate?: string
  crawl?: boolean
  browser: boolean
  destructive?: boolean
  failOn?: string
  output: string
}

/** Milliseconds after the end of its time in which a scan ends. */
const GRACE = 60_000

const many = (value: string, before: string[] = []) => [...before, value]
const severities = ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const

export function scan(command: Command): void {
  command
    .argument('<url>')
    .option(
      '--schema <file or address>',
      'its API description: OpenAPI, Swagger, GraphQL (SDL or introspection), WSDL, Postman 2.1 or HAR',
    )
    .option(
      '--format <format>',
      'format of the description: openapi, graphql, soap, postman or har; by default recognised by its content',
    )
    .option('--profile <profile>', 'basic (harmless), balanced, or deep', 'balanced')
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
    .option('--rate <number>', 'most requests a second')
    .option('--max-requests <number>', 'most requests in total')
    .option('--max-minutes <number>', 'most minutes in total')
    .option(
      '--listen <host:port>',
      'where the target can reach this machine, for flaws that show only by a call back; not needed for a local target',
    )
    .option('--certificate <fingerprint>', 'accept this certificate (SHA-256), or any, from the address of --schema')
    .option('--crawl', 'follow links and forms even if there is a description')
    .option('--no-browser', 'do not open pages in Chromium')
    .option('--destructive', 'also send requests that delete, log out, or reset or change passwords')
    .option(
      '--fail-on <severity>',
      `exit with ${BLOCKED} if there is a finding of at least this severity: low, medium, high or critical`,
    )
    .option('--output <output>', 'text, json or sarif', 'text')
    .action(async (url: string, options: Options) => {
      if (!['text', 'json', 'sarif'].includes(options.output))
        throw new WrongUse('--output is one of text, json, sarif')
      const least = oneOf(severities, options.failOn, '--fail-on')
      await requireChecks(options.check)
      const outcome = await run(await readOptions(url, options), options)
      await print(outcome, url, options.output)
      if (options.schema && outcome.state === 'BAD_SCHEMA') {
        throw new WrongUse(
          `${options.schema}: ${outcome.reason}; there are OpenAPI, Swagger, GraphQL (SDL or introspection), WSDL, Postman 2.1 and HAR`,
        )
      }
      process.exitCode = codeOf(outcome, least)
    })
}

/** WrongUse for a check that does not exist: a misspelt one would quietly find nothing. */
async function requireChecks(ids: readonly string[] = []): Promise<void> {
  if (ids.length === 0) return
  const { checks } = await import('../../scanner/checks/index.ts')
  const known = checks.map(({ id }) => id)
  const wrong = ids.find((id) => !known.includes(id))
  if (wrong !== undefined) throw new WrongUse(`There is no check ${wrong}${offer(wrong, known)}`)
}

/** Runs in a process of its own, whose memory is bounded; what it found until then is kept if it does not finish. */
async function run(given: SentOptions, { output }: Options): Promise<Outcome> {
  const { ScanFault, scanInProcess } = await import('../../scanner/processed.ts')
  const controller = new AbortController()
  const cancel = () => controller.abort()
  process.once('SIGINT', cancel)
  process.once('SIGTERM', cancel)
  let toldAt = 0
  const began = performance.now()
  let requests = 0
  const onFinding = (finding: Finding) => {
    if (output === 'text')
      say(
        `${finding.severity.padEnd(12)} ${printable(finding.title)}  ${printable(finding.operation)}${finding.parameter ? `  ${printable(finding.parameter.name)}` : ''}`,
      )
  }
  const onProgress = ({ phase, done, of, requests: asked, findings }: Progress) => {
    requests = asked
    if (!process.stderr.isTTY || Date.now() - toldAt < 1_000) return
    toldAt = Date.now()
    process.stderr.write(`\r${phase}: ${done} of ${of}, ${asked} requests, ${findings} findings   `)
  }
  const timeout = (given.budget?.time ?? defaultBudget.time) + GRACE
  try {
    return await scanInProcess(given, { signal: controller.signal, timeout, onFinding, onProgress })
  } catch (error) {
    if (!(error instanceof ScanFault)) throw error
    const state = controller.signal.aborted ? 'CANCELED' : 'FAILED'
    const told = {
      state,
      reason: error.message,
      findings: error.findings,
      requests,
      ms: performance.now() - began,
    } as const
    const none = {
      operations: [],
      skipped: [],
      covered: [],
      notes: [],
      accountPassword: null,
      coveredCwes: [],
      looked: [],
    }
    return { ...told, ...none, failures: 0 }
  } finally {
    process.off('SIGINT', cancel)
    process.off('SIGTERM', cancel)
  }
}

async function readOptions(url: string, options: Options): Promise<SentOptions> {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new WrongUse(`${url} is not an http or https address`)
  const hostname = target.hostname.replace(/^\[(.*)\]$/, '$1')
  const allowed = readAllowed([hostname, ...(options.allow ?? [])].join(','))
  if (allowed === null) throw new WrongUse('--allow takes hosts, addresses and networks such as 10.0.0.0/8')
  // whoever types the address at a terminal says that it is to be called
  const own = { ...allowed, hosts: new Set([...allowed.hosts, hostname]) }
  const headers = (options.header ?? []).map((line): [string, string] => {
    const at = line.indexOf(':')
    if (at < 1) throw new WrongUse('--header takes "Name: value"')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  })
  if (options.certificate !== undefined && !options.schema)
    throw new WrongUse('--certificate is of an https address of --schema, which is not given')
  const identities = withOwnNames(
    await Promise.all(
      (options.identity ?? []).map(async (file) => readIdentity(await reading(file, readFile(file, 'utf8')), file)),
    ),
  )
  const [first = { name: 'user', isNameMadeUp: true, headers: [], cookies: [], query: [] }, ...others] = identities
  const isAnonymous = identities.length === 0 && headers.length === 0
  const main: Identity = { ...first, headers: [...first.headers, ...headers] }
  const named = oneOf(['OPENAPI', 'GRAPHQL', 'SOAP', 'POSTMAN', 'HAR'] as const, options.format, '--format')
  return {
    target: url,
    profile:
      oneOf(['BASIC', 'BALANCED', 'DEEP'] as const, options.profile, '--profile') ?? ('BALANCED' satisfies Profile),
    format: named satisfies SeedFormat | null,
    schema: options.schema ? await readDescription(options.schema, target, own, options.certificate) : null,
    identities: isAnonymous ? [] : [main, ...others],
    scope: {
      origins: options.origin ?? [],
      include: options.include ?? [],
      exclude: options.exclude ?? [],
    },
    budget: {
      ...numberOf('rate', options.rate),
      ...numberOf('requests', options.maxRequests),
      ...numberOf('time', options.maxMinutes, 60_000),
    },
    checks: options.check,
    allowDestructive: options.destructive ?? false,
    crawl: options.crawl,
    browser: options.browser,
    listener: options.listen
      ? listenerOf(options.listen)
      : isLoopback(hostname)
        ? { host: '127.0.0.1', ports: [0, 0] }
        : null,
    allowed: own,
  }
}

function oneOf<Word extends string>(words: readonly Word[], given: string | undefined, option: string): Word | null {
  if (given === undefined) return null
  const found = words.find((word) => word === given.toUpperCase())
  if (!found) throw new WrongUse(`${option} is one of ${words.join(', ').toLowerCase()}`)
  return found
}

function numberOf(name: string, given: string | undefined, unit = 1): Record<string, number> {
  if (given === undefined) return {}
  const value = Number(given)
  if (!(value > 0)) throw new WrongUse(`${given} is not a number above zero`)
  return { [name]: value * unit }
}

const isLoopback = (hostname: string) => /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/.test(hostname)

function listenerOf(given: string): CallbackAddress {
  const address = readCallback(given, 0)
  if (!address) throw new WrongUse('--listen takes host, host:port or host:first-last')
  return address
}

async function print(outcome: Outcome, url: string, output: string): Promise<void> {
  if (process.stderr.isTTY) process.stderr.write('\n')
  if (output === 'json') {
    const { findings, ...rest } = outcome
    await printJsonWith(rest, 'findings', findings)
  } else if (output === 'sarif') printJson(sarifOfScan(outcome, url, VERSION))
  else printText(outcome)
}

function codeOf({ state, findings }: Outcome, least: (typeof severities)[number] | null): number {
  const isWhole = ['COMPLETED', 'REQUESTS_SPENT', 'TIME_SPENT'].includes(state)
  if (least && findings.some(({ severity }) => severities.indexOf(severity) >= severities.indexOf(least)))
    return BLOCKED
  return isWhole ? 0 : REFUSED
}
