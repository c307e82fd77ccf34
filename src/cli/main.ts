// The command line: `merlon <words>`; each command is a file in commands/ and a line here.

import { Command } from 'commander'
import { backup } from './commands/backup.ts'
import { migrate } from './commands/migrate.ts'
import { serve } from './commands/serve.ts'
import { worker } from './commands/worker.ts'
import { leave, WRONG_USE } from './exit.ts'

const program = new Command('merlon')
  .description('An open application security platform behind one GraphQL endpoint.')
  .showHelpAfterError()
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : WRONG_USE))

for (const add of [serve, worker, migrate, backup]) add(program)

await program.parseAsync().catch(leave)
