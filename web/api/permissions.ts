// What the role and the scopes of who is signed in reach: why a button is disabled before the server would refuse.

import type { Role, Session } from './session.ts'

const roles: readonly Role[] = ['READER', 'DEVELOPER', 'ANALYST', 'OWNER']

/** What the console's buttons do, as the service has it; a test holds both to the same. */
export const actions = {
  'issues:write': { role: 'DEVELOPER', scope: 'write' },
  'issues:decide': { role: 'ANALYST', scope: 'issues:decide' },
  'issues:delete': { role: 'ANALYST', scope: 'write' },
  'keys:write': { role: 'READER', scope: 'write' },
} as const satisfies Record<string, { role: Role; scope: string }>

export type Action = keyof typeof actions

/** Why the session may not do it in the company, in one sentence; undefined when it may. */
export function whyNot(session: Session | null, companyId: string, action: Action): string | undefined {
  if (!session) return 'Sign in first.'
  const { role, scope } = actions[action]
  if (!session.scopes.includes(scope))
    return `This takes a key with the scope ${scope}; the one you signed in with has not.`
  const own = session.roles === null ? 'OWNER' : session.roles[companyId]
  if (own === undefined) return 'You are no member of this company.'
  if (roles.indexOf(own) < roles.indexOf(role)) return `This takes the role ${role} in this company; yours is ${own}.`
  return undefined
}
