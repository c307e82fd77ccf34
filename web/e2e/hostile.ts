// A company in which everything that a scanner, a vendor or a user can write is the same text.

import { BOARD, PROJECT, serveBoards, TEAM } from '../../test/testkit/boards-fake.ts'
import { run, upload } from '../../test/testkit/client.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { imported } from '../../test/testkit/reports.ts'
import { newBoard, sync } from '../../test/testkit/trackers.ts'
import { json } from '../../test/testkit/vendor-fake.ts'
import { newPerson } from '../../test/testkit/world.ts'
import { newFurnished, pagesOf } from './furnished.ts'
import { addComponents, addExchange, addJob, addReceivers, addScannersWords } from './hostile-machines.ts'

type Change = (field: string, input: Record<string, unknown>) => Promise<unknown>

/** A report in which every text is the same: the tool, its rule, the place, the message and each step of the data flow. */
function reportOf(words: string): string {
  const at = (startLine: number) => ({
    physicalLocation: {
      artifactLocation: { uri: words },
      region: { startLine, snippet: { text: `${words}\n${words}` } },
    },
    message: { text: words },
  })
  const rule = { id: words, name: words, shortDescription: { text: words }, helpUri: words, help: { markdown: words } }
  const result = {
    ruleId: words,
    level: 'error',
    message: { text: words, markdown: words },
    locations: [at(3)],
    codeFlows: [{ threadFlows: [{ locations: [{ location: at(1) }, { location: at(3) }] }] }],
  }
  return JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: words, informationUri: words, rules: [rule] } }, results: [result] }],
  })
}

/** What people of the company write, beyond what newFurnished has. */
async function addPeoplesWords(change: Change, companyId: string, key: string, tricks: readonly string[]) {
  const words = tricks.join(' ')
  const { requirements } = await run(
    key,
    'query ($scopeId: Int!) { requirements(scopeId: $scopeId, pagination: { perPage: 1 }) { collection { check { id } } } }',
    { scopeId: Number(companyId) },
  )
  const [{ check }] = requirements.collection
  await change('waiveCheck', { checkId: check[0].id, reason: words, until: '2099-01-01T00:00:00Z' })
  for (const [place, name] of tricks.entries()) {
    const email = `x${companyId}-${place}@example.test`
    await change('saveView', { companyId, name, filters: `search=${encodeURIComponent(words)}` })
    await change('createPortalUser', { companyId, name, email, role: 'READER' })
    await change('createApiKey', { name, companyIds: [companyId] })
  }
  await change('createWebhook', {
    companyId,
    url: `https://hooks.example.test/?to=${words.replaceAll(/[\s\\\p{Cc}]/gu, '+')}#${encodeURIComponent(words)}`,
    description: words,
  })
}

/** What a tracker says: the names of a project, a team, a board and its states, and the reason for a refusal. */
async function addVendorsWords(companyId: string, key: string, issueId: string, tricks: readonly string[]) {
  const words = tricks.join(' ')
  const named = { team: words, board: words, states: tricks }
  const boards = await serveBoards(null, named)
  boards.rename(words)
  const [identified = '', working = ''] = tricks
  const { integrationId } = await newBoard(companyId, key, {
    project: { ...PROJECT, name: words },
    team: { ...TEAM, name: words },
    board: { ...BOARD, name: words },
    statusMappings: [
      {
        internalIssueStatus: 'IDENTIFIED',
        externalIssueStatus: identified,
        alsoExternalIssueStatuses: tricks.slice(2),
      },
      { internalIssueStatus: 'IN_PROGRESS', externalIssueStatus: working },
    ],
  })
  await run(key, 'mutation ($input: CreateWorkItemInput!) { createWorkItem(input: $input) { workItem { id } } }', {
    input: { issueId },
  })
  boards.trouble = () => json({ message: words }, { status: 403 })
  await run(key, 'mutation ($input: TestIntegrationInput!) { testIntegration(input: $input) { clientMutationId } }', {
    input: { id: integrationId },
  })
  boards.trouble = ({ method }) => (method === 'POST' ? json({ message: words }, { status: 400 }) : null)
  await sync({ companyId, integrationId })
}

/** A text on each page that has more here than newFurnished gives it; `trick` is one of those on it. */
const more = (trick: string): Record<string, string> => ({
  'asset-components': trick,
  decisions: trick,
  integrations: 'does not permit this with the credential:',
  assets: '3 assets',
  scans: '8 scans',
  notifications: trick,
  webhooks: 'The endpoint answered 500',
  findings: 'Title',
  people: 'Email',
  keys: 'Prefix',
  record: 'createWorkItem',
  exchanges: 'Refused',
})

/** The pages of the company, each with a text that appears once it has loaded. */
export async function newHostile(tricks: readonly string[]) {
  const words = tricks.join(' ')
  const furnished = await newFurnished(words)
  const { companyId, key, assetId, issueId } = furnished
  const change: Change = async (field, input) => {
    const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`
    return run(key, `mutation ($input: ${type}!) { ${field}(input: $input) { clientMutationId } }`, { input })
  }
  await addPeoplesWords(change, companyId, key, tricks)
  const developer = await newPerson(companyId, 'DEVELOPER')
  const { issue: written } = await upsert(developer.key, {
    ...sast(Number(assetId), { title: words, description: words, fileName: words, vulnerableLine: 1, firstLine: 1 }),
    codeSnippet: words,
    toolName: words,
    ruleId: words,
    solution: words,
    source: words,
    sink: words,
    reference: words,
    branchName: words,
    severity: 'LOW',
  })
  const { data } = await upload(
    key,
    'mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { deploy { id } } }',
    { input: { assetId, previousCommit: commit('b'), currentCommit: commit('c'), branchName: words } },
    {
      'input.diffContent': { content: `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n ${words}\n+${words}\n` },
      'input.commitHistory': {
        content: JSON.stringify([
          { hash: commit('c'), message: words, author: words, email: 'a@example.test', date: '2026-01-01T00:00:00Z' },
        ]),
      },
    },
  )
  const { id: importId } = await imported({ companyId, key, assetId }, reportOf(words), { branchName: words })
  await addVendorsWords(companyId, key, issueId, tricks)
  await addComponents(furnished, assetId, tricks)
  await addReceivers(furnished, words)
  await addScannersWords(furnished, words)
  const exchangeId = await addExchange(furnished, words)
  const shown = more(tricks[1] ?? '')
  const company = `/companies/${companyId}`
  const pages = [
    ...pagesOf(furnished).map((one) => ({ ...one, shows: shown[one.name] ?? one.shows })),
    { name: 'written', path: `${company}/findings/${written.id}`, shows: 'Reference' },
    { name: 'commits', path: `${company}/deploys/${data.createDeploy.deploy.id}`, shows: 'Commit message' },
    { name: 'import-of-words', path: `${company}/imports/${importId}`, shows: 'Matched by' },
    { name: 'searched', path: `${company}/findings?search=${encodeURIComponent(words)}&status=any`, shows: 'Title' },
  ]
  return { ...furnished, pages, exchange: `${company}/findings/${exchangeId}`, task: await addJob(words) }
}
