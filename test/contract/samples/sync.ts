// Samples of findings in trackers.

import { BOARD, PROJECT, TEAM } from '../../testkit/boards-fake.ts'
import { LIST_ID } from '../../testkit/tasks-list.ts'
import type { Samples } from './types.ts'

const page = 'metadata { currentPage limitValue totalCount }'
const item = 'id state issue { id title } integration { id } externalId failure'

export const syncSamples = {
  taskTrackerConfigurations: {
    select: `collection { id asset { id } list { id name } integration { id } } ${page}`,
    ids: { companyId: 'company' },
  },
  boardsTrackerTeams: {
    select: 'id name',
    variables: async (subject) => {
      await subject.id('boards')
      return { trackerProjectId: PROJECT.id }
    },
    ids: { companyId: 'company' },
    optional: { integrationId: 'boards' },
  },
  boardsTrackerBoards: {
    select: 'id name',
    variables: async (subject) => {
      await subject.id('boards')
      return { trackerProjectId: PROJECT.id, trackerTeamId: TEAM.id }
    },
    ids: { companyId: 'company' },
    optional: { integrationId: 'boards' },
  },
  boardsTrackerStates: {
    select: 'name color category',
    variables: async (subject) => {
      await subject.id('boards')
      return { trackerProjectId: PROJECT.id, trackerTeamId: TEAM.id, trackerBoardId: BOARD.id }
    },
    ids: { companyId: 'company' },
    optional: { integrationId: 'boards' },
  },
  workItems: {
    select: `collection { ${item} } ${page}`,
    variables: async (subject) => {
      await subject.id('workItem')
      return {}
    },
    ids: { companyId: 'company' },
    filters: { issueId: 'issue', integrationId: 'integration' },
  },
  syncDeliveries: {
    select: `collection { id action outcome reason integration { id } } ${page}`,
    ids: { companyId: 'company' },
    filters: { integrationId: 'integration', workItemId: 'workItem' },
  },
  previewSync: {
    select: 'isCut steps { action from to reason issue { id } workItem { id } }',
    ids: { configurationId: 'boardsConfiguration' },
  },
  createTaskTrackerConfiguration: {
    select: 'taskTrackerConfiguration { id asset { id } list { id name } }',
    variables: () => ({
      input: {
        list: { id: LIST_ID, name: 'Findings' },
        statusMappings: [{ internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'to do' }],
      },
    }),
    ids: { 'input.integrationId': 'tasks', 'input.assetId': 'asset' },
    consumes: ['input.assetId'],
  },
  createWorkItem: {
    select: `workItem { ${item} }`,
    variables: async (subject) => {
      await subject.id('companyBoard')
      return {}
    },
    ids: { 'input.issueId': 'issue', 'input.integrationId': 'boards' },
  },
  createWorkItems: {
    select: 'count',
    variables: async (subject) => {
      await subject.id('companyBoard')
      return {}
    },
    ids: { 'input.assetId': 'asset', 'input.integrationId': 'boards' },
  },
  replaySync: {
    select: 'count',
    variables: () => ({ input: { since: '2026-01-01T00:00:00Z' } }),
    ids: { 'input.integrationId': 'boards' },
  },
  createTrackerWebhook: {
    select: 'isMade webhook { url }',
    ids: { 'input.integrationId': 'boards' },
    refused: { code: 'FAILED_PRECONDITION', message: /MERLON_PUBLIC_URL/ },
  },
  syncTracker: { select: 'success', ids: { 'input.integrationId': 'tasks' } },
} satisfies Samples
