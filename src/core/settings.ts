// Every setting, with its default and its meaning; the table in docs/configuration.md is generated from this file.

import { z } from 'zod'
import { readCallback } from './callback-address.ts'
import { isMailUrl } from './mail-url.ts'
import { readAllowed } from './outbound-address.ts'
import { isFeedUrl } from './outbound-file.ts'
import { readScanTargets } from './scan-targets.ts'

const MiB = 1024 * 1024

function whole(least: number, most: number, sentence: string) {
  return z.coerce.number(sentence).int(sentence).min(least, sentence).max(most, sentence)
}

const port = whole(0, 65_535, 'must be a whole number from 0 to 65535')
const positive = whole(1, Number.MAX_SAFE_INTEGER, 'must be a whole number above 0')
const connections = whole(4, Number.MAX_SAFE_INTEGER, 'must be a whole number of at least 4')
/** As long as timers and PostgreSQL can wait: 24 days. */
const LONGEST_TIME = 2 ** 31 - 1
const milliseconds = whole(1, LONGEST_TIME, `must be a whole number from 1 to ${LONGEST_TIME}`)
/** Characters of an address: a job is known by it. */
const LONGEST_FEED = 400
const feeds = z.string().transform((text, check) => {
  const addresses = text.split(',').flatMap((address) => address.trim() || [])
  const isWrong = (address: string) => !isFeedUrl(address) || address.length > LONGEST_FEED
  if (addresses.some(isWrong)) check.addIssue('must be https addresses, separated by commas')
  return [...new Set(addresses)]
})
const feed = z.string().refine((url) => url === '' || isFeedUrl(url), 'must be an https address')
const outside = z.string().transform((text, check) => {
  const allowed = readAllowed(text)
  if (allowed === null) check.addIssue('must be host names, addresses and networks, separated by commas')
  return allowed ?? z.NEVER
})
const scanTargets = z.string().transform((text, check) => {
  const targets = readScanTargets(text)
  if (targets === null)
    check.addIssue('must be host names and addresses, each with :port or :* or without, separated by commas')
  return targets ?? z.NEVER
})
const callback = z.string().transform((text, check) => {
  const address = text === '' ? null : readCallback(text)
  if (address === undefined) check.addIssue('must be host:port or host:first-last, 100 ports at most')
  return address ?? null
})
const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

const clientId = (vendor: string) => ({
  schema: z.string(),
  initial: '',
  meaning: `Id of the OAuth client registered at ${vendor}; without one, only tokens can be used.`,
})
const clientSecret = (vendor: string) => ({
  schema: z.string(),
  initial: '',
  meaning: `Secret of the OAuth client registered at ${vendor}.`,
})

