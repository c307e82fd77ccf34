// The command line: `merlon <words>`; each command is a file in commands/ and a line here, loaded when it is called.

import { Command } from 'commander'
import { VERSION } from '../core/version.ts'
import { leave, WRONG_USE } from './exit.ts'
import { isEnough } from './output.ts'

type Add = (program: Command) => void

/** The first word of a command → the file that adds it. */
const commands: Record<string, () => Promise<Add>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  worker: async () => (await import('./commands/worker.ts')).worker,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  'root-key': async () => (await import('./commands/root-key.ts')).rootKey,
  login: async () => (await import('./commands/login.ts')).login,
  keys: async () => (await import('./commands/keys.ts')).keys,
  audit: async () => (await import('./commands/audit.ts')).audit,
  user: async () => (await import('./commands/user.ts')).user,
  company: async () => (await import('./commands/company.ts')).company,
  project: async () => (await import('./commands/project.ts')).project,
  asset: async () => (await import('./commands/asset.ts')).asset,
  deploy: async () => (await import('./commands/deploy.ts')).deploy,
  gate: async () => (await import('./commands/gate.ts')).gate,
  review: async () => (await import('./commands/review.ts')).review,
  import: async () => (await import('./commands/import.ts')).importReports,
  advisories: async () => (await import('./commands/advisories.ts')).advisories,
  enrich: async () => (await import('./commands/enrich.ts')).enrich,
  export: async () => (await import('./commands/export.ts')).exportFindings,
  finding: async () => (await import('./commands/finding.ts')).finding,
  issues: async () => (await import('./commands/issues.ts')).issues,
  issue: async () => (await import('./commands/issues.ts')).issues,
  attachment: async () => (await import('./commands/attachment.ts')).attachment,
  seal: async () => (await import('./commands/seal.ts')).seal,
  ticket: async () => (await import('./commands/ticket.ts')).ticket,
  jobs: async () => (await import('./commands/jobs.ts')).jobs,
  scan: async () => (await import('./commands/scan.ts')).scan,
  'threat-model': async () => (await import('./commands/threat-model.ts')).threatModel,
}

const program = new Command('merlon')
  .description('An open application security platform behind one GraphQL endpoint.')
  .version(VERSION)
  .showHelpAfterError()
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : WRONG_USE))

process.stdout.on('error', (error) => {
  if (!isEnough(error)) leave(error)
})

const wanted = commands[process.argv[2] ?? '']
const adds = await Promise.all(wanted ? [wanted()] : Object.values(commands).map((load) => load()))
for (const add of new Set(adds)) add(program)

await program.parseAsync().catch(leave)
