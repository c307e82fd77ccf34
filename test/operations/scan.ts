// Scans the vulnerable service and its fixed version from each kind of description, and reports which flaws were found.

import { readFileSync, writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { Finding } from '../../src/scanner/finding.ts'
import type { ScanOptions } from '../../src/scanner/options.ts'
import type { Outcome } from '../../src/scanner/outcome.ts'
import type { Identity, Profile } from '../../src/scanner/types.ts'
import { schema } from '../targets/areas/graphql-schema.ts'
import type { Flaw } from '../targets/flaw.ts'
import { credentials, launch, type Target } from '../targets/launch.ts'
import { flaws } from '../targets/service.ts'

/** How many of a hundred flaws must be found. */
const LEAST = 90

/** Also found in the fixed service, because it serves its form over plain HTTP on the loopback address. */
const OF_PLAIN_HTTP = new Set(['insecure-form'])

type Way = { name: string; options: (target: Target) => Promise<Partial<ScanOptions>> }

const people = credentials.filter(({ role }) => role === 'user')

/** The users with an API token. */
async function bearers(target: Target): Promise<Identity[]> {
  return Promise.all(
    people.map(async ({ name, password }) => {
      const answer = await fetch(`${target.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: name, password }),
      })
      const { token }: { token: string } = JSON.parse(await answer.text())
      return { name, headers: [['Authorization', `Bearer ${token}`]], cookies: [], query: [] }
    }),
  )
}

/** The users who sign in through the form on the pages. */
const visitors = (target: Target): Identity[] =>
  people.map(({ name, password }) => ({
    name,
    headers: [],
    cookies: [],
    query: [],
    login: { type: 'FORM', url: `${target.url}/signin`, username: name, password },
  }))

async function textOf(url: string, identity?: Identity): Promise<string> {
  return (await fetch(url, { headers: Object.fromEntries(identity?.headers ?? []) })).text()
}

export const ways: Way[] = [
  {
    name: 'pages, followed by links and forms',
    options: async (target) => ({ identities: visitors(target), schema: null, crawl: true, browser: true }),
  },
  {
    name: 'OpenAPI',
    options: async (target) => {
      const identities = await bearers(target)
      return {
        identities,
        schema: { name: 'openapi.json', text: await textOf(`${target.url}/openapi.json`, identities[0]) },
      }
    },
  },
  {
    name: 'GraphQL',
    options: async (target) => ({
      target: `${target.url}/graphql`,
      identities: await bearers(target),
      format: 'GRAPHQL',
      schema: { name: 'schema.graphql', text: printSchema(schema) },
    }),
  },
  {
    name: 'WSDL',
    options: async (target) => ({
      identities: [],
      schema: { name: 'shop.wsdl', text: await textOf(`${target.url}/soap`) },
    }),
  },
]

const allowed = readAllowed('127.0.0.0/8')

async function scanTarget(target: Target, way: Way, profile: Profile): Promise<Outcome> {
  return scan({
    target: target.url,
    profile,
    identities: [],
    crawl: false,
    browser: false,
    listener: { host: '127.0.0.1', ports: [0, 0] },
    budget: { time: 600_000 },
    ...(allowed ? { allowed } : {}),
    ...(await way.options(target)),
  })
}

/**
 * Whether a finding matches the flaw: one of its CWEs, its operation, and a part of its text where only that tells
 * flaws apart.
 */
export function isOf({ cwe, operation, said }: Flaw, finding: Finding): boolean {
  const places = [finding.operation, ...finding.others]
  const isThere =
    operation === '*' ||
    places.some(
      (place) => place === operation || (/^[#?]/.test(place.slice(operation.length)) && place.startsWith(operation)),
    )
  const words = `${finding.check} ${finding.title} ${finding.detail}`
  return finding.cwes.includes(cwe) && isThere && (said === undefined || said.test(words))
}

type Row = {
  name: string
  operations: number
  requests: number
  seconds: number
  findings: number
  falseAlarms: number
}

export async function run(): Promise<string[]> {
  const faults: string[] = []
  const found: Finding[] = []
  const rows: Row[] = []
  for (const way of ways) {
    const [broken, mended] = [await scanned(way), await scanned(way, [])]
    const alarms = mended.findings.filter(({ check }) => !OF_PLAIN_HTTP.has(check))
    found.push(...broken.findings)
    for (const { state, reason } of [broken, mended])
      if (state !== 'COMPLETED') faults.push(`${way.name}: ${state}, ${reason}`)
    for (const alarm of alarms)
      faults.push(`${way.name}, mended: ${alarm.check} at ${alarm.operation}: ${alarm.detail}`)
    const { operations, requests, ms, findings } = broken
    rows.push({
      name: way.name,
      operations: operations.length,
      requests,
      seconds: Math.round(ms / 1000),
      findings: findings.length,
      falseAlarms: alarms.length,
    })
    console.log(
      `${way.name}: ${findings.length} findings, ${requests} requests, ${Math.round(ms / 1000)} s; mended: ${alarms.length}, ${mended.requests}, ${Math.round(mended.ms / 1000)} s`,
    )
  }
  const missed = missedBy(found)
  for (const { id, cwe, operation, shows } of missed) console.log(`missed ${id}: CWE-${cwe}, ${operation}: ${shows}`)
  for (const finding of new Map(found.map((one) => [`${one.check} ${one.operation}`, one])).values()) {
    if (!flaws.some((flaw) => isOf(flaw, finding)))
      console.log(`beside ${finding.check} at ${finding.operation}: ${finding.detail}`)
  }
  const share = Math.floor((100 * (flaws.length - missed.length)) / flaws.length)
  console.log(`${flaws.length - missed.length} of ${flaws.length} flaws were found: ${share} %`)
  if (share < LEAST) faults.push(`${share} % of the flaws were found, fewer than ${LEAST} %`)
  const lesser = { BALANCED: await countOf('BALANCED'), BASIC: await countOf('BASIC') }
  console.log(lesser)
  if (faults.length === 0) writeTables(rows, missed, lesser)
  return faults
}

const missedBy = (found: readonly Finding[]) => flaws.filter((flaw) => !found.some((finding) => isOf(flaw, finding)))

/** How many of the flaws scans with this profile find, over all kinds of description. */
async function countOf(profile: Profile): Promise<number> {
  const found: Finding[] = []
  for (const way of ways) found.push(...(await scanned(way, undefined, profile)).findings)
  return flaws.length - missedBy(found).length
}

/** One scan of the service with these flaws, by default all of them. */
export async function scanned(way: Way, on?: readonly string[], profile: Profile = 'DEEP'): Promise<Outcome> {
  const target = await launch(on)
  try {
    return await scanTarget(target, way, profile)
  } finally {
    await target.stop()
  }
}

const PAGE = 'docs/scanner.md'
const [BEGIN, END] = ['<!-- measured: begin -->', '<!-- measured: end -->']

/** Writes the figures between the two markers of the page. */
function writeTables(rows: Row[], missed: Flaw[], { BALANCED, BASIC }: Record<'BALANCED' | 'BASIC', number>): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]]
  if (before === undefined || after === undefined || !page.includes(BEGIN)) return
  const cwes = [...new Set(flaws.map(({ cwe }) => cwe))].sort((a, b) => a - b)
  const counted = cwes.map((cwe) => {
    const count = flaws.filter((flaw) => flaw.cwe === cwe).length
    return count === 1 ? `${cwe}` : `${cwe} (${count})`
  })
  const names = missed.map(({ cwe, id }) => `${id} (CWE-${cwe})`)
  const table = [
    '| Asked from | Operations | Requests | Seconds | Findings | On the mended form |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${Object.values(row).join(' | ')} |`),
    '',
    `Of ${flaws.length} flaws of ${cwes.length} kinds, ${flaws.length - missed.length} were found${names.length > 0 ? `; missed: ${names.join(', ')}` : ''}; by BALANCED ${BALANCED}, by BASIC ${BASIC}.`,
    `Their CWEs, with their number where it is not one: ${counted.join(', ')}.`,
  ]
  writeFileSync(PAGE, `${before}${BEGIN}\n${table.join('\n')}\n${END}${after}`)
}
