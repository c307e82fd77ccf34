// A company with something on every page, where the caller gives every text.

import { run, upload } from '../../test/testkit/client.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { imported, result, sarif } from '../../test/testkit/reports.ts'
import { emptyTree, newAsset, newDeploy, newProject, newWorld } from '../../test/testkit/world.ts'
import { newCredits, newScans } from './runs.ts'

/** A diff of one new file; the second commit's diff replaces its third line. */
const first = (path: string) =>
  [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    '@@ -0,0 +1,4 @@',
    '+const name = request.query.name',
    '+const text = "select " + name',
    '+db.query(text)',
    '+done()',
    '',
  ].join('\n')

const second = (path: string) =>
  [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    '@@ -1,4 +1,5 @@',
    ' const name = request.query.name',
    ' const text = "select " + name',
    '-db.query(text)',
    '+db.query(text) // later',
    '+eval(name)',
    ' done()',
    '',
  ].join('\n')

/** One finding that its author has suppressed already, and a row that is not a result at all. */
const reportOf = (words: string) =>
  sarif([
    result(7, {
      message: { text: words },
      suppressions: [{ kind: 'external', status: 'accepted', justification: words }],
    }),
    'nonsense',
  ])

type Furnished = Awaited<ReturnType<typeof newFurnished>>

/** `words` appears wherever a scanner, a vendor or a user can write. */
export async function newFurnished(words = 'Plain words') {
  const { companyId, owner } = await newWorld()
  const { key } = owner
  const asset = await newAsset(key, companyId, {
    name: words,
    description: words,
    repoUrl: 'https://git.example.test/a',
  })
  const deploy = (from: string, to: string, diff: string) =>
    newDeploy(key, asset.id, diff, { previousCommit: from, currentCommit: to, branchName: 'main' })
  await deploy(emptyTree, commit('a'), first('src/a.ts'))
  const finding = (title: string, line: number, extra: Record<string, unknown>) =>
    upsert(key, {
      ...sast(Number(asset.id), { title, description: words, fileName: 'src/a.ts', vulnerableLine: line, ...extra }),
      codeSnippet: words,
      branchName: 'main',
    })
  const { issue } = await finding(words, 3, {
    severity: 'CRITICAL',
    patterns: ['CWE-89'],
    category: 'CWE-89',
    commitRef: commit('a'),
  })
  const { id: deployId } = await deploy(commit('a'), commit('b'), second('src/a.ts'))
  await finding(`${words} again`, 4, { severity: 'HIGH', commitRef: commit('b'), deployId })
  const { id: importId } = await imported({ key, companyId, assetId: asset.id }, reportOf(words))
  await run(
    key,
    'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { application { id } } }',
    { input: { companyId: Number(companyId), name: words, description: words, assetIds: [Number(asset.id)] } },
  )
  const project = await newProject(key, companyId)
  await run(
    key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { clientMutationId } }',
    { input: { companyId, requirements: [{ label: words, capecIds: ['66', '7'] }] } },
  )
  await run(
    key,
    'mutation ($input: CreateProjectRequirementInput!) { createProjectRequirement(input: $input) { clientMutationId } }',
    { input: { projectId: project.id, label: words, description: words, activities: [{ label: words }] } },
  )
  const { requirements } = await run(
    key,
    'query ($scopeId: Int!) { requirements(scopeId: $scopeId, pagination: { perPage: 1 }) { collection { id } } }',
    { scopeId: Number(companyId) },
  )
  const { createTicket } = await run(
    key,
    'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { id } } }',
    { input: { companyId, title: words, description: words, domainName: words, type: 'BUG', priority: 'P1' } },
  )
  await run(key, 'mutation ($input: CreateSecretInput!) { createSecret(input: $input) { secret { id } } }', {
    input: { companyId, name: words, description: words, type: 'BEARER_TOKEN', values: { token: 'abcdef' } },
  })
  await run(key, 'mutation ($input: CreateSealInput!) { createSeal(input: $input) { seal { id } } }', {
    input: { assetId: asset.id },
  })
  await upload(
    key,
    'mutation ($companyId: ID!, $archive: Upload!) { createAttachment(input: { companyId: $companyId, archive: $archive }) { attachment { id } } }',
    { companyId },
    { archive: { content: 'text', filename: `${words.replaceAll('/', '')}.txt` } },
  )
  const { createThreatModelArtifact } = await run(
    key,
    'mutation ($input: CreateThreatModelArtifactInput!) { createThreatModelArtifact(input: $input) { threatModelArtifact { id } } }',
    { input: { companyId, label: words, description: words, scopeText: words } },
  )
  const artifactId: string = createThreatModelArtifact.threatModelArtifact.id
  await run(
    key,
    'mutation ($input: CreateThreatModelArtifactVersionInput!) { createThreatModelArtifactVersion(input: $input) { clientMutationId } }',
    { input: { artifactId, architectureItems: [words], diagramType: words.slice(0, 100), notes: words } },
  )
  await newScans(key, [asset.id], words)
  await newCredits(companyId)
  return {
    companyId,
    owner,
    key,
    assetId: asset.id,
    issueId: issue.id as string,
    deployId,
    importId: importId as string,
    projectId: project.id,
    ticketId: createTicket.ticket.id as string,
    artifactId,
    requirementId: requirements.collection[0].id as string,
  }
}

