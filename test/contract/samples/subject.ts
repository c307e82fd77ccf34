// A company to send requests about, with a record of every kind, each created through the endpoint when first needed.

import { randomBytes } from 'node:crypto'
import { administratorKey, run, unique } from '../../testkit/client.ts'
import { manual } from '../../testkit/manual.ts'
import { newAsset, newDeploy, newIssue, newPerson, newProject, newWorld } from '../../testkit/world.ts'
import { sarifReport } from './imports.ts'
import { integrationMakers } from './integration-makers.ts'
import { newWaitingJob } from './jobs.ts'
import { type Maker, made } from './making.ts'
import { requirementMakers } from './requirement-makers.ts'
import type { Subject } from './types.ts'
import { inlineFile, type Kind } from './types.ts'

const makers: Readonly<Record<Kind, Maker>> = {
  ...integrationMakers,
  ...requirementMakers,
  company: async ({ companyId }) => companyId,
  emptyCompany: async () => {
    const [label, document] = [
      'To be deleted',
      'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }',
    ]
    return (await run(administratorKey(), document, { input: { label } })).createCompany.company.id
  },
  owner: async ({ owner }) => owner.id,
  email: async ({ owner }) => owner.email,
  user: async ({ companyId }) => (await newPerson(companyId, 'READER', ['read'])).id,
  asset: async ({ companyId, owner }) => (await newAsset(owner.key, companyId)).id,
  project: async ({ companyId, owner, id }) =>
    (await newProject(owner.key, companyId, { assetsIds: [Number(await id('asset'))] })).id,
  issue: async ({ owner, id }) => (await newIssue(owner.key, await id('asset'))).id,
  deploy: async ({ owner, id }) => (await newDeploy(owner.key, await id('asset'))).id,
  branch: async ({ companyId, owner, id }) => {
    const assetId = await id('asset')
    await id('deploy')
    const { branches } = await run(
      owner.key,
      'query ($companyId: ID!, $assetId: ID!) { branches(companyId: $companyId, assetId: $assetId) { collection { id } } }',
      { companyId, assetId },
    )
    return branches.collection[0].id
  },
  gatePolicy: async (subject) => {
    const { companyId, owner } = subject
    const assetId = (await newAsset(owner.key, companyId)).id
    await made('setGatePolicy', async () => ({ companyId, assetId, rules: [] }), 'gatePolicy.asset.id')(subject)
    return assetId
  },
  application: made(
    'createApplication',
    async ({ companyId, id }) => ({
      companyId: Number(companyId),
      name: unique('Application'),
      assetIds: [Number(await id('asset'))],
    }),
    'application.id',
  ),
  network: made(
    'createNetworkVulnerability',
    async ({ id }) => ({ ...manual.network(), assetId: Number(await id('asset')) }),
    'issue.id',
  ),
  web: made(
    'createWebVulnerability',
    async ({ id }) => ({ ...manual.web(), assetId: Number(await id('asset')) }),
    'issue.id',
  ),
  witness: async (subject) => {
    const { companyId, id } = subject
    const witnessId = await made(
      'createNetworkVulnerability',
      async () => ({ ...manual.network(), assetId: Number(await id('asset')) }),
      'issue.id',
    )(subject)
    const input = async () => ({ companyId, issueId: await id('issue'), mergeIds: [witnessId], reason: 'One mistake' })
    await made('mergeIssues', input, 'issue.id')(subject)
    return witnessId
  },
  attachment: made(
    'createAttachment',
    async ({ companyId }) => ({ companyId, archive: inlineFile('a note') }),
    'attachment.id',
  ),
  history: made(
    'createDeploy',
    async ({ id }) => ({
      assetId: await id('asset'),
      diffContent: inlineFile('', 'change.diff'),
      commitHistory: inlineFile('[]', 'commits.json'),
      previousCommit: randomBytes(20).toString('hex'),
      currentCommit: randomBytes(20).toString('hex'),
    }),
    'deploy.id',
  ),
  ticketDomain: made(
    'createTicketDomain',
    async ({ companyId }) => ({ companyId, name: unique('Domain') }),
    'ticketDomain.id',
  ),
  ticket: made(
    'createTicket',
    async ({ companyId, id }) => ({
      companyId,
      type: 'BUG',
      title: unique('Ticket'),
      description: 'What is wrong',
      domainId: await id('ticketDomain'),
    }),
    'ticket.id',
  ),
  ticketAttachment: made(
    'updateTicket',
    async ({ id }) => ({ id: await id('ticket'), attachments: [inlineFile('what was seen')] }),
    'ticket.attachments.id',
  ),
  credit: made(
    'grantSslCertificateCredits',
    async ({ companyId }) => ({ companyId, count: 1, allowsWildcard: true }),
    'sslCertificateCredits.id',
  ),
  secret: made(
    'createSecret',
    async ({ companyId }) => ({ companyId, name: unique('Secret'), type: 'BEARER_TOKEN', values: { token: 'abc' } }),
    'secret.id',
  ),
  seal: made('createSeal', async ({ id }) => ({ assetId: await id('asset') }), 'seal.id'),
  publicSeal: made('createSeal', async ({ id }) => ({ assetId: await id('asset') }), 'seal.publicId'),
  key: made('createApiKey', async () => ({ name: unique('Key'), scopes: ['read'] }), 'apiKey.id'),
  scan: made(
    'createControlSyncStatus',
    async ({ id }) => ({ assetId: await id('asset'), integration: 'PLATFORM_AST', externalVulnerabilityCount: 9 }),
    'controlSyncStatus.id',
  ),
  scannerConfiguration: async (subject) => {
    const assetId = (await newAsset(subject.owner.key, subject.companyId)).id
    const targetUrl = 'https://shop.example.test/'
    await made(
      'createOrUpdateScannerConfiguration',
      async () => ({ assetId, targetUrl }),
      'scannerConfiguration.id',
    )(subject)
    return assetId
  },
  export: made('exportFindings', async ({ companyId }) => ({ companyId, format: 'NDJSON' }), 'export.id'),
  import: made(
    'importFindings',
    async ({ companyId, id }) => ({ companyId, assetId: await id('asset'), file: sarifReport }),
    'import.id',
  ),
  decision: made(
    'decideOnIssues',
    async ({ companyId }) => ({ companyId, filters: { search: 'nothing says this' }, status: 'IDENTIFIED' }),
    'issueDecision.id',
  ),
  savedView: made(
    'saveView',
    async ({ companyId }) => ({ companyId, name: unique('View'), filters: '' }),
    'savedView.id',
  ),
  webhook: made(
    'createWebhook',
    async ({ companyId }) => ({ companyId, url: 'https://hooks.example.test/', kinds: ['integration.restored'] }),
    'webhook.id',
  ),
  delivery: made('testWebhook', async ({ id }) => ({ id: await id('webhook') }), 'delivery.id'),
  channel: made(
    'createNotificationChannel',
    async ({ companyId }) => ({
      companyId,
      type: 'SLACK',
      name: unique('Channel'),
      url: 'https://chat.example.test/',
      rules: [],
    }),
    'notificationChannel.id',
  ),
  job: newWaitingJob,
}

/** A new company without any records. */
export async function newSubject(): Promise<Subject> {
  const { companyId, owner } = await newWorld()
  const known = new Map<Kind, Promise<string>>()
  const subject: Subject = {
    companyId,
    owner,
    id: (kind) => {
      const making = known.get(kind) ?? makers[kind](subject)
      known.set(kind, making)
      return making
    },
    fresh: (kind) => makers[kind](subject),
  }
  return subject
}
