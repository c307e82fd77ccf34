// The service or its database is killed during a first report: nothing is stored in part, and a retry stores everything.

import type { Client } from 'pg'
import { result, sarif } from '../testkit/reports.ts'
import { isDone } from './client.ts'
import { awaitImports } from './integrity.ts'
import {
  anotherAsset,
  findingsOf,
  type Installation,
  importReport,
  kill,
  MOST_WAITED,
  sendReport,
  told,
  untilInterrupted,
  type Victim,
  victims,
  withInstallation,
} from './interrupting.ts'
import { AT_ONCE_ROWS } from './writes.ts'

/**
 * `findings` is how many the report has that is imported by a job, more than one before the answer can have; the kill
 * comes up to `later` milliseconds into a statement that writes them.
 */
type Extent = { findings: number; later: number }

/** `expected` is a digest of an undisturbed import of the report. */
type Trial = Extent & { report: string; expected: string }

/** Kills the victim `rounds` times each during an import before the answer and during one by a job. */
export const killWhileFirst = (victim: Victim, rounds: number, extent: Extent): Promise<string[]> =>
  withInstallation(async (installation) => {
    const answered = await newTrial(installation, { ...extent, findings: AT_ONCE_ROWS })
    const byJob = await newTrial(installation, extent)
    const faults: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      faults.push(...(await untilInterrupted(() => interruptAnswered(installation, victim, answered))))
      faults.push(...(await untilInterrupted(() => interruptJob(installation, victim, byJob))))
    }
    return faults
  })

async function newTrial(installation: Installation, extent: Extent): Promise<Trial> {
  const report = reportOf(extent.findings)
  const home = await anotherAsset(installation.home)
  await importReport(installation, home, report)
  return { ...extent, report, expected: await findingsOf(installation.client, home.assetId) }
}

/** Findings on distinct lines, in a hundred files. */
export const reportOf = (findings: number): string =>
  sarif(Array.from({ length: findings }, (_, index) => result(index + 1, {}, `src/${index % 100}.js`, index + 1)))

const WRITING = 'from import_first as '

async function interruptAnswered(installation: Installation, victim: Victim, trial: Trial): Promise<string[] | null> {
  const home = await anotherAsset(installation.home)
  const sent = sendReport(home, trial.report)
  await kill(installation, victim, { doing: WRITING, later: trial.later, of: sent })
  const outcome = await sent
  const before = await countOf(installation.client, home.assetId)
  // a kill between the commit and the answer interrupts no writing
  if (isDone(outcome) || before === trial.findings) return null
  const again = await sendReport(home, trial.report)
  return [
    ...told(outcome, victim),
    ...(before === 0 ? [] : [`${before} findings are there of a report that was not answered`]),
    ...(isDone(again) ? [] : [`Sent again: ${JSON.stringify(again)}`]),
    ...(await findDifferences(installation, home.assetId, trial, { created: trial.findings, unchanged: 0 })),
  ]
}

async function interruptJob(installation: Installation, victim: Victim, trial: Trial): Promise<string[] | null> {
  const home = await anotherAsset(installation.home)
  await sendReport(home, trial.report)
  const of = awaitImports(installation.client, MOST_WAITED).catch(() => null)
  if (!(await kill(installation, victim, { doing: WRITING, later: trial.later, of }))) return null
  const before = await countOf(installation.client, home.assetId)
  const { open } = await awaitImports(installation.client, MOST_WAITED)
  const ended = await findDifferences(installation, home.assetId, trial, { created: trial.findings, unchanged: 0 })
  await importReport(installation, home, trial.report)
  return [
    ...([0, trial.findings].includes(before) ? [] : [`${before} findings are there of a job that was killed`]),
    ...(open === 0 ? [] : ['The job has not ended']),
    ...ended,
    ...(await findDifferences(installation, home.assetId, trial, { created: 0, unchanged: trial.findings })),
  ]
}

async function countOf(client: Client, assetId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from finding where asset_id = $1',
    [assetId],
  )
  return rows[0]?.count ?? 0
}

type Came = { created: number; unchanged: number }

/**
 * Checks that the asset's last import had this result, that its findings are those of an undisturbed import, and that
 * nothing else was left behind.
 */
async function findDifferences(
  { client }: Installation,
  assetId: string,
  { expected }: Trial,
  came: Came,
): Promise<string[]> {
  const { rows } = await client.query<Came & { status: string; staged: number }>(
    `select status, created, unchanged, (select count(*) from import_first)::int + (select count(*) from import_staged)::int as staged
     from import where asset_id = $1 order by id desc limit 1`,
    [assetId],
  )
  const wanted = JSON.stringify({ status: 'SUCCEEDED', ...came, staged: 0 })
  const [found] = rows
  return [
    ...(JSON.stringify(found) === wanted ? [] : [`An import came to ${JSON.stringify(found)} instead of ${wanted}`]),
    ...((await findingsOf(client, assetId)) === expected
      ? []
      : ['The findings are not those of an undisturbed report']),
  ]
}

const FINDINGS = 20_000

export async function runTrial(rounds: number): Promise<string[]> {
  const faults: string[] = []
  for (const victim of victims) {
    const found = await killWhileFirst(victim, rounds, { findings: FINDINGS, later: 500 })
    console.log(`${2 * rounds} kills of the ${victim} while a first report was written: ${found.length} faults`)
    faults.push(...found)
  }
  return faults
}
