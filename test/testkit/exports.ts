// Exports that tests request and download.

import { type Data, run, type Variables } from './client.ts'
import { serviceUrl } from './service.ts'

const EXPORT = `mutation ($input: ExportFindingsInput!) { exportFindings(input: $input) {
  export { id format state url filename mediaType findingsCount createdBy { id } createdAt expiresAt } } }`

type Home = { key: string; companyId: string }

/** Requests an export, and resolves to it. */
export async function started({ key, companyId }: Home, format: string, more: Variables = {}): Promise<Data> {
  return (await run(key, EXPORT, { input: { companyId, format, ...more } })).exportFindings.export
}

/** The response of an address of the service under test. */
export const download = async (key: string, path: string): Promise<Response> =>
  fetch(`${await serviceUrl()}${path}`, { headers: { 'x-api-key': key } })

/** Requests an export and downloads it. */
export async function fetched(home: Home, format: string, more: Variables = {}) {
  const made = await started(home, format, more)
  const response = await download(home.key, made.url)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return { made, response, text }
}
