// The command line: `merlon <words>`; each command is a line here and a file in commands/, loaded when it is called.

import { Command } from 'commander'
import { VERSION } from '../core/version.ts'
import { BLOCKED, leave, WRONG_USE } from './exit.ts'
import { isEnough } from './output.ts'
import { rememberSignals } from './signals.ts'
import { describeOptions } from './usual-options.ts'

type Fill = (command: Command) => void

/** The first word of a command → its description, and the file that adds its options or subcommands. */
const commands: Record<string, [sentence: string, load: () => Promise<Fill>]> = {
  serve: [
    'serve the console and the endpoint, and run the jobs',
    async () => (await import('./commands/serve.ts')).serve,
  ],
  worker: [
    'run the jobs of the database at DATABASE_URL, without serving',
    async () => (await import('./commands/worker.ts')).worker,
  ],
  migrate: [
    'apply missing migrations to the database, without serving',
    async () => (await import('./commands/migrate.ts')).migrate,
  ],
  backup: [
    'back up all rows and files of this installation to a new directory, also while the service runs',
    async () => (await import('./commands/backup.ts')).backup,
  ],
  restore: [
    'restore a backup into a new installation, while no service runs on it',
    async () => (await import('./commands/restore.ts')).restore,
  ],
  'root-key': [
    'replace the root key, which encrypts the keys of all companies',
    async () => (await import('./commands/root-key.ts')).rootKey,
  ],
  login: [
    'store the address of a service and your key for later commands',
    async () => (await import('./commands/login.ts')).login,
  ],
  keys: ['create, list, rotate and revoke API keys', async () => (await import('./commands/keys.ts')).keys],
  audit: ['list and verify the audit records', async () => (await import('./commands/audit.ts')).audit],
  user: ['disable and enable users (administrators only)', async () => (await import('./commands/user.ts')).user],
  company: ['create and list companies', async () => (await import('./commands/company.ts')).company],
  project: ['create and list projects', async () => (await import('./commands/project.ts')).project],
  asset: ['create, list and delete assets', async () => (await import('./commands/asset.ts')).asset],
  deploy: [
    'record a deploy with its git diff, and list deploys',
    async () => (await import('./commands/deploy.ts')).deploy,
  ],
  gate: [
    `show the verdict on the deploy of the current commit, or on another deploy; exits with ${BLOCKED} if it is BLOCK or there is none`,
    async () => (await import('./commands/gate.ts')).gate,
  ],
  review: [
    'review a change as the service reviews a deploy (secrets, risky code, dependencies), on this machine alone',
    async () => (await import('./commands/review.ts')).review,
  ],
  import: [
    'import reports of scanners: files, folders, or - for standard input',
    async () => (await import('./commands/import.ts')).importReports,
  ],
  advisories: [
    'import and list advisories of vulnerable packages, for all companies',
    async () => (await import('./commands/advisories.ts')).advisories,
  ],
  enrich: [
    'update EPSS and KEV data for all findings, from files or from the configured feeds (administrators only)',
    async () => (await import('./commands/enrich.ts')).enrich,
  ],
  export: [
    'write findings to a file, in a format that other tools read',
    async () => (await import('./commands/export.ts')).exportFindings,
  ],
  finding: ['report findings of a tool', async () => (await import('./commands/finding.ts')).finding],
  issues: ['list findings', async () => (await import('./commands/issues.ts')).issues],
  issue: ['show, decide, merge and split findings', async () => (await import('./commands/issue.ts')).issue],
  policy: [
    'show, set and delete the gate policy of a company or an asset',
    async () => (await import('./commands/policy.ts')).policy,
  ],
  attachment: [
    'attach files to a company, a project or an issue; list and download them',
    async () => (await import('./commands/attachment.ts')).attachment,
  ],
  seal: [
    'create, change, list and download the seals of assets',
    async () => (await import('./commands/seal.ts')).seal,
  ],
  ticket: ['open, list and count tickets', async () => (await import('./commands/ticket.ts')).ticket],
  jobs: [
    "list and retry the worker's jobs (administrators only)",
    async () => (await import('./commands/jobs.ts')).jobs,
  ],
  scan: [
    'scan a running application for vulnerabilities; scan only what you are authorized to scan',
    async () => (await import('./commands/scan.ts')).scan,
  ],
  'threat-model': [
    'import a threat model as requirements',
    async () => (await import('./commands/threat-model.ts')).threatModel,
  ],
}

/** The commands that run until they are told to stop. */
const servers = ['serve', 'worker']

const program = new Command('merlon')
  .description('An open application security platform behind one GraphQL endpoint.')
  .version(VERSION)
  .showHelpAfterError('See merlon --help')
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : WRONG_USE))

process.stdout.on('error', (error) => {
  if (!isEnough(error)) leave(error)
})

const wanted = process.argv.slice(2).find((word) => word in commands)
if (wanted !== undefined && servers.includes(wanted)) rememberSignals()
for (const [word, [sentence, load]] of Object.entries(commands)) {
  const command = program.command(word).description(sentence).showHelpAfterError(`See merlon ${word} --help`)
  if (word !== wanted) continue
  const fill = await load()
  fill(command)
  describeOptions(command)
  for (const part of command.commands) part.showHelpAfterError(`See merlon ${word} ${part.name()} --help`)
}

await program.parseAsync().catch(leave)
