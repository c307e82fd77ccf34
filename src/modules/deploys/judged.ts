// Lists of deploys by what their gate comes to, which the module of gates says as things stand when it is asked.

import { cursorId, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { GateDecision } from '../api.generated.ts'
import type { Context } from '../context.ts'
import { type Deploy, findNewestOf } from './store.ts'

type Judge = (context: Context, deploys: readonly Deploy[]) => Promise<readonly (GateDecision | undefined)[]>

let judge: Judge = async () => []

/** Said once by the module that judges. */
export function provideJudge(given: Judge): void {
  judge = given
}

/** Deploys that are judged for one list, the newest: nobody acts on the verdict of an older one. */
const MOST_JUDGED = 1000

/** The deploys whose gate comes to one of the decisions now, newest first; `assetIds` null: of every asset of the company. */
export async function listJudged(
  context: Context,
  companyId: Id,
  assetIds: readonly Id[] | null,
  decisions: readonly GateDecision[],
  page: PageRequest,
): Promise<Page<Deploy>> {
  const newest = await findNewestOf(context.db, companyId, assetIds, MOST_JUDGED + 1)
  const looked = newest.slice(0, MOST_JUDGED)
  const verdicts = await judge(context, looked)
  const fitting = looked.filter((_, index) => decisions.some((decision) => decision === verdicts[index]))
  const after = page.after === null ? null : BigInt(cursorId(page.after))
  const rest = after === null ? fitting.slice(offsetOf(page)) : fitting.filter(({ id }) => BigInt(id) < after)
  const { collection, metadata } = pageOf(page, rest.slice(0, page.limit), fitting.length, ({ id }) => [id])
  return { collection, metadata: { ...metadata, totalCountIsExact: newest.length <= MOST_JUDGED } }
}
