// The parts of ScannerA's answers that are read.

import { z } from 'zod'

/** Of an export that was begun, or, with 409, of the equal one that is under way. */
export const startedSchema = z.object({
  export_uuid: z.string().min(1).nullish(),
  active_job_id: z.string().min(1).nullish(),
})

const chunks = z
  .array(z.number().int().min(0))
  .nullish()
  .transform((given) => given ?? [])

export const statusSchema = z.object({
  status: z.string().transform((status) => status.toUpperCase()),
  chunks_available: chunks,
  chunks_failed: chunks,
  chunks_cancelled: chunks,
  filters: z.object({ since: z.number().nullish() }).nullish(),
})
export type ExportStatus = z.infer<typeof statusSchema>

/** The exports of the last days; only that there is an answer counts. */
export const exportsSchema = z.object({ exports: z.array(z.unknown()) })

const names = z
  .array(z.string())
  .nullish()
  .transform((given) => given ?? [])

export const assetSchema = z.object({
  id: z.string().min(1),
  fqdn: names,
  hostname: names,
  netbios_name: names,
  ipv4: names,
})
export const assetsSchema = z.object({ assets: z.array(assetSchema), total: z.number().nullish() })
export type HostRecord = z.infer<typeof assetSchema>

export const configsSchema = z.object({
  pagination: z.object({ total: z.number().int().min(0) }),
  items: z.array(z.object({ config_id: z.string().min(1), name: z.string() })),
})

export const configSchema = z.object({ targets: names })
