// The parts of ScannerB's answers that are read.

import { z } from 'zod'

/** An address, or an object that has it. */
const link = z
  .union([z.string(), z.object({ href: z.string() })])
  .nullish()
  .transform((given) => (typeof given === 'object' ? given?.href : given) ?? null)

const links = z
  .object({ next: link })
  .nullish()
  .transform((given) => given ?? { next: null })

export const selfSchema = z.object({ data: z.object({ id: z.string() }) })

export const orgsSchema = z.object({
  data: z.array(z.object({ id: z.string().min(1), attributes: z.object({ name: z.string() }) })),
  links,
})

const projectAttributes = z.object({
  name: z.string(),
  type: z.string().nullish(),
  target_file: z.string().nullish(),
  target_reference: z.string().nullish(),
})

export const projectsSchema = z.object({
  data: z
    .array(z.object({ id: z.string().min(1), attributes: projectAttributes }))
    .nullish()
    .transform((given) => given ?? []),
  links,
})

export const projectSchema = z.object({ data: z.object({ id: z.string(), attributes: projectAttributes }) })
export type ProjectFacts = z.infer<typeof projectAttributes>

/** Issues are read one by one later, so that one that cannot be read does not cost the others. */
export const issuesSchema = z.object({ data: z.array(z.unknown()), links })

const condition = z.object({ field: z.string(), value: z.string() })

/** Policies, with what they ignore. */
export const policiesSchema = z.object({
  data: z.array(
    z
      .object({
        id: z.string().min(1),
        attributes: z.object({ conditions_group: z.object({ conditions: z.array(condition) }) }),
      })
      .transform(({ id, attributes }) => ({
        id,
        names: attributes.conditions_group.conditions.map(({ value }) => value),
      })),
  ),
  links,
})

/** Ignores of a project by the id of the vulnerability; each is by the path that it is ignored at. */
export const ignoresSchema = z.record(z.string(), z.unknown())
