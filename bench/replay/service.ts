// Sends the deploy and the report of one scan to the service, as a pipeline does, and reads which issues the findings became.

import type { Installation } from '../installation.ts'
import { git } from './git.ts'
import type { Scan } from './scans.ts'

/** Git's empty tree, from which the first deploy starts. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

type Answer = { data?: Record<string, never>; errors?: { message: string }[] }

export async function newAsset(installation: Installation, name: string): Promise<string> {
  const query = 'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }'
  const input = { companyId: Number(installation.companyId), name: `${name} ${Date.now()}` }
  return (await ask(installation, query, { input })).createAsset.asset.id
}

/** The id of the issue that each finding became; a deploy is sent first if `change` describes one. */
export async function reportScan(
  installation: Installation,
  assetId: string,
  scan: Scan,
  change: { checkout: string; previous: string | null } | null,
): Promise<string[]> {
  const deployId = change === null ? null : await deploy(installation, assetId, scan.commit, change)
  const query = `mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id status failure { message } } } }`
  const input = {
    file: null,
    assetId,
    companyId: installation.companyId,
    format: 'sarif',
    branchName: 'main',
    closeAbsent: true,
    confirmClose: true,
    ...(deployId === null ? {} : { deployId }),
  }
  const asked = await ask(installation, query, { input }, { 'variables.input.file': JSON.stringify(sarifOf(scan)) })
  const { id } = asked.importFindings.import
  await ended(installation, id)
  return issuesOf(installation, id, scan.findings.length)
}

async function deploy(
  installation: Installation,
  assetId: string,
  commit: string,
  { checkout, previous }: { checkout: string; previous: string | null },
): Promise<string> {
  const from = previous ?? EMPTY_TREE
  const query = `mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { deploy { id diffState } } }`
  const input = { assetId, previousCommit: from, currentCommit: commit, branchName: 'main', diffContent: null }
  const diff = await git(checkout, 'diff', '--no-color', '-M', from, commit)
  return (await ask(installation, query, { input }, { 'variables.input.diffContent': diff })).createDeploy.deploy.id
}

async function ended(installation: Installation, id: string): Promise<void> {
  for (;;) {
    const { import: found } = await ask(
      installation,
      'query ($id: ID!) { import(id: $id) { status failure { message } } }',
      { id },
    )
    if (found.status === 'SUCCEEDED') return
    if (found.status === 'FAILED') throw new Error(`An import failed: ${found.failure.message}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const PAGE = 1000

async function issuesOf(installation: Installation, id: string, count: number): Promise<string[]> {
  const query = `query ($id: ID!, $page: Int!) { import(id: $id) { rows(pagination: { page: $page, perPage: ${PAGE} }) {
    collection { at issue { id } } metadata { totalPages } } } }`
  const issues: string[] = new Array(count).fill('')
  for (let page = 1, last = 1; page <= last; page++) {
    const { rows } = (await ask(installation, query, { id, page })).import as never as {
      rows: { collection: { at: string | null; issue: { id: string } | null }[]; metadata: { totalPages: number } }
    }
    last = rows.metadata.totalPages
    for (const { at, issue } of rows.collection) {
      const index = /results\[(\d+)\]/.exec(at ?? '')?.[1]
      if (index !== undefined) issues[Number(index)] = issue?.id ?? ''
    }
  }
  return issues
}

function sarifOf({ scanner, findings }: Scan) {
  const results = findings.map(({ rule, path, line, column, message, text }) => {
    const region = { startLine: line, startColumn: column, snippet: { text } }
    return {
      ruleId: rule,
      level: 'warning',
      message: { text: message },
      locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(path) }, region } }],
    }
  })
  return { version: '2.1.0', runs: [{ tool: { driver: { name: scanner } }, results }] }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by the query that asked for them
type Data = any

/** Sends an operation as JSON, or as a multipart request if there are files. Throws the first error's message. */
async function ask(
  { port, key }: Installation,
  query: string,
  variables: object,
  files: Record<string, string> = {},
): Promise<Data> {
  const paths = Object.keys(files)
  const form = new FormData()
  form.set('operations', JSON.stringify({ query, variables }))
  form.set('map', JSON.stringify(Object.fromEntries(paths.map((path, at) => [at, [path]]))))
  for (const [at, path] of paths.entries()) form.set(String(at), new Blob([files[path] ?? '']), 'file')
  const isPlain = paths.length === 0
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, ...(isPlain ? { 'content-type': 'application/json' } : {}) },
    body: isPlain ? JSON.stringify({ query, variables }) : form,
  })
  const { data, errors } = (await response.json()) as Answer
  if (errors?.[0]) throw new Error(errors[0].message)
  return data
}
