// Checks for operations that the description protects, but that answer the same without credentials.

import type { Context, OperationCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { readJson } from '../json-leaves.ts'
import { quietly } from '../probing.ts'
import type { Exchange, Operation } from '../types.ts'
import { isAdministrative } from './administrative.ts'
import { answerFor, hasErrors, isFine, names, namesOf } from './ownership.ts'
import { askedByStart } from './start-page.ts'

/** Operations that must work without a sign-in, even if the description protects everything. */
const OPEN =
  /(log-?in|sign-?in|sign-?up|register|registration|forgot|reset|token|oauth|health|status|ping|version|captcha|docs|openapi|swagger)([^a-z]|$)/i

export const missingAuthentication: OperationCheck = {
  kind: 'operation',
  id: 'missing-authentication',
  title: 'Missing authentication',
  cwes: [306],
  severity: 'HIGH',
  solution: 'Require credentials by default, and open individual operations by name.',
  profile: 'BASIC',
  accepts: (operation) =>
    !OPEN.test(operation.key) &&
    (operation.requiresAuth === true || (operation.requiresAuth === null && isAdministrative(operation))),
  async *probe(operation, context) {
    const [identity] = context.identities
    if (operation.requiresAuth === null || identity === undefined) {
      yield* withoutComparison(operation, context)
      return
    }
    const known = await answerFor(context, operation, identity)
    if (!isFine(known) || hasErrors(known) || known.text.trim() === '') return
    const nobodys = await answerFor(context, operation, null)
    if (!isFine(nobodys) || hasErrors(nobodys) || isPlea(nobodys.text)) return
    if (operation.kind === 'read' && likenessOf(known, nobodys) < 0.9) return
    if (operation.kind !== 'read' && !hasSameMembers(known.text, nobodys.text)) return
    const isAboutSomebody = names(nobodys.text, new Set(namesOf(identity).map((name) => name.toLowerCase()))) !== null
    if (operation.kind === 'read' && !isAboutSomebody && (await refusesWrong(operation, known, context))) {
      yield {
        detail:
          'The API description requires credentials here; wrong ones are refused, but the response is the same without any.',
        proof: [nobodys.text.slice(0, 80)],
        exchange: nobodys,
        operation,
        severity: 'LOW',
      }
      return
    }
    yield {
      detail: 'The API description requires credentials here, but the response is the same without them.',
      proof: [nobodys.text.slice(0, 80)],
      exchange: nobodys,
      operation,
    }
  },
}

/** Whether the operation rejects wrong credentials, so that they are optional rather than ignored. */
async function refusesWrong(operation: Operation, known: Exchange, context: Context): Promise<boolean> {
  const given = known.request.headers.find(([name]) => /^(authorization|(x-(access|auth)-)?token)$/i.test(name))
  if (given === undefined) return false
  const [name, value] = given
  const wrong = [...value.split(' ').slice(0, -1), context.word()].join(' ')
  const request = context.requestOf(operation)
  const headers = [...request.headers, [name, wrong] as const]
  const refused = await quietly(context.send({ ...request, headers }, { identity: null, operation }))
  return refused !== null && [401, 403].includes(refused.answer.status)
}

/** An administrative operation without a security requirement that answers anybody with JSON content. */
async function* withoutComparison(operation: Operation, context: Context) {
  if (operation.kind !== 'read') return
  const nobodys = await answerFor(context, operation, null)
  if (!isFine(nobodys) || hasErrors(nobodys) || isPlea(nobodys.text)) return
  const json = readJson(nobodys.text)
  if (typeof json !== 'object' || json === null || Object.keys(json).length === 0) return
  if ((await askedByStart(context)).has(nobodys.request.url.split('?', 1).join(''))) return
  yield {
    detail: 'An operation that is for administrators by its name responds to anyone.',
    proof: [nobodys.text.slice(0, 80)],
    exchange: nobodys,
    operation,
    severity: 'MEDIUM' as const,
  }
}

/** An answer with status 200 that asks to sign in. */
const isPlea = (text: string): boolean =>
  /type=["']?password|unauthori[sz]ed|not authenticated|authentication (is )?required|(please|must|need to) (log|sign) ?in|access denied|invalid token|(user ?name|user|password|credentials?|pin) (is |are |was )?(not valid|invalid|incorrect|wrong)|(invalid|incorrect|wrong) (user ?name|user|password|credentials?|pin)/i.test(
    text.slice(0, 20_000),
  )

function hasSameMembers(one: string, other: string): boolean {
  const [left, right] = [readJson(one), readJson(other)]
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) return one === other
  return Object.keys(left).sort().join() === Object.keys(right).sort().join()
}
