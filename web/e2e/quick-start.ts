// What the quick start works with: two commits of a real repository, and what its real scanner finds in each.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { merlonJson } from '../../test/cli/command.ts'
import { newRepository } from '../../test/cli/repository.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'

/** A part of this project's code that is scanned in seconds, with findings enough for all that the second commit does. */
const CODE = 'src/review'

type Result = { message: { text: string }; locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }

const fileOf = ({ locations: [at] }: Result): string | undefined => at?.physicalLocation.artifactLocation.uri

/** Runs one of the scripts of the quick start in the repository; resolves to what it printed. */
async function script(cwd: string, name: string, ...words: string[]): Promise<string> {
  const quiet = '--disable-warning=ExperimentalWarning'
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [quiet, resolve('examples', name), ...words], {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** A repository with the first commit; `change` makes the second, as the quick start does. */
export async function newCheckout() {
  const repository = newRepository()
  const { directory } = repository
  cpSync(CODE, join(directory, CODE), { recursive: true })
  const first = repository.commit({})
  const reports = mkdtempSync(join(tmpdir(), 'merlon-quick-start-'))
  const scan = async (name: string) => {
    const report = await script(directory, 'scan.ts', '.', '--sarif')
    const path = join(reports, name)
    writeFileSync(path, report)
    const results: Result[] = JSON.parse(report).runs[0].results
    return { path, results, inFile: (name: string) => results.filter((one) => fileOf(one) === name).length }
  }
  const change = async () => {
    const findings = join(reports, 'first.ndjson')
    writeFileSync(findings, await script(directory, 'scan.ts', '.'))
    await script(directory, 'change.ts', findings)
    return repository.commit({})
  }
  return { directory, first, scan, change }
}

export type Checkout = Awaited<ReturnType<typeof newCheckout>>

/** A company with one asset to which the head of the checkout was deployed, by the command line as in the quick start. */
export async function newDeployed({ directory }: Checkout) {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId, { name: 'merlon' })
  const here = { key: owner.key, cwd: directory }
  const deploy = () => merlonJson(['deploy', 'create'], here)
  await deploy()
  return {
    companyId,
    key: owner.key,
    assetId: asset.id,
    deploy,
    /** Sends a report of the head, as a pipeline would. */
    report: (path: string) => merlonJson(['import', path], here),
  }
}
