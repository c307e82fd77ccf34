// Reads the published data on exploitation: EPSS as FIRST writes it, known exploited vulnerabilities as CISA does.

import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { badUserInput } from '../../core/errors.ts'
import { ReportFault, type ReportSource } from '../../reports/types.ts'
import { unpacked } from '../../reports/unpack.ts'

export type EpssRow = { cve: string; score: string; percentile: string }
export type KnownExploited = { cve: string; addedOn: string | null; dueOn: string | null; isRansomware: boolean }

/** What a feed says of itself. */
export type FeedVersion = { version: string | null; publishedAt: string | null }

const cve = /^CVE-\d{4}-\d{4,19}$/
const share = /^(0(\.\d{1,17})?|1(\.0{1,17})?|\d(\.\d{1,17})?e-\d{1,2})$/i

/** Rows and bytes that a feed has at most; both published ones are far smaller. */
const MOST_ROWS = 5_000_000
const MOST_KEV_BYTES = 64 * 1024 * 1024

/** A row that cannot be read is passed over; so many of them and the file is another one. */
const MOST_FAULTS = 1000

/**
 * The rows of an EPSS file, plain or gzip: a comment `#model_version:…,score_date:…`, the names `cve,epss,percentile`, and a
 * row each. BAD_USER_INPUT for any other file. `version` is filled once the first row was given.
 */
export function readEpss(source: ReportSource): { rows: AsyncGenerator<EpssRow>; version: FeedVersion } {
  const version: FeedVersion = { version: null, publishedAt: null }
  return { rows: epssRows(source, version), version }
}

async function* epssRows(source: ReportSource, version: FeedVersion): AsyncGenerator<EpssRow> {
  let names: string[] | null = null
  let rows = 0
  let faults = 0
  let isCut = false
  for await (const line of linesOf(source)) {
    if (line === '') continue
    if (line.startsWith('#')) Object.assign(version, versionOf(line))
    else if (names === null) names = columnsOf(line)
    else {
      const values = line.split(',')
      const textOf = (name: string) => values[names?.indexOf(name) ?? -1]?.trim() ?? ''
      const row = { cve: textOf('cve').toUpperCase(), score: textOf('epss'), percentile: textOf('percentile') }
      if (!cve.test(row.cve) || !share.test(row.score) || !share.test(row.percentile)) faults += 1
      else yield row
      isCut = values.length < names.length
      rows += 1
      if (faults > MOST_FAULTS) throw notEpss(`${faults} of its first ${rows} rows cannot be read`)
      if (rows > MOST_ROWS) throw notEpss(`it has more than ${MOST_ROWS} rows`)
    }
  }
  if (names === null) throw notEpss('it has no column names')
  if (rows === faults) throw notEpss('none of its rows can be read')
  if (isCut) throw notEpss('it ends within a row')
}

const notEpss = (why: string) => badUserInput(`epss is not an EPSS file: ${why}`, 'input.epss')

/** Characters of a line; one of EPSS has 40. */
const LONGEST_LINE = 1000

async function* linesOf(source: ReportSource): AsyncGenerator<string> {
  try {
    const { open } = await unpacked(source, { mayBreakOff: false })
    for await (const line of createInterface({
      input: Readable.from(bounded(open())),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      yield line
    }
  } catch (error) {
    throw error instanceof ReportFault ? notEpss(error.message) : error
  }
}

/** Refuses a line without an end before it is gathered. */
async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let since = 0
  for await (const chunk of bytes) {
    const last = chunk.lastIndexOf(10)
    since = last < 0 ? since + chunk.length : chunk.length - last - 1
    if (since > LONGEST_LINE) throw notEpss(`it has a line longer than ${LONGEST_LINE} bytes`)
    yield chunk
  }
}

function columnsOf(line: string): string[] {
  const names = line.split(',').map((name) => name.trim().toLowerCase())
  if (!['cve', 'epss', 'percentile'].every((name) => names.includes(name))) {
    throw notEpss('it lacks the columns cve, epss and percentile')
  }
  return names
}

function versionOf(comment: string): Partial<FeedVersion> {
  const version = /model_version:([^,\s]{1,100})/.exec(comment)?.[1]
  const date = /score_date:([^,\s]{1,40})/.exec(comment)?.[1] ?? ''
  const publishedAt = Number.isNaN(Date.parse(date)) ? undefined : new Date(date).toISOString()
  return { ...(version && { version }), ...(publishedAt && { publishedAt }) }
}

const day = z.iso.date().nullish().catch(null)

const kevShape = z.object({
  catalogVersion: z.string().max(100).nullish().catch(null),
  dateReleased: z.iso.datetime({ offset: true }).nullish().catch(null),
  count: z.number().nullish().catch(null),
  vulnerabilities: z
    .array(
      z.object({
        cveID: z.string().transform((id) => id.trim().toUpperCase()),
        dateAdded: day,
        dueDate: day,
        knownRansomwareCampaignUse: z.string().nullish().catch(null),
      }),
    )
    .min(1)
    .max(MOST_ROWS),
})

/** The catalogue of known exploited vulnerabilities; BAD_USER_INPUT for any other file, and for one with fewer entries than it says. */
export async function readKev(source: ReportSource): Promise<{ entries: KnownExploited[]; version: FeedVersion }> {
  const read = kevShape.safeParse(await jsonOf(source))
  if (!read.success) throw notKev(wrongIn(read.error))
  const { catalogVersion, dateReleased, count, vulnerabilities } = read.data
  if (typeof count === 'number' && count !== vulnerabilities.length) {
    throw notKev(`it has ${vulnerabilities.length} entries, but its count is ${count}`)
  }
  const entries = vulnerabilities
    .filter(({ cveID }) => cve.test(cveID))
    .map((entry) => ({
      cve: entry.cveID,
      addedOn: entry.dateAdded ?? null,
      dueOn: entry.dueDate ?? null,
      isRansomware: entry.knownRansomwareCampaignUse?.toLowerCase() === 'known',
    }))
  return { entries, version: { version: catalogVersion ?? null, publishedAt: dateReleased ?? null } }
}

/** Names what is missing or of another form. */
const wrongIn = ({ issues: [issue] }: z.ZodError): string =>
  issue === undefined || issue.path.length === 0
    ? 'it is not a JSON object'
    : `the field ${issue.path.join('.')} is missing or malformed`

const notKev = (why: string) => badUserInput(`kev is not a CISA KEV catalog: ${why}`, 'input.kev')

async function jsonOf(source: ReportSource): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (await unpacked(source, { mayBreakOff: false })).open()) {
      size += chunk.length
      if (size > MOST_KEV_BYTES) throw notKev(`it is larger than ${MOST_KEV_BYTES} bytes`)
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    if (error instanceof ReportFault) throw notKev(error.message)
    if (error instanceof SyntaxError) throw notKev('it is not JSON')
    throw error
  }
}