/** The address of every page, with a text that appears once it has loaded. */
export const pagesOf = (at: Furnished): { name: string; path: string; shows: string }[] => {
  const company = `/companies/${at.companyId}`
  return [
    { name: 'overview', path: `${company}/overview`, shows: 'Riskiest assets' },
    { name: 'changes', path: `${company}/changes`, shows: 'No events yet' },
    { name: 'findings', path: `${company}/findings`, shows: '2 findings' },
    { name: 'finding', path: `${company}/findings/${at.issueId}`, shows: 'Locations' },
    { name: 'deploys', path: `${company}/deploys`, shows: 'bbbbbbbbbb' },
    { name: 'deploy', path: `${company}/deploys/${at.deployId}`, shows: 'eval(name)' },
    { name: 'assets', path: `${company}/assets`, shows: '1 asset' },
    { name: 'asset', path: `${company}/assets/${at.assetId}`, shows: 'Repository' },
    { name: 'asset-deploys', path: `${company}/assets/${at.assetId}?tab=deploys`, shows: 'Blocked' },
    { name: 'asset-imports', path: `${company}/assets/${at.assetId}?tab=imports`, shows: 'report.sarif' },
    { name: 'asset-components', path: `${company}/assets/${at.assetId}?tab=components`, shows: 'No bill of materials' },
    { name: 'import', path: `${company}/imports/${at.importId}`, shows: 'It is not an object' },
    { name: 'asset-scanner', path: `${company}/assets/${at.assetId}?tab=scanner`, shows: 'Scan profile' },
    { name: 'asset-gate', path: `${company}/assets/${at.assetId}?tab=gate`, shows: 'Built-in rules' },
    { name: 'applications', path: `${company}/applications`, shows: '1 application' },
    { name: 'projects', path: `${company}/projects`, shows: '1 project' },
    { name: 'project', path: `${company}/projects/${at.projectId}`, shows: 'Status history' },
    { name: 'scans', path: `${company}/scans`, shows: '6 scans' },
    { name: 'requirements', path: `${company}/requirements`, shows: '1 requirement' },
    { name: 'matrix', path: `${company}/requirements?as=matrix`, shows: 'CAPEC-66' },
    { name: 'requirement', path: `${company}/requirements/${at.requirementId}`, shows: 'CAPEC-66' },
    {
      name: 'requirement-graph',
      path: `${company}/requirements/${at.requirementId}?view=graph`,
      shows: 'Attack pattern',
    },
    { name: 'threat-models', path: `${company}/requirements/threat-models`, shows: '1 threat model' },
    { name: 'threat-model', path: `${company}/requirements/threat-models/${at.artifactId}`, shows: 'Version 1' },
    { name: 'tickets', path: `${company}/tickets`, shows: '1 ticket' },
    { name: 'ticket', path: `${company}/tickets/${at.ticketId}`, shows: 'Opened by' },
    { name: 'integrations', path: `${company}/integrations`, shows: 'Azure DevOps' },
    { name: 'exchanges', path: `${company}/integrations?tab=exchanges`, shows: 'No sync activity yet' },
    { name: 'decisions', path: `${company}/integrations?tab=decisions`, shows: 'No scanner receives decisions' },
    { name: 'attachments', path: `${company}/attachments`, shows: '1 file' },
    { name: 'secrets', path: `${company}/secrets`, shows: '1 secret' },
    { name: 'seals', path: `${company}/seals`, shows: 'Embed code' },
    { name: 'certificates', path: `${company}/certificates`, shows: '3 credits available' },
    { name: 'settings', path: `${company}/settings`, shows: 'Audit log' },
    { name: 'company', path: `${company}/settings/company`, shows: 'Short name' },
    { name: 'people', path: `${company}/settings/users`, shows: '1 person' },
    { name: 'keys', path: `${company}/settings/keys`, shows: '1 valid key' },
    { name: 'policies', path: `${company}/settings/policies`, shows: 'Days to fix' },
    { name: 'identity', path: `${company}/settings/identity`, shows: 'Preview a rule' },
    { name: 'notifications', path: `${company}/settings/notifications`, shows: 'No notification channels yet' },
    { name: 'webhooks', path: `${company}/settings/webhooks`, shows: 'No deliveries yet' },
    { name: 'record', path: `${company}/settings/audit`, shows: 'createAttachment' },
    { name: 'jobs', path: `${company}/settings/jobs`, shows: 'Jobs cover the whole installation' },
    { name: 'limits', path: `${company}/settings/limits`, shows: 'Requests per minute' },
  ]
}
