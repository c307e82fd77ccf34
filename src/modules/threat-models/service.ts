// Threat-model artifacts and their versions: who may see, create, change and delete them.

import { type Trx, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound, payloadTooLarge } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { audit, authorize, authorizeRecord, membersByEmail } from '../access/service.ts'
import type { Context } from '../context.ts'
import { lockThreats, requireProject } from '../requirements/service.ts'
import { requireJson } from './json.ts'
import * as store from './store.ts'
import * as versions from './store-versions.ts'

export type { Artifact } from './store.ts'
export type { Version } from './store-versions.ts'

const MOST_VERSIONS = 10_000
const VERSIONS_SHOWN = 100
/** characters */
const LONGEST_SCOPE = 20_000
const LONGEST_NOTES = 10_000
/** in bytes; an imported file may be larger */
const LARGEST_DIAGRAM = 1024 * 1024
const LARGEST_ITEMS = 1024 * 1024
const DEEPEST_ITEMS = 32
/** the most bytes of diagrams and items in one request's answer */
const LARGEST_ANSWER = 16 * 1024 * 1024

export async function listArtifacts(
  context: Context,
  companyId: Id,
  page: PageRequest,
  filter: store.ArtifactFilter,
): Promise<Page<store.Artifact>> {
  await authorize(context, 'requirements:read', companyId)
  return store.listArtifacts(context.db, companyId, page, filter)
}

/** The artifact, if the viewer may do `action` in its company; NOT_FOUND if it is missing or belongs to another company. */
export const authorizeArtifact = (
  context: Context,
  action: 'requirements:read' | 'requirements:write',
  id: Id,
): Promise<store.Artifact> =>
  authorizeRecord(context, action, 'ThreatModelArtifact', id, () => store.findArtifact(context.db, context.viewer, id))

export const getArtifact = (context: Context, id: Id): Promise<store.Artifact> =>
  authorizeArtifact(context, 'requirements:read', id)

/** The fields of an artifact that callers write; undefined leaves them as they are. */
type ArtifactInput = {
  label: string
  description?: string | null
  scopeText?: string | null
  assigneeEmail?: string | null
}

export async function createArtifact(context: Context, companyId: Id, input: ArtifactInput): Promise<store.Artifact> {
  await authorize(context, 'requirements:write', companyId)
  const fields = {
    description: null,
    scopeText: null,
    assigneeId: null,
    ...(await readFields(context, companyId, input)),
  }
  return transaction(context.db, async (trx) => {
    const after = await store.insertArtifact(trx, companyId, fields, context.viewer.userId)
    await audit(trx, context, { companyId, object: `ThreatModelArtifact ${after.id}`, after })
    return after
  })
}

export async function updateArtifact(context: Context, id: Id, input: ArtifactInput): Promise<store.Artifact> {
  const { companyId } = await authorizeArtifact(context, 'requirements:write', id)
  const fields = await readFields(context, companyId, input)
  return transaction(context.db, async (trx) => {
    const before = await lock(trx, companyId, id)
    const after = await store.updateArtifact(trx, before, { ...before, ...fields })
    await audit(trx, context, { companyId, object: `ThreatModelArtifact ${id}`, before, after })
    return after
  })
}

/** Deletes an artifact with its versions; returns it as it was. */
export async function deleteArtifact(context: Context, id: Id): Promise<store.Artifact> {
  const { companyId } = await authorizeArtifact(context, 'requirements:write', id)
  return transaction(context.db, async (trx) => {
    const before = await lock(trx, companyId, id)
    await store.deleteArtifact(trx, before)
    await audit(trx, context, { companyId, object: `ThreatModelArtifact ${id}`, before })
    return before
  })
}

/** The given fields, by the store's names. */
async function readFields(
  context: Context,
  companyId: Id,
  { label, description, scopeText, assigneeEmail }: ArtifactInput,
): Promise<Partial<store.ArtifactFields> & { label: string }> {
  const emails = assigneeEmail ? [assigneeEmail] : []
  const [assignee] = await membersByEmail(context, companyId, emails, 'input.assigneeEmail')
  return {
    label: readName(label, 'input.label'),
    ...(description !== undefined && { description: readText(description, 'input.description') }),
    ...(scopeText !== undefined && { scopeText: readText(scopeText, 'input.scopeText', LONGEST_SCOPE) }),
    ...(assigneeEmail !== undefined && { assigneeId: assignee?.id ?? null }),
  }
}

async function lock(trx: Trx, companyId: Id, id: Id): Promise<store.Artifact> {
  const artifact = await store.lockArtifact(trx, companyId, id)
  if (!artifact) throw notFound('ThreatModelArtifact', id)
  return artifact
}

