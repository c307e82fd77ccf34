// The six kinds of integrations: what each is for, and what it needs to be connected.

import type { EnumOf } from '../../api/graphql.ts'
import { toolName } from '../../util/words.ts'
import type { Integration } from './documents.ts'

export type Kind = Exclude<EnumOf<'ToolTypeCategory'>, 'PLATFORM_AST' | 'PLATFORM_DAST'>

export type KindField = {
  name: string
  label: string
  isHidden?: boolean
  isOptional?: boolean
  hint?: string
  placeholder?: string
}

/** `consent` lists the fields that are still asked for when a person consents at the vendor instead of bringing a token. */
export type KindOf = {
  name: string
  what: string
  fields: readonly KindField[]
  consent?: readonly string[]
  isHost?: boolean
}

export const kinds: Record<Kind, KindOf> = {
  HOST_A: {
    name: toolName('HOST_A'),
    what: 'Deploys are made from pushes and merges; the verdict goes back to the commit.',
    isHost: true,
    consent: [],
    fields: [
      {
        name: 'email',
        label: 'E-mail of the account',
        isOptional: true,
        hint: 'With an API token; without one give an access token.',
      },
      { name: 'apiToken', label: 'API token', isHidden: true, isOptional: true },
      {
        name: 'accessToken',
        label: 'Or an access token',
        isHidden: true,
        isOptional: true,
        hint: 'Of a repository, project or workspace.',
      },
    ],
  },
  HOST_B: {
    name: toolName('HOST_B'),
    what: 'Deploys are made from pushes and merges; the verdict goes back to the merge request.',
    isHost: true,
    consent: ['instanceUrl'],
    fields: [
      { name: 'personalToken', label: 'Token', isHidden: true, hint: 'With the scope api.' },
      {
        name: 'instanceUrl',
        label: 'Address of your own instance (optional)',
        isOptional: true,
        placeholder: 'https://gitlab.example.com',
      },
    ],
  },
  SCANNER_A: {
    name: toolName('SCANNER_A'),
    what: 'What it finds on hosts and web applications is imported and kept in step.',
    fields: [
      { name: 'accessKey', label: 'Access key' },
      { name: 'secretKey', label: 'Secret key', isHidden: true },
      { name: 'baseUrl', label: 'Another address (optional)', isOptional: true },
    ],
  },
  SCANNER_B: {
    name: toolName('SCANNER_B'),
    what: 'What it finds is imported; decisions made here go back.',
    fields: [
      { name: 'apiToken', label: 'API token', isHidden: true },
      {
        name: 'region',
        label: 'Region (optional)',
        isOptional: true,
        hint: 'US_1, US_2, EU_1 or AU_1; US_1 unless said.',
      },
    ],
  },
  BOARDS_TRACKER: {
    name: toolName('BOARDS_TRACKER'),
    what: 'A work item for a finding, kept in step both ways.',
    consent: ['organizationName'],
    fields: [
      { name: 'organizationName', label: 'Organisation' },
      {
        name: 'personalToken',
        label: 'Personal access token',
        isHidden: true,
        hint: 'With work items (read, write) and project (read).',
      },
    ],
  },
  TASK_TRACKER: {
    name: toolName('TASK_TRACKER'),
    what: 'A task for a finding, kept in step both ways.',
    consent: ['workspaceId'],
    fields: [
      { name: 'personalToken', label: 'Token', isHidden: true },
      { name: 'workspaceId', label: 'Workspace (optional)', isOptional: true },
    ],
  },
}

export const kindNames = Object.keys(kinds) as Kind[]

export const isTracker = (kind: Kind): boolean => kind === 'BOARDS_TRACKER' || kind === 'TASK_TRACKER'

export const isKind = (type: string): type is Kind => type in kinds

/** Tells an integration from others of its type; empty if it has nothing to tell it by. */
export function whereOf(integration: Integration): string {
  switch (integration.__typename) {
    case 'HostAIntegration':
      return integration.workspaceIds.join(', ')
    case 'HostBIntegration':
      return [integration.instanceUrl, ...integration.groupIds].filter(Boolean).join(', ')
    case 'ScannerAIntegration':
      return integration.baseUrl ?? ''
    case 'ScannerBIntegration':
      return integration.region ?? integration.baseUrl ?? ''
    case 'BoardsTrackerIntegration':
      return integration.organizationName ?? ''
    case 'TaskTrackerIntegration':
      return integration.workspaceId ?? ''
  }
}
