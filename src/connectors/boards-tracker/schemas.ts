// The parts of Azure DevOps' answers that are read, renamed as they come in.

import { z } from 'zod'

/** Lists come as { count, value }. */
export const listOf = <T>(item: z.ZodType<T>) => z.object({ value: z.array(item) }).transform(({ value }) => value)

export const named = z.object({ id: z.string().min(1), name: z.string().min(1) })

export const board = named.extend({
  columns: z
    .array(
      z.object({
        stateMappings: z.record(z.string(), z.string().nullish()).nullish(),
      }),
    )
    .nullish(),
  rows: z.array(z.object({ name: z.string().nullish() })).nullish(),
  fields: z.object({ rowField: z.object({ referenceName: z.string() }).nullish() }).nullish(),
})

export const workItemType = z.object({ name: z.string(), isDisabled: z.boolean().nullish() })
export const workItemState = z.object({
  name: z.string().min(1),
  color: z.string().nullish(),
  category: z.string().nullish(),
})

export const teamFieldValues = z.object({ defaultValue: z.string().nullish() })

export const queried = z
  .object({ workItems: z.array(z.object({ id: z.number().int() })) })
  .transform(({ workItems }) => workItems.map(({ id }) => id))

const person = z
  .union([z.string(), z.object({ uniqueName: z.string().nullish(), displayName: z.string().nullish() })])
  .transform((given) => (typeof given === 'string' ? given : (given.displayName ?? given.uniqueName ?? null)))

export const workItem = z
  .object({
    id: z.number().int(),
    rev: z.number().int(),
    fields: z.object({
      'System.State': z.string().min(1),
      'System.TeamProject': z.string().nullish(),
      'System.Tags': z.string().nullish(),
      'System.ChangedBy': person.nullish(),
      'System.ChangedDate': z.string().nullish(),
    }),
  })
  .transform(({ id, rev, fields }) => ({
    id,
    rev,
    state: fields['System.State'],
    project: fields['System.TeamProject'] ?? null,
    tags: (fields['System.Tags'] ?? '').split(';').map((tag) => tag.trim().toLowerCase()),
    changedBy: fields['System.ChangedBy'] ?? null,
    changedAt: fields['System.ChangedDate'] ?? null,
  }))
export type WorkItem = z.infer<typeof workItem>

export const subscription = z.object({
  id: z.string().min(1),
  eventType: z.string().nullish(),
  status: z.string().nullish(),
  publisherInputs: z.record(z.string(), z.string().nullish()).nullish(),
  consumerInputs: z.record(z.string(), z.string().nullish()).nullish(),
})

/** What a service hook sends; of a deletion the resource is the item itself. */
export const hookBody = z.object({
  id: z.string().nullish(),
  eventType: z.string(),
  resource: z
    .object({
      id: z.number().int().nullish(),
      workItemId: z.number().int().nullish(),
      rev: z.number().int().nullish(),
      revisedBy: person.nullish(),
      revision: z.object({ fields: z.record(z.string(), z.unknown()).nullish() }).nullish(),
      fields: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  resourceContainers: z.object({ project: z.object({ id: z.string() }).nullish() }).nullish(),
})