/** Adds a version to an artifact. Versions added at the same time get consecutive numbers. */
export async function createVersion(
  context: Context,
  artifactId: Id,
  input: versions.NewVersion,
): Promise<versions.Version> {
  const { companyId } = await authorizeArtifact(context, 'requirements:write', artifactId)
  const given = readVersion(input)
  if (given.sourceProjectId !== null) await requireProject(context, companyId, given.sourceProjectId)
  return transaction(context.db, async (trx) => {
    const known = await lockThreats(trx, companyId, given.requirementIds)
    const missing = given.requirementIds.find((id) => !known.has(id))
    if (missing !== undefined) throw notFound('Requirement', missing)
    return addVersion(trx, context, { companyId, artifactId }, given)
  })
}

function readVersion(input: versions.NewVersion): versions.NewVersion {
  const { diagramType, diagramContent, notes, architectureItems } = input
  requireJson(architectureItems, { bytes: LARGEST_ITEMS, depth: DEEPEST_ITEMS }, 'input.architectureItems')
  if (diagramContent !== null && Buffer.byteLength(diagramContent) > LARGEST_DIAGRAM) {
    throw badUserInput(`diagramContent has at most ${LARGEST_DIAGRAM} bytes`, 'input.diagramContent')
  }
  return {
    ...input,
    diagramType: diagramType === null ? null : readName(diagramType, 'input.diagramType', 100),
    notes: readText(notes, 'input.notes', LONGEST_NOTES),
  }
}

/**
 * Adds a version within a transaction; FAILED_PRECONDITION above 10,000 versions. With `unlessSame` it returns the latest version
 * instead if that has the same diagram.
 */
export async function addVersion(
  trx: Trx,
  context: Context,
  { companyId, artifactId }: { companyId: Id; artifactId: Id },
  given: versions.NewVersion,
  { unlessSame = false } = {},
): Promise<versions.Version> {
  const artifact = await lock(trx, companyId, artifactId)
  const latest = await versions.findLatest(trx, artifact, given.diagramContent)
  if (unlessSame && latest?.isSame) return latest
  const number = (latest?.version ?? 0) + 1
  if (number > MOST_VERSIONS) throw failedPrecondition(`An artifact has at most ${MOST_VERSIONS} versions`)
  const version = await versions.insertVersion(trx, artifact, number, given, context.viewer.userId)
  await store.updateArtifact(trx, artifact, artifact)
  await audit(trx, context, {
    companyId,
    object: `ThreatModelArtifact ${artifactId} version ${number}`,
    after: {
      ...version,
      requirementIds: given.requirementIds,
      diagramContent: given.diagramContent,
      architectureItems: JSON.stringify(given.architectureItems),
    },
  })
  return version
}

/** artifact → its newest versions, at most a hundred, newest first. */
export const loadVersions = async (
  context: Context,
  ids: readonly string[],
): Promise<Map<string, versions.Version[]>> =>
  Map.groupBy(
    await versions.findNewest(context.db, context.viewer, ids, VERSIONS_SHOWN),
    ({ artifactId }) => artifactId,
  )

/** artifact → its latest version. */
export const loadLatest = async (context: Context, ids: readonly string[]): Promise<Map<string, versions.Version>> =>
  new Map(
    (await versions.findNewest(context.db, context.viewer, ids, 1)).map((version) => [version.artifactId, version]),
  )

export const numberedKey = (artifactId: Id, number: number): string => `${artifactId}/${number}`

/** artifact and number (by numberedKey) → the version. */
export async function loadNumbered(context: Context, keys: readonly string[]): Promise<Map<string, versions.Version>> {
  const asked = keys.map((key) => key.split('/'))
  const found = await versions.findNumbered(
    context.db,
    context.viewer,
    asked.map(([id = '']) => id),
    asked.map(([, number]) => Number(number)),
  )
  return new Map(found.map((version) => [numberedKey(version.artifactId, version.version), version]))
}

const given = new WeakMap<Context, number>()

/** version → its items and diagram; PAYLOAD_TOO_LARGE if one request asks for more than 16 MiB of them. */
export async function loadContents(context: Context, ids: readonly string[]): Promise<Map<string, versions.Content>> {
  const bytes = (given.get(context) ?? 0) + (await versions.weighContents(context.db, context.viewer, ids))
  given.set(context, bytes)
  if (bytes > LARGEST_ANSWER) {
    throw payloadTooLarge(`Diagrams and items of ${bytes} bytes are asked for, ${LARGEST_ANSWER} are given at once`)
  }
  const found = await versions.findContents(context.db, context.viewer, ids)
  return new Map(found.map((content) => [content.id, content]))
}

/** version → ids of its requirements. */
export const loadRequirementIds = async (context: Context, ids: readonly string[]): Promise<Map<string, Id[]>> =>
  new Map(
    (await versions.findRequirementIds(context.db, context.viewer, ids)).map(({ versionId, requirementIds }) => [
      versionId,
      requirementIds,
    ]),
  )
