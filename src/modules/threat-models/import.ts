// The import of a threat model: new threats become requirements and known ones update theirs, all or none.

import { buffer } from 'node:stream/consumers'
import { sha256 } from '../../core/crypto.ts'
import { type Trx, transaction } from '../../core/db/open.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readUploaded, requireSize, type UploadedFile } from '../../core/uploads.ts'
import { readThreatModel } from '../../threat-models/detect.ts'
import { LARGEST_MODEL, type ModelThreat, type ThreatModel, ThreatModelFault } from '../../threat-models/types.ts'
import { audit, authorize } from '../access/service.ts'
import type { ThreatImportOutcome } from '../api.generated.ts'
import type { Context } from '../context.ts'
import { lockThreats, type Requirement, requireProject, writeThreats } from '../requirements/service.ts'
import { describe, trace } from './patterns.ts'
import { addVersion, authorizeArtifact } from './service.ts'
import { findThreats, type KnownThreat, keepThreats, lockSource } from './store-sources.ts'
import type { Version } from './store-versions.ts'

type ImportedThreat = { key: string; outcome: ThreatImportOutcome; basis: string; requirement: Requirement }

type Imported = {
  model: ThreatModel
  threats: ImportedThreat[]
  absent: Requirement[]
  version: Version | null
}

type ImportInput = { companyId: Id; file: UploadedFile; projectId: Id | null; artifactId: Id | null }

/**
 * Creates a requirement for each threat of the file, or updates the one from an earlier import of the model. Texts that a person has
 * changed since then stay. BAD_USER_INPUT if the file cannot be read; nothing is changed then.
 */
export async function importThreatModel(context: Context, input: ImportInput): Promise<Imported> {
  const { companyId, projectId, artifactId, file } = input
  await authorize(context, 'requirements:write', companyId)
  requireSize(file, LARGEST_MODEL, 'input.file')
  if (projectId !== null) await requireProject(context, companyId, projectId)
  if (artifactId !== null) await requireArtifact(context, companyId, artifactId)
  const bytes = await buffer(readUploaded(context.objects, file))
  const model = read(bytes, file.filename)
  return transaction(context.db, async (trx) => {
    const sourceId = await lockSource(trx, companyId, projectId, model)
    const known = new Map((await findThreats(trx, companyId, sourceId)).map((threat) => [threat.key, threat]))
    const before = await lockThreats(
      trx,
      companyId,
      [...known.values()].map(({ requirementId }) => requirementId),
    )
    const plans = model.threats.map((threat) => {
      const earlier = known.get(threat.key)
      return plan(model, threat, earlier ?? null, (earlier && before.get(earlier.requirementId)) ?? null)
    })
    const changing = plans.filter(({ outcome }) => outcome !== 'UNCHANGED')
    const written = (await writeThreats(trx, context, companyId, projectId, changing)).values()
    const threats = plans.map(({ key, outcome, basis, stays }) => {
      const requirement = outcome === 'UNCHANGED' ? stays : written.next().value
      if (!requirement) throw new Error('A threat has no requirement')
      return { key, outcome, basis, requirement }
    })
    await keepThreats(
      trx,
      companyId,
      sourceId,
      plans.map(({ key, labelHash, descriptionHash }, index) => {
        const requirementId = threats[index]?.requirement.id ?? ''
        return { key, requirementId, labelHash, descriptionHash }
      }),
    )
    const diagram = { model, bytes, filename: file.filename, projectId, threats }
    const version = artifactId === null ? null : await keepVersion(trx, context, { companyId, artifactId }, diagram)
    await audit(trx, context, {
      companyId,
      object: `ThreatModelSource ${sourceId}`,
      after: {
        format: model.format,
        title: model.title,
        projectId,
        sha256: sha256(bytes).toString('hex'),
        requirements: threats.map(({ outcome, requirement }) => ({ requirementId: requirement.id, outcome })),
        leftOut: model.leftOut.length,
        versionId: version?.id,
      },
    })
    const present = new Set(plans.map(({ key }) => key))
    const absent = [...known.values()].flatMap(({ key, requirementId }) =>
      present.has(key) ? [] : (before.get(requirementId) ?? []),
    )
    return { model, threats, absent, version }
  })
}

type Diagram = {
  model: ThreatModel
  bytes: Buffer
  filename: string
  projectId: Id | null
  threats: readonly ImportedThreat[]
}

/** Stores the file as a version of the artifact; returns the latest version if nothing is new and the file is the same. */
function keepVersion(
  trx: Trx,
  context: Context,
  artifact: { companyId: Id; artifactId: Id },
  { model, bytes, filename, projectId, threats }: Diagram,
): Promise<Version> {
  const given = {
    architectureItems: model.items,
    requirementIds: threats.map(({ requirement }) => requirement.id),
    diagramType: model.format,
    diagramContent: bytes.toString('utf8').replaceAll('\u0000', ''),
    sourceProjectId: projectId,
    notes: `Imported from ${filename}`,
  }
  const unlessSame = threats.every(({ outcome }) => outcome !== 'CREATED')
  return addVersion(trx, context, artifact, given, { unlessSame })
}

function read(bytes: Buffer, filename: string): ThreatModel {
  try {
    return readThreatModel(bytes)
  } catch (error) {
    if (error instanceof ThreatModelFault) throw badUserInput(`${filename}: ${error.message}`, 'input.file')
    throw error
  }
}

async function requireArtifact(context: Context, companyId: Id, id: Id): Promise<void> {
  const artifact = await authorizeArtifact(context, 'requirements:write', id)
  if (artifact.companyId !== companyId) throw notFound('ThreatModelArtifact', id)
}

/** What to write for a threat; `stays` is its existing requirement. */
type Plan = {
  key: string
  outcome: ThreatImportOutcome
  basis: string
  label: string
  description: string | null
  capecIds: readonly number[]
  requirementId: Id | null
  stays: Requirement | null
  labelHash: Buffer
  descriptionHash: Buffer
}

type Before = Requirement & { capecIds: readonly number[] }

function plan(model: ThreatModel, threat: ModelThreat, known: KnownThreat | null, before: Before | null): Plan {
  const traced = trace(threat)
  const wanted = { label: threat.title, description: describe(model, threat, traced) }
  const label = settle(wanted.label, before?.label, known?.labelHash)
  const description = settle(wanted.description, before?.description ?? '', before ? known?.descriptionHash : undefined)
  const isSame =
    before !== null &&
    before.label === label.text &&
    (before.description ?? '') === description.text &&
    traced.capecIds.every((id) => before.capecIds.includes(id))
  return {
    key: threat.key,
    outcome: before === null ? 'CREATED' : isSame ? 'UNCHANGED' : 'UPDATED',
    ...traced,
    label: label.text,
    description: description.text,
    requirementId: before?.id ?? null,
    stays: before,
    labelHash: label.hash,
    descriptionHash: description.hash,
  }
}

/** The file's text, unless the current text is not the one written last: then a person changed it, and it stays. */
function settle(wanted: string, present: string | undefined, written: Buffer | undefined) {
  if (present !== undefined && written !== undefined && present !== wanted && !sha256(present).equals(written)) {
    return { text: present, hash: written }
  }
  return { text: wanted, hash: sha256(wanted) }
}
