// The command line: `merlon <words>`; each command is a line here and a file in commands/, loaded when it is called.

import { Command } from 'commander'
import { VERSION } from '../core/version.ts'
import { leave, WRONG_USE } from './exit.ts'
import { isEnough } from './output.ts'

type Fill = (command: Command) => void

/** The first word of a command → what it does, and the file that gives it its options or further words. */
const commands: Record<string, [sentence: string, load: () => Promise<Fill>]> = {
  serve: ['serve the endpoint, with the worker', async () => (await import('./commands/serve.ts')).serve],
  worker: [
    'run the jobs on the database of DATABASE_URL, without serving',
    async () => (await import('./commands/worker.ts')).worker,
  ],
  migrate: [
    'bring the database to the present, without serving',
    async () => (await import('./commands/migrate.ts')).migrate,
  ],
  backup: [
    'write all rows and objects of this installation to a new directory; the service may run',
    async () => (await import('./commands/backup.ts')).backup,
  ],
  restore: [
    'read a backup into a new installation that no service runs on',
    async () => (await import('./commands/restore.ts')).restore,
  ],
  'root-key': [
    'the key that wraps the keys of companies',
    async () => (await import('./commands/root-key.ts')).rootKey,
  ],
  login: [
    'keep the address and key of a service for later commands',
    async () => (await import('./commands/login.ts')).login,
  ],
  keys: ['API keys', async () => (await import('./commands/keys.ts')).keys],
  audit: ['the record of changes', async () => (await import('./commands/audit.ts')).audit],
  user: ['users, for administrators', async () => (await import('./commands/user.ts')).user],
  company: ['companies', async () => (await import('./commands/company.ts')).company],
  project: ['projects of a company', async () => (await import('./commands/project.ts')).project],
  asset: ['assets of a company', async () => (await import('./commands/asset.ts')).asset],
  deploy: ['deploys of an asset', async () => (await import('./commands/deploy.ts')).deploy],
  gate: [
    'the verdict on a deploy: that of the commit that is checked out, or one named; ends with 4 on BLOCK, and where it cannot judge',
    async () => (await import('./commands/gate.ts')).gate,
  ],
  review: [
    'what a deploy of this change would be told of: secrets, risky code, dependencies; asks no service',
    async () => (await import('./commands/review.ts')).review,
  ],
  import: [
    'send reports of scanners: files, folders, or - for standard input',
    async () => (await import('./commands/import.ts')).importReports,
  ],
  advisories: [
    'what is known of vulnerable packages, for all companies',
    async () => (await import('./commands/advisories.ts')).advisories,
  ],
  enrich: [
    'take in EPSS and KEV for all findings of this installation, from files or else from its feeds',
    async () => (await import('./commands/enrich.ts')).enrich,
  ],
  export: ['findings as a file that others read', async () => (await import('./commands/export.ts')).exportFindings],
  finding: ['findings of tools', async () => (await import('./commands/finding.ts')).finding],
  issues: ['list findings', async () => (await import('./commands/issues.ts')).issues],
  issue: ['one finding', async () => (await import('./commands/issue.ts')).issue],
  policy: [
    'what a gate allows, of a company or an asset: kept in a file beside the code, if you like',
    async () => (await import('./commands/policy.ts')).policy,
  ],
  attachment: [
    'files of a company, a project or an issue',
    async () => (await import('./commands/attachment.ts')).attachment,
  ],
  seal: ['seals of assets', async () => (await import('./commands/seal.ts')).seal],
  ticket: ['tickets of a company', async () => (await import('./commands/ticket.ts')).ticket],
  jobs: ['jobs of the worker, for administrators', async () => (await import('./commands/jobs.ts')).jobs],
  scan: [
    'ask a running application what is wrong with it; only scan what you may',
    async () => (await import('./commands/scan.ts')).scan,
  ],
  'threat-model': ['threat models', async () => (await import('./commands/threat-model.ts')).threatModel],
}

const program = new Command('merlon')
  .description('An open application security platform behind one GraphQL endpoint.')
  .version(VERSION)
  .showHelpAfterError('See merlon --help')
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : WRONG_USE))

process.stdout.on('error', (error) => {
  if (!isEnough(error)) leave(error)
})

const wanted = process.argv.slice(2).find((word) => word in commands)
for (const [word, [sentence, load]] of Object.entries(commands)) {
  const command = program.command(word).description(sentence).showHelpAfterError(`See merlon ${word} --help`)
  if (word === wanted) (await load())(command)
}

await program.parseAsync().catch(leave)
