// The service or its database is killed while a deploy carries findings: all of it is stored or nothing, and a retry stores it once.

import { randomUUID } from 'node:crypto'
import { ask, isDone, type Outcome } from './client.ts'
import { reportOf } from './first-report.ts'
import {
  anotherAsset,
  findingsOf,
  type Installation,
  importReport,
  kill,
  told,
  untilInterrupted,
  type Victim,
  victims,
  withInstallation,
} from './interrupting.ts'
import type { Home } from './writes.ts'

/**
 * `findings` is how many are carried; the kill comes up to `later` milliseconds into a statement that writes their new
 * places.
 */
type Extent = { findings: number; later: number }

/** Kills the victim `rounds` times while the findings of an asset are carried. */
export const killWhileCarrying = (victim: Victim, rounds: number, { findings, later }: Extent): Promise<string[]> =>
  withInstallation(async (installation) => {
    const report = reportOf(findings)
    const faults: string[] = []
    await importReport(installation, installation.home, report)
    const before = await findingsOf(installation.client, installation.home.assetId)
    await deploy(installation.home, randomUUID())
    const after = await findingsOf(installation.client, installation.home.assetId)
    if (before === after) faults.push('The deploy carries nothing')
    const attempt = async () => {
      const home = await anotherAsset(installation.home)
      await importReport(installation, home, report)
      return interrupt(installation, home, victim, later, { before, after })
    }
    for (let round = 0; round < rounds; round += 1) faults.push(...(await untilInterrupted(attempt)))
    return faults
  })

async function interrupt(
  installation: Installation,
  home: Home,
  victim: Victim,
  later: number,
  expected: { before: string; after: string },
): Promise<string[] | null> {
  const idempotencyKey = randomUUID()
  const sent = deploy(home, idempotencyKey)
  await kill(installation, victim, { doing: 'carried as materialized', later, of: sent })
  const outcome = await sent
  const { client } = installation
  const killed = await findingsOf(client, home.assetId)
  // a kill between the commit and the answer interrupts no carrying
  if (isDone(outcome) || killed === expected.after) return null
  const again = await deploy(home, idempotencyKey)
  const { rows } = await client.query(
    `select count(*)::int as deploys, sum(files)::int as files, count(*) filter (where is_carried)::int as carried,
       (select count(*)::int from deploy_file join deploy using (company_id)
        where deploy_id = deploy.id and asset_id = $1) as "filesThere"
     from deploy where asset_id = $1`,
    [home.assetId],
  )
  const wanted = JSON.stringify({ deploys: 1, files: 100, carried: 1, filesThere: 100 })
  return [
    ...told(outcome, victim),
    ...(killed === expected.before ? [] : ['Something is there of a deploy that was not answered']),
    ...(isDone(again) ? [] : [`Sent again: ${JSON.stringify(again)}`]),
    ...(JSON.stringify(rows[0]) === wanted ? [] : [`There is ${JSON.stringify(rows[0])} instead of ${wanted}`]),
    ...((await findingsOf(client, home.assetId)) === expected.after
      ? []
      : ['The findings are not where an undisturbed deploy carries them']),
  ]
}

const DEPLOY = 'mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { deploy { id } } }'

/** In every file, lines are added at the top, the first finding's line is replaced, and the second one's is removed. */
const DIFF = Array.from({ length: 100 }, (_, file) => {
  const path = `src/${file}.js`
  const [replaced, removed] = [file + 1, file + 101]
  return `diff --git a/${path} b/${path}
--- a/${path}
+++ b/${path}
@@ -0,0 +1,2 @@
+one
+two
@@ -${replaced} +${replaced + 2} @@
-three
+four
@@ -${removed} +${removed + 1},0 @@
-five
`
}).join('')

const deploy = ({ access, assetId }: Home, idempotencyKey: string): Promise<Outcome> =>
  ask(access, {
    query: DEPLOY,
    variables: {
      input: { assetId, previousCommit: 'a'.repeat(40), currentCommit: 'b'.repeat(40), diffContent: null },
    },
    file: { path: 'input.diffContent', bytes: Buffer.from(DIFF), filename: 'a.diff' },
    idempotencyKey,
  })

/** As many as one statement writes. */
const FINDINGS = 20_000

export async function runTrial(rounds: number): Promise<string[]> {
  const faults: string[] = []
  for (const victim of victims) {
    const found = await killWhileCarrying(victim, rounds, { findings: FINDINGS, later: 500 })
    console.log(`${rounds} kills of the ${victim} while a deploy carried findings: ${found.length} faults`)
    faults.push(...found)
  }
  return faults
}
