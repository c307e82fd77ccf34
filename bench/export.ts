// How fast a million findings are exported in each format, and how much memory the service takes for it.

import { openInstallation, residentMemory } from './installation.ts'

const ISSUES = 1_000_000

const formats = (process.argv[3] ?? 'NDJSON,SARIF,CSV,CYCLONEDX').split(',')

export async function run(): Promise<void> {
  const { port, key, companyId, pid, stop } = await openInstallation(ISSUES)
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const service = `http://127.0.0.1:${port}`
  try {
    console.log(`Idle: ${Math.round(await residentMemory(pid))} MiB resident`)
    for (const format of formats) {
      const query = `mutation ($input: ExportFindingsInput!) { exportFindings(input: $input) { export { url findingsCount } } }`
      const body = JSON.stringify({ query, variables: { input: { companyId, format } } })
      const answer = await fetch(`${service}/graphql`, { method: 'POST', headers, body })
      const { data } = (await answer.json()) as {
        data: { exportFindings: { export: { url: string; findingsCount: number } } }
      }
      const { url, findingsCount } = data.exportFindings.export
      const startedAt = performance.now()
      const watched = watch(pid)
      const bytes = await taken(await fetch(service + url, { headers }))
      const seconds = (performance.now() - startedAt) / 1000
      const most = Math.round(await watched())
      const rate = Math.round(findingsCount / seconds)
      console.log(
        `${format}: ${findingsCount} findings, ${Math.round(bytes / 2 ** 20)} MiB in ${seconds.toFixed(1)} s, ${rate} a second, at most ${most} MiB resident`,
      )
    }
  } finally {
    await stop()
  }
}

async function taken(response: Response): Promise<number> {
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return bytes
}

/** Samples a process's memory; the returned function resolves to the peak. */
function watch(pid: number): () => Promise<number> {
  let most = 0
  const look = async () => {
    most = Math.max(most, await residentMemory(pid))
  }
  const timer = setInterval(look, 200)
  return async () => {
    clearInterval(timer)
    await look()
    return most
  }
}
