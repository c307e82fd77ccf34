// The six kinds of integrations: what each is for, and what it needs to be connected.

import type { EnumOf } from '../../api/graphql.ts'
import { toolName } from '../../util/words.ts'
import type { Integration } from './documents.ts'

export type Kind = Exclude<EnumOf<'ToolTypeCategory'>, 'PLATFORM_AST' | 'PLATFORM_DAST'>

type KindField = {
  name: string
  label: string
  isHidden?: boolean
  isOptional?: boolean
  hint?: string
  placeholder?: string
  /** The only values that it can have. */
  values?: readonly string[]
}

/** `consent` lists the fields that are still asked for when a person consents at the vendor instead of bringing a token. */
type KindOf = {
  name: string
  what: string
  fields: readonly KindField[]
  consent?: readonly string[]
  isHost?: boolean
}

/** The first is the default. */
export const regions = ['US_1', 'US_2', 'EU_1', 'AU_1'] as const satisfies readonly EnumOf<'ScannerBRegion'>[]

/** A region as the vendor writes it: `US-1`. */
export const regionWord = (region: string): string => region.replace('_', '-')

export const kinds: Record<Kind, KindOf> = {
  HOST_A: {
    name: toolName('HOST_A'),
    what: 'Creates deploys from pushes and merges; reports verdicts on the commit.',
    isHost: true,
    consent: [],
    fields: [
      {
        name: 'email',
        label: 'Account email',
        isOptional: true,
        hint: 'Required with an API token; leave both empty to use an access token.',
      },
      { name: 'apiToken', label: 'API token', isHidden: true, isOptional: true },
      {
        name: 'accessToken',
        label: 'Access token (alternative)',
        isHidden: true,
        isOptional: true,
        hint: 'For a repository, project or workspace.',
      },
    ],
  },
  HOST_B: {
    name: toolName('HOST_B'),
    what: 'Creates deploys from pushes and merges; reports verdicts on the merge request.',
    isHost: true,
    consent: ['instanceUrl'],
    fields: [
      { name: 'personalToken', label: 'Token', isHidden: true, hint: 'Requires the api scope.' },
      {
        name: 'instanceUrl',
        label: 'Instance URL (optional)',
        isOptional: true,
        placeholder: 'https://gitlab.example.com',
      },
    ],
  },
  SCANNER_A: {
    name: toolName('SCANNER_A'),
    what: 'Imports findings on hosts and web applications and keeps them in sync.',
    fields: [
      { name: 'accessKey', label: 'Access key' },
      { name: 'secretKey', label: 'Secret key', isHidden: true },
      { name: 'baseUrl', label: 'Base URL (optional)', isOptional: true },
    ],
  },
  SCANNER_B: {
    name: toolName('SCANNER_B'),
    what: 'Imports findings; sends back decisions made here.',
    fields: [
      { name: 'apiToken', label: 'API token', isHidden: true },
      { name: 'region', label: 'Region', isOptional: true, values: regions },
    ],
  },
  BOARDS_TRACKER: {
    name: toolName('BOARDS_TRACKER'),
    what: 'Work items for findings, synced both ways.',
    consent: ['organizationName'],
    fields: [
      { name: 'organizationName', label: 'Organisation' },
      {
        name: 'personalToken',
        label: 'Personal access token',
        isHidden: true,
        hint: 'Requires work items (read, write) and project (read).',
      },
    ],
  },
  TASK_TRACKER: {
    name: toolName('TASK_TRACKER'),
    what: 'Tasks for findings, synced both ways.',
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
      return integration.region ? regionWord(integration.region) : (integration.baseUrl ?? '')
    case 'BoardsTrackerIntegration':
      return integration.organizationName ?? ''
    case 'TaskTrackerIntegration':
      return integration.workspaceId ?? ''
  }
}
