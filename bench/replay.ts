// Replays a repository's history, `npm run bench -- replay REPO`: real commits, a real scanner, and git blame as the ground truth.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openInstallation } from './installation.ts'
import { blameTruth } from './replay/blame.ts'
import { commitsOf, git } from './replay/git.ts'
import { fileAndLine, fileAndSnippet, rollingHash } from './replay/others.ts'
import { type Replayed, scansOf } from './replay/scans.ts'
import { errorsOf, type Identified, tableOf } from './replay/score.ts'
import { newAsset, reportScan } from './replay/service.ts'

/** How many first-parent commits are replayed, and how many lie between two scans. */
const COMMITS = Number(process.env.MERLON_REPLAY_COMMITS ?? 400)
const STEP = Number(process.env.MERLON_REPLAY_STEP ?? 10)

export async function run([repository = '.']: readonly string[] = []): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-replay-'))
  const installation = await openInstallation(1000, { hasWorker: true })
  try {
    const checkout = join(directory, 'checkout')
    await git('.', 'clone', '--quiet', '--shared', '--no-checkout', resolve(repository), checkout)
    const commits = (await commitsOf(checkout, COMMITS)).filter((_, at, all) => (all.length - 1 - at) % STEP === 0)
    const [carried, bare] = [await newAsset(installation, 'with diffs'), await newAsset(installation, 'without')]
    const replayed: Replayed[] = []
    const ours: Identified[][] = []
    const oursBare: Identified[][] = []
    for await (const scan of scansOf(checkout, commits)) {
      const truth = await blameTruth(checkout, scan)
      replayed.push({ ...scan, truth })
      const previous = replayed.at(-2)?.commit ?? null
      ours.push(named(truth, await reportScan(installation, carried, scan, { checkout, previous })))
      oursBare.push(named(truth, await reportScan(installation, bare, scan, null)))
      process.stderr.write(`  ${replayed.length} of ${commits.length} scans, ${scan.findings.length} findings\r`)
    }
    const rules = {
      'Merlon, with the deploys’ diffs': ours,
      'Merlon, without': oursBare,
      'file and snippet': replayed.map((scan) => named(scan.truth, fileAndSnippet(scan))),
      'rolling hash of the lines': replayed.map((scan) => named(scan.truth, rollingHash(scan))),
      'file and line': replayed.map((scan) => named(scan.truth, fileAndLine(scan))),
    }
    const errors = Object.entries(rules).map(([name, scans]) => ({ name, ...errorsOf(scans) }))
    console.log(`\n${replayed.length} scans of ${COMMITS} commits, ${STEP} apart, by ${replayed[0]?.scanner}`)
    console.log(tableOf(errors))
  } finally {
    await installation.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

const named = (truth: readonly string[], ids: readonly string[]): Identified[] =>
  truth.map((key, at) => ({ key, id: ids[at] ?? '' }))
