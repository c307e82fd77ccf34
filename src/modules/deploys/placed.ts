// Findings in the diff of a deploy: the findings of a file with their lines, and the list of files, those with findings first.

import { decodeCursor, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput } from '../../core/errors.ts'
import { authorize } from '../access/service.ts'
import { type Context, load } from '../context.ts'
import { fileCountsKey, HUNK_BYTES, keyedFiles } from './loads.ts'
import type { Deploy } from './store.ts'
import type { DeployFile } from './store-beside.ts'
import { type FilesAsk, findFilesByFindings, findPlaced, type PlacedFinding } from './store-placed.ts'

/** Findings shown per file. */
const MOST_SHOWN = 100

/** What the deploy did to findings of the file, in the order of their lines. */
export async function listPlacedFindings(context: Context, file: DeployFile): Promise<PlacedFinding[]> {
  await authorize(context, 'issues:read', file.companyId)
  return (await load(context, loadPlaced, fileCountsKey(file))) ?? []
}

async function loadPlaced(context: Context, keys: readonly string[]): Promise<Map<string, PlacedFinding[]>> {
  const files = keyedFiles(keys)
  const found = Map.groupBy(
    await findPlaced(context.db, files, MOST_SHOWN),
    ({ deployId, number }) => `${deployId} ${number}`,
  )
  return new Map(keys.map((key, index) => [key, found.get(`${files[index]?.id} ${files[index]?.number}`) ?? []]))
}

type WeighedFile = DeployFile & { weight: number }

/** The files of the deploy, those with findings first. */
export async function listFilesByFindings(
  context: Context,
  deploy: Deploy,
  page: PageRequest,
): Promise<Page<WeighedFile>> {
  const { companyId, id } = deploy
  const ask: FilesAsk = { companyId, id, ...startOf(page), offset: offsetOf(page), limit: page.limit }
  const files = (await load(context, loadFilesByFindings, JSON.stringify(ask))) ?? []
  return pageOf(page, files, deploy.files, ({ weight, number }) => [weight, number])
}

async function loadFilesByFindings(context: Context, keys: readonly string[]): Promise<Map<string, WeighedFile[]>> {
  const asks = keys.map((key): FilesAsk => JSON.parse(key))
  const rows = Map.groupBy(await findFilesByFindings(context.db, asks, HUNK_BYTES), ({ ask }) => ask)
  return new Map(keys.map((key, index) => [key, rows.get(index) ?? []]))
}

function startOf({ after }: PageRequest): Pick<FilesAsk, 'weight' | 'after'> {
  if (after === null) return { weight: null, after: 0 }
  const [weight = 0, number = 0] = decodeCursor(after, 2).map(Number)
  const isWhole = (value: number) => Number.isInteger(value) && value >= 0 && value < 2 ** 31
  if (!isWhole(weight) || !isWhole(number)) throw badUserInput('after is not a cursor of this list', 'after')
  return { weight, after: number }
}
