// createOrUpdateSastFinding compared with a bare handler that runs one INSERT … ON CONFLICT, on a database with a million issues.

import { openControl, openInstallation } from './installation.ts'
import { compare, postRequest, report } from './load.ts'

const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)

const UPSERT = `mutation ($input: CreateOrUpdateSastFindingInput!) {
  createOrUpdateSastFinding(input: $input) { issue { id title status } outcome } }`

/** Nine out of ten findings that a pipeline reports are known already. */
const NEW_SHARE = 0.1
const KNOWN = 2_000

export async function run(): Promise<void> {
  const installation = await openInstallation(ISSUES)
  const { key, companyId, assetIds, connection } = installation
  const control = await openControl('control-upsert.ts', { connection, companyId, assetId: assetIds[0] })
  const session = `run ${Date.now()}`
  let made = 0
  const finding = () => {
    const isNew = Math.random() < NEW_SHARE
    const number = isNew ? `${session} ${++made}` : `known ${Math.floor(Math.random() * KNOWN)}`
    const place = Number(number.split(' ').at(-1))
    return {
      assetId: Number(assetIds[place % assetIds.length]),
      title: `Finding of rule ${place % 400}`,
      description: 'Untrusted input reaches a sensitive function.',
      codeSnippet: `const value = read('${number}')`,
      vulnerableLine: (place % 900) + 1,
      firstLine: (place % 900) + 1,
      fileName: `src/bench/${number.replaceAll(' ', '/')}.ts`,
      branchName: 'bench',
    }
  }
  const post = (path: string, body: unknown) => postRequest(path, { 'x-api-key': key }, JSON.stringify(body))
  try {
    const ours = {
      name: 'Merlon',
      port: installation.port,
      pid: installation.pid,
      request: () => post('/graphql', { query: UPSERT, variables: { input: finding() } }),
    }
    const bare = {
      name: 'control',
      port: control.port,
      pid: control.pid,
      request: () => post('/', { input: finding() }),
    }
    report('createOrUpdateSastFinding', await compare(ours, bare, { connections: 8, seconds: 4, rounds: 5 }), 0.5)
  } finally {
    await control.stop()
    await installation.stop()
  }
}
