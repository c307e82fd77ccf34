// Reports too large to be imported before the request is answered, and their jobs.

import { runImport } from '../../src/modules/imports/jobs.ts'
import { type Data, run } from './client.ts'
import { type ReportHome, sarif, taken } from './reports.ts'
import { services } from './service.ts'

export async function parts() {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  return service.app.parts
}

/** One byte more than the limit for an import within the request. */
export const LARGE = 4 * 1024 * 1024 + 1

/** A report of these results, padded with white space until it is large. */
export const large = (found: readonly unknown[]) => sarif(found).padEnd(LARGE)

const IMPORT = `query ($id: ID!) { import(id: $id) { id status progress failure { code message } unclosedReason
  result { read created updated unchanged reopened merged closed leftOut components }
  rows(pagination: { perPage: 100 }) { collection { at disposition matchedBy reason issue { id title status } } metadata { totalCount } } } }`

export const found = async ({ key }: ReportHome, id: string): Promise<Data> => (await run(key, IMPORT, { id })).import

/** Sends a large report and runs its job; resolves to its import, and whether its file was read. */
export async function takenByJob(home: ReportHome, content: string, more: Record<string, unknown> = {}) {
  const { id } = await taken(home, content, more)
  const all = await parts()
  let wasRead = false
  const read: typeof all.objects.read = (...asked) => {
    wasRead = true
    return all.objects.read(...asked)
  }
  await runImport({ ...all, objects: { ...all.objects, read } }, { companyId: home.companyId, id })
  return { ...(await found(home, id)), wasRead } as Data
}
