// A shop whose second deploy introduces two findings and touches one, and a requirement that the findings violate, for the screenshots.

import { administratorKey, run } from '../../test/testkit/client.ts'
import { upsert } from '../../test/testkit/findings.ts'
import { reviewed } from '../../test/testkit/reviews.ts'
import { emptyTree, newAsset, newDeploy, newPerson } from '../../test/testkit/world.ts'

const COMMITS = ['9d2f6c1e07ab43580b7f4c2a6e91d3558ac0f714', '41be7a90c63d2f18e5a7094bd86c3f27105e9a62'] as const

const SEARCH = 'src/catalogue/search.ts'
const SESSION = 'src/http/session.ts'
const UPLOAD = 'src/upload/store.ts'

const added = (path: string, lines: readonly string[]): string =>
  [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n')

const changed = (path: string, ranges: string, lines: readonly string[]): string =>
  [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, `@@ ${ranges} @@`, ...lines, ''].join('\n')

const before = [
  added(SEARCH, [
    'export async function searchProducts(db: Database, term: string) {',
    '  const page = await readPage(db)',
    '  if (term.length < 3) return []',
    "  return db.query('select * from product where name like $1', [within(term)])",
    '}',
  ]),
  added(SESSION, [
    'export function startSession(reply: Reply, token: string) {',
    "  reply.setCookie('session', token, { httpOnly: true })",
    '}',
  ]),
].join('')

const after = [
  changed(SEARCH, '-1,5 +1,6', [
    ' export async function searchProducts(db: Database, term: string) {',
    '   const page = await readPage(db)',
    '   if (term.length < 3) return []',
    "-  return db.query('select * from product where name like $1', [within(term)])",
    "+  const order = page.sort ?? 'name'",
    '+  return db.query("select * from product where name like \'%" + term + "%\' order by " + order)',
    ' }',
  ]),
  changed(SESSION, '-1,3 +1,3', [
    ' export function startSession(reply: Reply, token: string) {',
    "-  reply.setCookie('session', token, { httpOnly: true })",
    "+  reply.setCookie('session', token, { httpOnly: true, sameSite: 'lax' })",
    ' }',
  ]),
  added(UPLOAD, [
    'export async function keepUpload(part: Part) {',
    '  const target = join(uploads, part.filename)',
    '  await writeFile(target, part.bytes)',
    '}',
  ]),
].join('')

export async function newChangedShop() {
  const { createCompany } = await run(
    administratorKey(),
    'mutation { createCompany(input: { label: "Harbour Shop" }) { company { id } } }',
  )
  const companyId: string = createCompany.company.id
  const { key } = await newPerson(companyId, 'OWNER')
  const { id: assetId } = await newAsset(key, companyId, { name: 'storefront' })
  const deployed = async (previousCommit: string, currentCommit: string, diff: string): Promise<string> =>
    (await newDeploy(key, assetId, diff, { previousCommit, currentCommit, branchName: 'main' })).id
  const found = (deployId: string, of: { title: string; vulnerableLine: number } & Record<string, unknown>) =>
    upsert(key, {
      assetId: Number(assetId),
      toolName: 'semgrep',
      branchName: 'main',
      deployId,
      description: of.title,
      codeSnippet: of.title,
      firstLine: of.vulnerableLine,
      ...of,
    })

  const first = await deployed(emptyTree, COMMITS[0], before)
  await found(first, {
    title: 'Session cookie without the Secure attribute',
    severity: 'MEDIUM',
    category: 'CWE-614',
    fileName: SESSION,
    vulnerableLine: 2,
  })
  const deployId = await deployed(COMMITS[0], COMMITS[1], after)
  await found(deployId, {
    title: 'SQL query built from a search term',
    severity: 'CRITICAL',
    category: 'CWE-89',
    fileName: SEARCH,
    vulnerableLine: 5,
  })
  await found(deployId, {
    title: 'Path of an upload taken from its file name',
    severity: 'HIGH',
    category: 'CWE-22',
    fileName: UPLOAD,
    vulnerableLine: 2,
  })
  await run(
    key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { clientMutationId } }',
    {
      input: {
        companyId,
        requirements: [{ label: 'Input is never run or used as a path', capecIds: ['66', '7', '126'] }],
      },
    },
  )
  const { requirements } = await run(
    key,
    'query ($scopeId: Int!) { requirements(scopeId: $scopeId, pagination: { perPage: 1 }) { collection { id } } }',
    { scopeId: Number(companyId) },
  )
  const requirementId: string = requirements.collection[0].id
  // the verdict is not final before
  await reviewed({ key, companyId, assetId, email: '' }, deployId)
  return { companyId, key, deployId, requirementId }
}
