// How the target expects the token of a login, if it refuses the usual way.

import type { Context } from '../check.ts'
import type { Session, TokenWay } from '../session.ts'
import type { Exchange, Operation } from '../types.ts'

const WAYS: readonly TokenWay[] = [
  { header: 'Authorization', prefix: 'Token ' },
  { header: 'Authorization', prefix: 'JWT ' },
  { header: 'Authorization', prefix: '' },
  { header: 'X-Access-Token', prefix: '' },
  { header: 'X-Auth-Token', prefix: '' },
  { header: 'Token', prefix: '' },
]

/** Operations that show whether a token is taken. */
const MOST_ASKED = 4

/**
 * Sends the token of each such session in the way that the target takes. The way stays as it is where the login names it, where
 * any operation that nobody gets is answered already, and where no other way is better.
 */
export async function settleTokenWays(
  sessions: readonly Session[],
  operations: readonly Operation[],
  context: Context,
): Promise<void> {
  const open = sessions.filter(
    ({ identity: { login }, way }) =>
      way !== null && login?.type === 'TOKEN' && login.header === undefined && login.prefix === undefined,
  )
  if (open.length === 0) return
  const guarded = await guardedOf(operations, context)
  for (const session of open) {
    const isTaken = async () => {
      for (const operation of guarded) {
        const exchange = await context.attempt(operation, [], { identity: session.identity })
        // a target that fails on the header has not taken it; 404 is said of the thing
        if (exchange !== null && (exchange.answer.status < 400 || exchange.answer.status === 404)) return true
      }
      return false
    }
    const usual = session.way
    if (guarded.length === 0 || usual === null || (await isTaken())) continue
    for (const way of WAYS) {
      session.wear(way)
      if (await isTaken()) break
      session.wear(usual)
    }
  }
}

/** Reads that are refused to nobody, the ones that need no id first. */
async function guardedOf(operations: readonly Operation[], context: Context): Promise<Operation[]> {
  const guarded: Operation[] = []
  const reads = operations
    .filter(({ kind, isDestructive, requiresAuth }) => kind === 'read' && !isDestructive && requiresAuth !== false)
    .sort((one, other) => idsOf(one) - idsOf(other))
  for (const operation of reads.slice(0, 3 * MOST_ASKED)) {
    const exchange = await context.attempt(operation, [], { identity: null })
    if (exchange !== null && isRefused(exchange)) guarded.push(operation)
    if (guarded.length === MOST_ASKED) break
  }
  return guarded
}

const idsOf = ({ parameters }: Operation): number => parameters.filter(({ place }) => place === 'path').length

const isRefused = ({ answer }: Exchange): boolean => answer.status === 401 || answer.status === 403
