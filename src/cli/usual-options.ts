// Describes the options that many commands share, where a command does not describe them itself.

import type { Command } from 'commander'

const usual: Readonly<Record<string, string>> = {
  '--json': 'print the result as JSON',
  '--company': 'the company; by default the only one that your key can see',
  '--asset': 'the asset; by default the only one of the company',
}

/** Fills in the descriptions of a command's options, and of those of its sub-commands. */
export function describeOptions(command: Command): void {
  for (const option of command.options) option.description ||= usual[option.long ?? ''] ?? ''
  for (const part of command.commands) describeOptions(part)
}
