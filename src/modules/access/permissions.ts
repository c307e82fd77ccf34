// The permissions: one table of actions, each with the role and the key scope that it requires.

/** Roles in a company, weakest first; each includes the permissions of those before it. */
export const roles = ['READER', 'DEVELOPER', 'ANALYST', 'OWNER'] as const
export type Role = (typeof roles)[number]

/** Scopes of a key. `read` and `write` cover every action of their kind that names no scope of its own. */
export const scopes = [
  'read',
  'write',
  'issues:decide',
  'integrations:manage',
  'secrets:manage',
  'members:manage',
  'audit:read',
  'certificates:grant',
] as const
export type Scope = (typeof scopes)[number]

type Rule = { role: Role; scope: Scope }

const reading = { role: 'READER', scope: 'read' } as const
const developing = { role: 'DEVELOPER', scope: 'write' } as const
const analysing = { role: 'ANALYST', scope: 'write' } as const
const owning = { role: 'OWNER', scope: 'write' } as const

/** The table: action → what it requires. */
export const actions = {
  'company:read': reading,
  'company:create': owning,
  'company:update': owning,
  'company:delete': owning,
  'keys:read': reading,
  'keys:write': { role: 'READER', scope: 'write' },
  'members:manage': { role: 'OWNER', scope: 'members:manage' },
  'audit:read': { role: 'OWNER', scope: 'audit:read' },
  'assets:read': reading,
  'assets:write': developing,
  'assets:delete': analysing,
  'applications:read': reading,
  'applications:write': developing,
  'projects:read': reading,
  'projects:write': analysing,
  'views:read': reading,
  'views:write': { role: 'READER', scope: 'write' },
  'issues:read': reading,
  'issues:write': developing,
  'issues:decide': { role: 'ANALYST', scope: 'issues:decide' },
  // deleting a finding lets a deploy pass, just as a decision does
  'issues:delete': { role: 'ANALYST', scope: 'issues:decide' },
  'deploys:read': reading,
  'deploys:write': developing,
  'deploys:review': analysing,
  'deploys:delete': analysing,
  'gates:read': reading,
  // needs the scope of decisions, so that a pipeline's key cannot approve its own changes
  'gates:write': { role: 'ANALYST', scope: 'issues:decide' },
  'attachments:read': reading,
  'attachments:write': developing,
  'requirements:read': reading,
  'requirements:write': analysing,
  'requirements:waive': { role: 'ANALYST', scope: 'issues:decide' },
  'seals:read': reading,
  'seals:write': analysing,
  'secrets:read': reading,
  'secrets:write': { role: 'ANALYST', scope: 'secrets:manage' },
  'secrets:rotate': { role: 'OWNER', scope: 'secrets:manage' },
  'tickets:read': reading,
  'tickets:write': developing,
  'certificates:read': reading,
  'certificates:use': analysing,
  'certificates:grant': { role: 'OWNER', scope: 'certificates:grant' },
  'scans:read': reading,
  'scans:write': developing,
  'scans:delete': analysing,
  'scans:configure': analysing,
  'scoring:read': reading,
  'scoring:configure': owning,
  'exploitation:import': owning,
  'integrations:read': reading,
  'integrations:write': { role: 'OWNER', scope: 'integrations:manage' },
  // what was sent, and the responses, are only for those who manage webhooks
  'webhooks:read': { role: 'OWNER', scope: 'integrations:manage' },
  'webhooks:write': { role: 'OWNER', scope: 'integrations:manage' },
  'jobs:read': reading,
  'jobs:retry': owning,
} as const satisfies Record<string, Rule>

export type Action = keyof typeof actions

/** Whether a role includes another. */
export const reaches = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/** `write` includes `read`; named scopes must be held explicitly, so that a pipeline's key cannot decide. */
export const covers = (held: readonly Scope[], needed: Scope): boolean =>
  held.includes(needed) || (needed === 'read' && held.includes('write'))

/** The scopes of all actions that one of the roles may do; a reader's if there is no role. */
export function scopesOf(held: readonly Role[]): readonly Scope[] {
  const strongest = roles.findLast((role) => held.includes(role)) ?? 'READER'
  return scopes.filter((scope) =>
    Object.values(actions).some((rule) => rule.scope === scope && reaches(strongest, rule.role)),
  )
}