/** Without TLS it is called only where MERLON_OUTBOUND_ALLOW says so. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  return isWebAddress(text) && url?.search === '' && url.hash === '' && url.username === ''
}

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Each setting: its schema, with the default as text. */
export const settings = {
  HOST: { schema: z.string().min(1), initial: '127.0.0.1', meaning: 'Address to listen on.' },
  PORT: { schema: port, initial: '4000', meaning: 'Port to listen on; 0 picks a free one.' },
  MERLON_DATA: {
    schema: z.string().min(1),
    initial: 'data',
    meaning: 'Directory of the embedded database, the stored files and the keys.',
  },
  MERLON_OBJECTS: {
    schema: z
      .string()
      .regex(
        /^(s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!'()*.-]+)*\/?)?$/,
        'must be s3://bucket or s3://bucket/prefix, without keys',
      ),
    initial: '',
    meaning:
      'Bucket for the stored files, as `s3://bucket/prefix`, instead of `objects` in the data directory; each installation needs a bucket or a prefix of its own.',
  },
  MERLON_OBJECTS_ENDPOINT: {
    schema: z.string().refine((url) => url === '' || isWebAddress(url), 'must be an http or https address'),
    initial: '',
    meaning: 'Address of the service that has the bucket, if it is not AWS.',
  },
  MERLON_OBJECTS_REGION: {
    schema: z.string().regex(/^[\w-]*$/, 'must be the name of a region'),
    initial: '',
    meaning: 'Region of the bucket; without it `AWS_REGION`, or `us-east-1` at another service than AWS.',
  },
  DATABASE_URL: {
    schema: z
      .string()
      .regex(/^(postgres(ql)?:\/\/.*|socket:.*)?$/s, 'must be postgres://user:password@host:port/database'),
    initial: '',
    meaning:
      'Address of a PostgreSQL 15 to 18 database to use instead of the embedded one. Its encoding is UTF8, and its locale knows the small letters of all languages, as `C.UTF-8` does and `C` does not.',
  },
  MERLON_PUBLIC_URL: {
    schema: z.string().refine((url) => url === '' || isWebAddress(url), 'must be an http or https address'),
    initial: '',
    meaning: 'Address at which people and outside tools reach this service, for links and webhooks.',
  },
  MERLON_ROOT_KEY: {
    schema: z.string().regex(/^([0-9a-f]{64})?$/i, 'must be 64 hexadecimal digits'),
    initial: '',
    meaning:
      'Root key that encrypts the companies’ data keys, 64 hexadecimal digits; without it `root-key` in the data directory is used, and created at the first start.',
  },
  MERLON_PREVIOUS_ROOT_KEY: {
    schema: z.string().regex(/^([0-9a-f]{64})?$/i, 'must be 64 hexadecimal digits'),
    initial: '',
    meaning: 'The former root key, during a rotation to `MERLON_ROOT_KEY`.',
  },
  MERLON_DEVELOPMENT: {
    schema: flag,
    initial: 'false',
    meaning: 'Opens `/graphiql` to everybody who can reach the port.',
  },
  MERLON_TRUST_PROXY: {
    schema: flag,
    initial: 'false',
    meaning:
      'Takes the caller’s address from the last entry of `X-Forwarded-For`, which the proxy in front of the service adds.',
  },
  MERLON_METRICS_TOKEN: {
    schema: z.string().regex(/^([\w.~+/-]{16,}=*)?$/, 'must be 16 characters or more that a bearer token may have'),
    initial: '',
    meaning:
      'Bearer token for `/metrics`; without one, `/metrics` answers only requests from this machine that come through no proxy.',
  },
  LOG_LEVEL: {
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    initial: 'info',
    meaning: 'Lowest level that is logged.',
  },
  MERLON_DATABASE_CONNECTIONS: {
    schema: connections,
    initial: '10',
    meaning:
      'Most database connections of a process for requests and jobs, at least 4, of which the worker keeps 3. Up to 4 more follow events and show that the worker lives.',
  },
  MERLON_STATEMENT_TIMEOUT_MS: {
    schema: milliseconds,
    initial: '10000',
    meaning: 'Time limit of a database statement, milliseconds.',
  },
  MERLON_REQUEST_TIMEOUT_MS: {
    schema: milliseconds,
    initial: '30000',
    meaning: 'Time limit of a GraphQL request once its body has arrived, milliseconds.',
  },
  MERLON_DOCUMENT_BYTES: { schema: positive, initial: String(64 * 1024), meaning: 'Largest GraphQL document, bytes.' },
  MERLON_DOCUMENT_TOKENS: { schema: positive, initial: '2000', meaning: 'Most tokens in a GraphQL document.' },
  MERLON_DOCUMENT_DEPTH: { schema: positive, initial: '15', meaning: 'Deepest GraphQL selection.' },
  MERLON_DOCUMENT_ALIASES: { schema: positive, initial: '30', meaning: 'Most aliases in a GraphQL document.' },
  MERLON_DOCUMENT_COST: { schema: positive, initial: '10000', meaning: 'Highest cost of a request.' },
  MERLON_PAGE_SIZE: { schema: positive, initial: '1000', meaning: 'Largest page; a larger one is cut to this size.' },
  MERLON_REQUESTS_PER_MINUTE: { schema: positive, initial: '1200', meaning: 'Most requests a minute for each key.' },
  MERLON_JSON_BYTES: { schema: positive, initial: String(2 * MiB), meaning: 'Largest JSON body, bytes.' },
  MERLON_INLINE_UPLOAD_BYTES: {
    schema: positive,
    initial: String(MiB),
    meaning: 'Largest file inside a JSON body, bytes.',
  },
  MERLON_FILES_PER_REQUEST: { schema: positive, initial: '20', meaning: 'Most files in one multipart request.' },
  MERLON_ATTACHMENT_BYTES: { schema: positive, initial: String(50 * MiB), meaning: 'Largest attachment, bytes.' },
  MERLON_DIFF_BYTES: {
    schema: positive,
    initial: String(256 * MiB),
    meaning: 'Largest diff or commit history, bytes.',
  },
  MERLON_EPSS_URL: {
    schema: feed,
    initial: '',
    meaning:
      'The https address from which EPSS scores are fetched every day; without it, load them with `merlon enrich`.',
  },
  MERLON_KEV_URL: {
    schema: feed,
    initial: '',
    meaning:
      'The https address from which the catalogue of known exploited vulnerabilities (KEV) is fetched every day; without it, load it with `merlon enrich`.',
  },
  MERLON_ADVISORIES_URL: {
    schema: feeds,
    initial: '',
    meaning:
      'The https addresses, separated by commas, from which archives of OSV’s advisories are fetched every day; without them, load archives with `merlon advisories`.',
  },
  MERLON_OUTBOUND_ALLOW: {
    schema: outside,
    initial: '',
    meaning:
      'Hosts, addresses and networks (CIDR) that the service may call although they are not public, separated by commas; `http://` in front of one allows calls without TLS.',
  },
  MERLON_HOST_A_CLIENT_ID: clientId('HostA'),
  MERLON_HOST_A_CLIENT_SECRET: clientSecret('HostA'),
  MERLON_HOST_B_CLIENT_ID: clientId('HostB'),
  MERLON_HOST_B_CLIENT_SECRET: clientSecret('HostB'),
  MERLON_HOST_B_INSTANCE_URL: {
    schema: feed,
    initial: '',
    meaning: 'Address of the GitLab instance at which the OAuth client of HostB is registered; by default gitlab.com.',
  },
  MERLON_BOARDS_TRACKER_CLIENT_ID: clientId('BoardsTracker'),
  MERLON_BOARDS_TRACKER_CLIENT_SECRET: clientSecret('BoardsTracker'),
  MERLON_TASK_TRACKER_CLIENT_ID: clientId('TaskTracker'),
  MERLON_TASK_TRACKER_CLIENT_SECRET: clientSecret('TaskTracker'),
  MERLON_OAUTH_REDIRECT_URL: {
    schema: z.string().refine((url) => url === '' || isWebAddress(url), 'must be an http or https address'),
    initial: '',
    meaning: 'Address to which vendors send people back after their consent, exactly as it is registered there.',
  },
  MERLON_OIDC_ISSUER: {
    schema: z.string().refine((url) => url === '' || isIssuer(url), 'must be an https address without a query'),
    initial: '',
    meaning:
      'Issuer of the OpenID provider at which people can sign in to the console, exactly as the provider writes it ([sign-in.md](sign-in.md)).',
  },
  MERLON_OIDC_CLIENT_ID: {
    schema: z.string(),
    initial: '',
    meaning: 'Id of the client registered at the OpenID provider.',
  },
  MERLON_OIDC_CLIENT_SECRET: {
    schema: z.string(),
    initial: '',
    meaning: 'Secret of the client registered at the OpenID provider; leave it out for a public client.',
  },
  MERLON_SMTP_URL: {
    schema: z
      .string()
      .refine((url) => url === '' || isMailUrl(url), 'must be smtp://user:password@host:port or smtps://…'),
    initial: '',
    meaning:
      'Server for outgoing mail, `smtp://user:password@host:587` or `smtps://…`; without it, there are no notifications by mail.',
  },
  MERLON_MAIL_FROM: {
    schema: z.string().max(320, 'must have 320 characters at most'),
    initial: 'merlon@localhost',
    meaning: 'Sender of outgoing mail.',
  },
  MERLON_SCAN_ALLOW: {
    schema: scanTargets,
    initial: '',
    meaning:
      'Hosts and addresses that every company may scan without verification, separated by commas: each with `:port`, with `:*` for every port, or alone for the ports 80 and 443. One that is not public must be in `MERLON_OUTBOUND_ALLOW` as well.',
  },
  MERLON_SCAN_LISTENER: {
    schema: callback,
    initial: '',
    meaning:
      'Where targets of dynamic scans can reach this service’s worker: `host:port`, or `host:first-last` with a port for each of the up to four scans that run at once. Without it, scans do not look for vulnerabilities that show only by a callback.',
  },
  MERLON_REPORT_BYTES: { schema: positive, initial: String(256 * MiB), meaning: 'Largest report, bytes.' },
} as const satisfies Record<string, { schema: z.ZodType; initial: string; meaning: string }>

export type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> }

/** Settings of which one means nothing without the other. */
export const settingPairs = [
  ['MERLON_HOST_A_CLIENT_ID', 'MERLON_HOST_A_CLIENT_SECRET'],
  ['MERLON_HOST_B_CLIENT_ID', 'MERLON_HOST_B_CLIENT_SECRET'],
  ['MERLON_BOARDS_TRACKER_CLIENT_ID', 'MERLON_BOARDS_TRACKER_CLIENT_SECRET'],
  ['MERLON_TASK_TRACKER_CLIENT_ID', 'MERLON_TASK_TRACKER_CLIENT_SECRET'],
  ['MERLON_OIDC_ISSUER', 'MERLON_OIDC_CLIENT_ID'],
] as const satisfies readonly (readonly [keyof Settings, keyof Settings])[]

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settings)

/** The settings as a Markdown table, for docs/configuration.md. */
export function configurationTable(): string {
  const rows = Object.entries(settings).map(
    ([name, { initial, meaning }]) => `| \`${name}\` | ${initial ? `\`${initial}\`` : ''} | ${meaning} |`,
  )
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}
