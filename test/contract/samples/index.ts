// All samples, and how to send them: root field, document, and variables with their ids filled in.

import type { Variables } from '../../testkit/client.ts'
import { documentOf as clientDocumentOf } from '../clients/documents.ts'
import { built, idValue, rootField } from '../schema.ts'
import { accessSamples } from './access.ts'
import { assetSamples, projectSamples } from './assets.ts'
import { certificateSamples, sealSamples, secretSamples, ticketSamples } from './besides.ts'
import { attachmentSamples, deploySamples } from './deploys.ts'
import { eventSamples } from './events.ts'
import { exportSamples } from './exports.ts'
import { figureSamples } from './figures.ts'
import { gateSamples } from './gates.ts'
import { importSamples } from './imports.ts'
import { integrationSamples } from './integrations.ts'
import { issueSamples } from './issues.ts'
import { pullSamples } from './pulls.ts'
import { requirementSamples } from './requirements.ts'
import { reviewSamples } from './reviews.ts'
import { scanSamples } from './scans.ts'
import { sourceSamples } from './sources.ts'
import { syncSamples } from './sync.ts'
import { threatModelSamples } from './threat-models.ts'
import type { Kind, Places, Sample, Samples, Subject } from './types.ts'

const samples: Samples = {
  ...accessSamples,
  ...assetSamples,
  ...projectSamples,
  ...issueSamples,
  ...deploySamples,
  ...gateSamples,
  ...attachmentSamples,
  ...requirementSamples,
  ...reviewSamples,
  ...threatModelSamples,
  ...scanSamples,
  ...exportSamples,
  ...importSamples,
  ...figureSamples,
  ...ticketSamples,
  ...certificateSamples,
  ...secretSamples,
  ...sealSamples,
  ...integrationSamples,
  ...eventSamples,
  ...pullSamples,
  ...sourceSamples,
  ...syncSamples,
}

/** A sample with what its name and the schema imply. */
export type Call = Sample & {
  name: string
  field: string
  document: string
  isMutation: boolean
}

export const calls: readonly Call[] = Object.entries(samples).map(([name, sample]) => {
  const [field = ''] = name.split(':')
  const { isMutation } = rootField(field)
  const document = sample.document ?? (sample.select ? built(field, sample.select) : clientDocumentOf(field)) ?? ''
  return { ...sample, name, field, isMutation, document }
})

/** Every place of the call that takes an id. */
export const placesOf = ({ ids, optional, never, filters }: Sample): Places => ({
  ...ids,
  ...optional,
  ...never,
  ...filters,
})

type Holder = { [step: string]: unknown }

/** Puts an id, in the type of its place, into a copy of the variables. */
export function put(variables: Variables, call: Call, path: string, id: string): Variables {
  const copy: Holder = structuredClone(variables)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let holder = copy
  for (const [index, step] of steps.entries()) holder = inner(holder, step, steps[index + 1] ?? last)
  holder[last] = idValue(call.field, path, id)
  return copy
}

/** The value at this step, created if it is missing: a list if the next step is a number, otherwise an object. */
function inner(holder: Holder, step: string, next: string): Holder {
  holder[step] ??= /^\d+$/.test(next) ? [] : {}
  return holder[step] as Holder
}

/** The variables of a call about the subject's own records; `also` names optional places to fill too. */
export async function ownVariables(
  call: Call,
  subject: Subject,
  { also = [], fresh = false }: { also?: readonly string[]; fresh?: boolean } = {},
): Promise<Variables> {
  let variables = { ...(await call.variables?.(subject)) }
  const given: [string, Kind][] = [
    ...Object.entries(call.ids ?? {}),
    ...also.flatMap((path): [string, Kind][] => {
      const kind = placesOf(call)[path]
      return kind ? [[path, kind]] : []
    }),
  ]
  for (const [path, kind] of given) {
    const isUsedUp = fresh && call.consumes?.includes(path)
    variables = put(variables, call, path, await (isUsedUp ? subject.fresh(kind) : subject.id(kind)))
  }
  return variables
}
