// Assets created from another tool's list of projects, such as the catalogue of a developer portal.

import { ApplicationError, badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { authorize } from '../access/service.ts'
import type { Context } from '../context.ts'
import { createAsset } from './service.ts'

/** A project as its tool describes it; empty fields are unknown. */
type ImportedProject = {
  name: string
  description?: string | null
  url?: string | null
  repoUrl?: string | null
  lifecycle?: string | null
  tags?: readonly string[] | null
  owner?: string | null
  assetType?: string | null
}

const MOST = 200

const types = [
  'client_server',
  'api',
  'domain',
  'progressive_web_app',
  'web',
  'native_mobile',
  'hybrid_mobile',
  'database',
  'dmz',
  'legacy',
  'cluster',
  'node',
]
const lifeCycles = ['production', 'homologation', 'certification', 'discontinued']

const said = (text: string | null | undefined): string | null => text?.trim() || null
/** The matching value of our enumeration, ignoring case; null if there is none. */
const oneOf = (known: readonly string[], text: string | null | undefined): string | null =>
  known.find((word) => word === said(text)?.toLowerCase().replace(/[ -]/g, '_')) ?? null

/**
 * Creates an asset for each project, unless the company has an asset of that name. Projects are independent: `errors` says, in a sentence
 * each, why one failed. Throws if nothing could be created at all.
 */
export async function importAssets(
  context: Context,
  companyId: Id,
  projects: readonly ImportedProject[],
): Promise<{ importedCount: number; errors: string[] }> {
  await authorize(context, 'assets:write', companyId)
  if (projects.length > MOST) throw badUserInput(`At most ${MOST} projects at a time`, 'input.projects')
  const failures: { called: string; error: ApplicationError }[] = []
  let importedCount = 0
  for (const [index, project] of projects.entries()) {
    const fields = {
      description: said(project.description),
      url: said(project.url),
      repoUrl: said(project.repoUrl),
      assetType: oneOf(types, project.assetType),
      lifeCycle: oneOf(lifeCycles, project.lifecycle),
      assetsTagList: [...(project.tags ?? [])],
      teamIds: project.owner?.trim() ? [project.owner.trim()] : [],
    }
    try {
      const name = readName(project.name, `input.projects.${index}.name`)
      await createAsset(context, companyId, { ...fields, name }, { projectIds: undefined })
      importedCount += 1
    } catch (error) {
      if (!(error instanceof ApplicationError)) throw error
      // the company has an asset of that name
      if (error.code !== 'CONFLICT') failures.push({ called: said(project.name) ?? `Project ${index}`, error })
    }
  }
  const [first] = failures
  if (first && failures.length === projects.length) throw first.error
  return { importedCount, errors: failures.map(({ called, error }) => `${called}: ${error.message}`) }
}
