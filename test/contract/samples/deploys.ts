// Samples of deploys and attachments.

import { randomBytes } from 'node:crypto'
import { inlineFile, type Samples } from './types.ts'

const commit = () => randomBytes(20).toString('hex')

const diff = `diff --git a/src/server.js b/src/server.js
--- a/src/server.js
+++ b/src/server.js
@@ -1 +1,2 @@
 first
+second
`

const span = () => ({
  initialDate: new Date(Date.now() - 3_600_000).toISOString(),
  finishDate: new Date(Date.now() + 3_600_000).toISOString(),
})

const page = 'metadata { currentPage limitValue totalCount }'
const deploy = 'deploy { id status branchName }'
const attachment = 'attachment { id allowedPortalUsers { id } archiveContentType }'

export const deploySamples = {
  deploysByAsset: { select: 'collection { currentCommit previousCommit }', ids: { assetId: 'asset' } },
  deploysByProjectId: {
    select: `collection { id status branchName } ${page}`,
    variables: span,
    ids: { id: 'project' },
  },
  deploys: {
    select: `collection { id status branchName asset { id } } ${page}`,
    ids: { companyId: 'company' },
    optional: { 'assetIds.0': 'asset' },
  },
  deploy: {
    select: `id status branchName currentCommit previousCommit diffState introduced { metadata { totalCount } }
      findings { touched }`,
    ids: { id: 'deploy' },
  },
  'deploy: what it did to a finding': {
    document: 'query ($id: ID!, $issueId: ID!) { deploy(id: $id) { disposition(issueId: $issueId) } }',
    ids: { id: 'deploy', issueId: 'issue' },
    unfound: ['issueId'],
  },
  createDeploy: {
    select: deploy,
    variables: () => ({
      input: {
        diffContent: inlineFile(diff, 'change.diff', 'text/x-diff'),
        previousCommit: commit(),
        currentCommit: commit(),
        branchName: 'main',
      },
    }),
    ids: { 'input.assetId': 'asset' },
  },
  updateDeployStatus: {
    select: deploy,
    variables: () => ({ input: { status: 'IN_REVIEW' } }),
    ids: { 'input.id': 'deploy' },
    consumes: ['input.id'],
  },
  deleteDeploy: { select: 'id', ids: { 'input.id': 'deploy' }, consumes: ['input.id'] },
} satisfies Samples

export const attachmentSamples = {
  attachments: {
    select: `collection { id allowedPortalUsers { id name email } archiveContentType } ${page}`,
    ids: { scopeId: 'company' },
    optional: { issueId: 'issue', projectId: 'project' },
  },
  attachment: { select: 'id archiveFilename archiveContentType downloadUrl', ids: { id: 'attachment' } },
  createAttachment: {
    select: attachment,
    variables: () => ({ input: { archive: inlineFile('a note') } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.projectId': 'project', 'input.issueId': 'issue', 'input.allowedPortalUserIds.0': 'user' },
  },
  updateAttachment: {
    select: attachment,
    variables: () => ({ input: { description: 'What it is' } }),
    ids: { 'input.id': 'attachment' },
    optional: { 'input.allowedPortalUserIds.0': 'user' },
  },
  deleteAttachment: { select: 'id', ids: { 'input.id': 'attachment' }, consumes: ['input.id'] },
} satisfies Samples
