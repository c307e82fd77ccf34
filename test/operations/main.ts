// `npm run operations -- <name> [rounds]`: the long trials, whose short forms are the tests in this folder.

/** A trial prints its figures and resolves to the faults that it found. */
type Trial = { rounds: number; run: () => Promise<(rounds: number) => Promise<string[]>> }

const trials: Record<string, Trial> = {
  backup: { rounds: 20, run: async () => (await import('./backup.ts')).run },
  build: { rounds: 2, run: async () => (await import('./build.ts')).run },
  // The number of findings of HIGH and above that are tolerated in widely used sources.
  code: { rounds: 200, run: async () => (await import('./code.ts')).run() },
  closing: { rounds: 1, run: async () => (await import('./closing.ts')).run },
  carrying: { rounds: 20, run: async () => (await import('./carrying.ts')).runTrial },
  clocks: { rounds: 1, run: async () => (await import('./clocks.ts')).run },
  'database-crash': { rounds: 25, run: async () => (await import('./database-crash.ts')).run },
  'disk-full': { rounds: 128, run: async () => (await import('./disk-full.ts')).run },
  documents: { rounds: 10_000, run: async () => (await import('./documents.ts')).run },
  drain: { rounds: 20, run: async () => (await import('./drain.ts')).run },
  events: { rounds: 100, run: async () => (await import('./events.ts')).runTrial },
  'first-report': { rounds: 20, run: async () => (await import('./first-report.ts')).runTrial },
  holder: { rounds: 20, run: async () => (await import('./holder.ts')).run },
  // In megabytes.
  reports: { rounds: 300, run: async () => (await import('./reports.ts')).run },
  // The percentage of mutants that tests must notice.
  mutants: { rounds: 90, run: async () => (await import('./mutants.ts')).run },
  prism: { rounds: 1, run: async () => (await import('./prism.ts')).run },
  rotation: { rounds: 10, run: async () => (await import('./rotation.ts')).run },
  // The number of findings that are tolerated in sources without secrets.
  secrets: { rounds: 10, run: async () => (await import('./secrets.ts')).run() },
  upgrades: { rounds: 20, run: async () => (await import('./upgrades.ts')).run },
  jobs: { rounds: 200, run: async () => (await import('./jobs.ts')).run },
  'slow-vendor': { rounds: 1, run: async () => (await import('./slow-vendor.ts')).run },
  // In minutes.
  soak: { rounds: 30, run: async () => (await import('./soak.ts')).run },
  ssrf: { rounds: 1, run: async () => (await import('./ssrf.ts')).run },
  user: { rounds: 1, run: async () => (await import('./user.ts')).run },
  scan: { rounds: 1, run: async () => (await import('./scan.ts')).run },
  kill: { rounds: 200, run: async () => (await import('./kill.ts')).run },
}

const [name = '', given] = process.argv.slice(2)
const trial = trials[name]
const rounds = Number(given ?? trial?.rounds)
if (!trial || Number.isNaN(rounds)) {
  process.stderr.write(
    `Usage: npm run operations -- <name> [rounds]; the trials are ${Object.keys(trials).join(', ')}\n`,
  )
  process.exit(2)
}
const run = await trial.run()
const faults = await run(rounds)
for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)
