// The command line: `merlon <words>`; each command is a file in commands/ and a line here.

import { Command } from 'commander'
import { serve } from './commands/serve.ts'

const program = new Command('merlon')
  .description('An open application security platform behind one GraphQL endpoint.')
  .showHelpAfterError()
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : 2))

for (const add of [serve]) add(program)

await program.parseAsync()
