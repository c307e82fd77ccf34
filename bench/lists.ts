// Lists of a million findings through the API, with filters that match none, few and most of them: first only rows, then the count.

import { openInstallation } from './installation.ts'
import { median } from './load.ts'

const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)

const ROWS = `collection { id title severity status type createdAt cweIds sla { state dueAt } asset { id name } } metadata { endCursor }`
const COUNT = `metadata { totalCount totalCountIsExact }`

const open = ['CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION']
/** Listing them in another order makes another query, whose count is not cached yet. */
const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION']
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** Each is combined with the open statuses, which the console filters by unless told otherwise. */
const filtersOf = (assetId: string): Record<string, object> => ({
  'no other filter': {},
  'a status that none has': { statuses: ['DRAFT'] },
  'a type that none has': { types: ['CONTAINER_FINDING'] },
  'a severity of one in nine': { severities: ['CRITICAL'] },
  'one asset of a hundred': { assetIds: [assetId] },
  'a weakness that none has': { cweIds: [999_999] },
  'a weakness of one in 10,000': { cweIds: [611] },
  'a weakness of one in five': { cweIds: [79] },
  'a weakness that none has and a status that none has': { cweIds: [999_999], statuses: ['DRAFT'] },
  'a weakness of one in five and a status that none has': { cweIds: [79], statuses: ['DRAFT'] },
  'past their date, one in 10,000': { slaStates: ['BREACHED'] },
  'near their date, one in 10,000': { slaStates: ['APPROACHING'] },
  'past or near their date, of one asset': { slaStates: ['BREACHED', 'APPROACHING'], assetIds: [assetId] },
  'past their date, of one severity': { slaStates: ['BREACHED'], severities: ['LOW'] },
  'a weakness of one in 10,000, of one severity': { cweIds: [611], severities: ['LOW'] },
  'on track, nearly all': { slaStates: ['ON_TRACK'] },
  'known to be exploited, none': { knownExploited: true },
  'not known to be exploited, all': { knownExploited: false },
  'found since tomorrow, none': { createdAtRange: { startDate: ago(-1) } },
  'found in the last year, all': { createdAtRange: { startDate: ago(365) } },
  'fixed since yesterday, none': {
    statuses: undefined,
    statusChange: { to: ['FIX_ACCEPTED'], range: { startDate: ago(1) } },
  },
  'a file that none is in': { fileName: 'nowhere.ts' },
  'a file of 200': { fileName: 'src/handlers/file17.ts' },
  'a branch that none is on': { branchNames: ['none'] },
  'a branch that all are on': { branchNames: ['main'] },
  'a branch that all are on and a weakness of one in five': { branchNames: ['main'], cweIds: [79] },
  'a search for what none says': { search: 'nobody says this' },
  'a search that one in 10,000 matches': { search: 'handler 4321' },
  'a search that all match': { search: 'request handler' },
  'a search that all match and past their date': { search: 'request handler', slaStates: ['BREACHED'] },
})

const orders = [
  { field: 'SEVERITY', order: 'DESC' },
  { field: 'SLA_DUE_AT', order: 'ASC' },
  { field: 'CREATED_AT', order: 'DESC' },
]

/** elapsed milliseconds of one request */
type Ask = (fields: string, filters: object, order: object) => Promise<number>

export async function run(): Promise<void> {
  const { port, key, companyId, assetIds, stop } = await openInstallation(ISSUES)
  const ask: Ask = async (fields, filters, order) => {
    const query = `query ($companyId: ID!, $filters: IssuesFiltersInput, $order: [IssueSortOptionInput!]) {
      issues(companyId: $companyId, filters: $filters, sortOptions: $order, pagination: { perPage: 50 }) { ${fields} } }`
    const body = JSON.stringify({
      query,
      variables: { companyId, filters: { statuses: open, ...filters }, order: [order] },
    })
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body,
    })
    const { errors } = (await answer.json()) as { errors?: { message: string }[] }
    if (errors) throw new Error(errors.map(({ message }) => message).join('; '))
    return performance.now() - began
  }
  try {
    for (let warming = 0; warming < 20; warming += 1) await ask(ROWS, {}, { field: 'SEVERITY', order: 'DESC' })
    const longest: number[] = []
    for (const [name, filters] of Object.entries(filtersOf(assetIds[17] ?? '')))
      longest.push(await measure(ask, name, filters))
    console.log(`The longest median of rows: ${Math.max(...longest).toFixed(0)} ms`)
  } finally {
    await stop()
  }
}

/** Prints the medians of five measurements on one line; resolves to that of the slowest order for rows. */
async function measure(ask: Ask, name: string, filters: object): Promise<number> {
  const rows: number[] = []
  const counts: number[] = []
  for (const order of orders) {
    const times: number[] = []
    for (let time = 0; time < 5; time += 1) times.push(await ask(ROWS, filters, order))
    rows.push(median(times))
  }
  for (let time = 0; time < 3; time += 1)
    counts.push(
      await ask(
        COUNT,
        { severities: [...severities.slice(time), ...severities.slice(0, time)], ...filters },
        orders[0] ?? {},
      ),
    )
  const told = orders.map(({ field }, at) => `${field} ${rows[at]?.toFixed(0)}`).join(', ')
  console.log(`${name}: rows by ${told} ms; count ${median(counts).toFixed(0)} ms`)
  return Math.max(...rows)
}
