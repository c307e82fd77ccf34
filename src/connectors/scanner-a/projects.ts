// What an asset can be linked to in ScannerA: a host of Vulnerability Management, or a configuration of Web App Scanning.

import { badUserInput } from '../../core/errors.ts'
import { VendorRefused } from '../errors.ts'
import { at } from '../paths.ts'
import type { ExternalProject, Listing, ListQuery, Session } from '../session.ts'
import { assetSchema, assetsSchema, configSchema, configsSchema, type HostRecord } from './schemas.ts'

/** An id names the product before the vendor's own: `vm:…` or `was:…`. */
type ProjectId = { product: 'vm' | 'was'; id: string }

export function readProjectId(projectId: string): ProjectId {
  const [, product, id] = /^(vm|was):([0-9a-zA-Z-]{1,64})$/.exec(projectId) ?? []
  if ((product === 'vm' || product === 'was') && id !== undefined) return { product, id }
  throw badUserInput('An id of ScannerA is vm: or was: and the id of the host or of the configuration')
}

/** Configurations of one call, and of all calls for one list. */
const PAGE = 200
const MOST_CONFIGS = 5_000
/** The vendor lists so many hosts and no more. */
const MOST_HOSTS = 5_000
const LARGEST = 64 * 1024 * 1024

/** Web applications first. Everything is read for each page: the vendor searches neither by a part of the name. */
export async function listProjects(
  session: Session,
  { search, page, limit }: ListQuery,
): Promise<Listing<ExternalProject>> {
  const configs = await unlessForbidden(() => listConfigs(session))
  const hosts = await unlessForbidden(() => listHosts(session))
  if (configs === null && hosts === null) throw new VendorRefused('ScannerA', 'PERMISSION')
  const all = [...(configs?.items ?? []), ...(hosts?.items ?? [])]
  const wanted = search?.toLowerCase() ?? ''
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted))
  const isAll = (configs?.isAll ?? true) && (hosts?.isAll ?? true)
  return { items: found.slice((page - 1) * limit, page * limit), total: isAll ? found.length : null }
}

type Part = { items: ExternalProject[]; isAll: boolean }

/** A container may have one of the two products alone. */
async function unlessForbidden(list: () => Promise<Part>): Promise<Part | null> {
  try {
    return await list()
  } catch (error) {
    if (error instanceof VendorRefused && (error.kind === 'PERMISSION' || error.kind === 'MISSING')) return null
    throw error
  }
}

async function listConfigs({ client }: Session): Promise<Part> {
  const items: ExternalProject[] = []
  for (let offset = 0; offset < MOST_CONFIGS; offset += PAGE) {
    const query = { limit: PAGE, offset }
    const found = await client.post(at`/was/v2/configs/search`, {}, configsSchema, { query, repeatable: true })
    items.push(...found.items.map(({ config_id, name }) => ({ id: `was:${config_id}`, name, branches: [] })))
    if (found.items.length < PAGE) return { items, isAll: true }
  }
  return { items, isAll: false }
}

async function listHosts({ client }: Session): Promise<Part> {
  const { assets, total } = await client.get(at`/assets`, assetsSchema, { largest: LARGEST })
  const items = assets.map((asset) => ({ id: `vm:${asset.id}`, name: nameOf(asset), branches: [] }))
  return { items, isAll: (total ?? 0) <= assets.length && assets.length < MOST_HOSTS }
}

const nameOf = ({ id, fqdn, hostname, netbios_name, ipv4 }: HostRecord): string =>
  [...fqdn, ...hostname, ...netbios_name, ...ipv4].find((name) => name !== '') ?? id

/** The addresses of a host by which its findings are narrowed down. MISSING (VendorRefused) when there is no such host. */
export const readHost = ({ client }: Session, id: string): Promise<HostRecord> =>
  client.get(at`/assets/${id}`, assetSchema)

/** The hosts that a configuration scans, in lower case, with their ports where they are said. */
export async function readTargets({ client }: Session, id: string): Promise<Set<string>> {
  const { targets } = await client.get(at`/was/v2/configs/${id}`, configSchema)
  return new Set(targets.flatMap((target) => hostOf(target) ?? []))
}

export const hostOf = (address: string): string | null => URL.parse(address)?.host.toLowerCase() ?? null
