// Which actions the signed-in user's role and scopes allow, so that a button can be disabled with a reason before the server would refuse.

import { wordsOf } from '../util/words.ts'
import type { Role, Session } from './session.ts'

const roles: readonly Role[] = ['READER', 'DEVELOPER', 'ANALYST', 'OWNER']

/** What each action requires. A test keeps this table equal to the service's. */
export const actions = {
  'issues:read': { role: 'READER', scope: 'read' },
  'views:write': { role: 'READER', scope: 'write' },
  'issues:write': { role: 'DEVELOPER', scope: 'write' },
  'issues:decide': { role: 'ANALYST', scope: 'issues:decide' },
  'issues:delete': { role: 'ANALYST', scope: 'issues:decide' },
  'keys:write': { role: 'READER', scope: 'write' },
  'company:update': { role: 'OWNER', scope: 'write' },
  'members:manage': { role: 'OWNER', scope: 'members:manage' },
  'audit:read': { role: 'OWNER', scope: 'audit:read' },
  'assets:write': { role: 'DEVELOPER', scope: 'write' },
  'assets:delete': { role: 'ANALYST', scope: 'write' },
  'applications:write': { role: 'DEVELOPER', scope: 'write' },
  'projects:write': { role: 'ANALYST', scope: 'write' },
  'deploys:review': { role: 'ANALYST', scope: 'write' },
  'deploys:delete': { role: 'ANALYST', scope: 'write' },
  'gates:write': { role: 'ANALYST', scope: 'issues:decide' },
  'attachments:write': { role: 'DEVELOPER', scope: 'write' },
  'requirements:write': { role: 'ANALYST', scope: 'write' },
  'requirements:waive': { role: 'ANALYST', scope: 'issues:decide' },
  'seals:write': { role: 'ANALYST', scope: 'write' },
  'secrets:write': { role: 'ANALYST', scope: 'secrets:manage' },
  'tickets:write': { role: 'DEVELOPER', scope: 'write' },
  'certificates:use': { role: 'ANALYST', scope: 'write' },
  'scans:write': { role: 'DEVELOPER', scope: 'write' },
  'scans:configure': { role: 'ANALYST', scope: 'write' },
  'scoring:configure': { role: 'OWNER', scope: 'write' },
  'integrations:write': { role: 'OWNER', scope: 'integrations:manage' },
  'webhooks:read': { role: 'OWNER', scope: 'integrations:manage' },
  'webhooks:write': { role: 'OWNER', scope: 'integrations:manage' },
} as const satisfies Record<string, { role: Role; scope: string }>

type Action = keyof typeof actions

/** Why the session may not perform the action in the company, as one sentence; undefined if it may. */
export function whyNot(session: Session | null, companyId: string, action: Action): string | undefined {
  if (!session) return 'Sign in first.'
  const { role, scope } = actions[action]
  // Without a key, the scopes follow from the user's roles.
  if (session.keyPublicId !== null && !session.scopes.includes(scope))
    return `This requires a key with the scope ${scope}; yours does not have it.`
  const own = session.roles === null ? 'OWNER' : session.roles[companyId]
  if (own === undefined) return 'You are not a member of this company.'
  if (roles.indexOf(own) < roles.indexOf(role))
    return `This requires the role ${named(role)} in this company; yours is ${named(own)}.`
  return undefined
}

const named = (role: Role): string => wordsOf(role).toLowerCase()
