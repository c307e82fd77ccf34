// A page of 50 findings out of a million, compared with a bare handler that runs one statement and sends the same bytes.

import { openControl, openInstallation } from './installation.ts'
import { compare, postRequest, report } from './load.ts'

const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)

const fields = `collection { id title description status type severity category createdAt updatedAt asset { id name } }
  metadata { currentPage limitValue totalCount totalPages }`
const PAGE = `query ($companyId: ID!, $pagination: PaginationInput!) { issues(companyId: $companyId, pagination: $pagination) { ${fields} } }`

export async function run(): Promise<void> {
  const installation = await openInstallation(ISSUES)
  const { key, companyId, connection } = installation
  const control = await openControl('control-page.ts', { connection, companyId })
  const ask = (pagination: Record<string, unknown>) =>
    postRequest('/graphql', { 'x-api-key': key }, JSON.stringify({ query: PAGE, variables: { companyId, pagination } }))
  try {
    const ours = { name: 'Merlon', port: installation.port, pid: installation.pid, request: ask({ perPage: 50 }) }
    const bare = { name: 'control', port: control.port, pid: control.pid, request: postRequest('/', {}, '{}') }
    report('Page of 50', await compare(ours, bare, { connections: 8, seconds: 4, rounds: 5 }), 0.8)

    const deep = {
      ...ours,
      name: 'page 10,000',
      request: ask({ perPage: 50, after: await cursorOf(installation, 10_000 * 50) }),
    }
    const first = { ...ours, name: 'page 1' }
    report(
      'Page 10,000 by cursor beside page 1',
      await compare(deep, first, { connections: 8, seconds: 3, rounds: 3 }),
      1 / 1.5,
    )
  } finally {
    await control.stop()
    await installation.stop()
  }
}

/** The cursor after that many entries, reached as a client would, in steps of the largest page. */
async function cursorOf(
  { port, key, companyId }: { port: number; key: string; companyId: string },
  entries: number,
): Promise<string> {
  const query =
    'query ($companyId: ID!, $pagination: PaginationInput!) { issues(companyId: $companyId, pagination: $pagination) { collection { id } metadata { endCursor } } }'
  let after: string | undefined
  for (let walked = 0; walked < entries; walked += 1000) {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ query, variables: { companyId, pagination: { perPage: 1000, after } } }),
    })
    const { data } = (await response.json()) as { data: { issues: { metadata: { endCursor: string } } } }
    after = data.issues.metadata.endCursor
  }
  return after ?? ''
}
