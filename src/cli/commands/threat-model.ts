// `merlon threat-model`: imports the threats of a model as requirements.

import type { Command } from 'commander'
import { requestWithFile } from '../client.ts'
import { findCompany } from '../find.ts'
import { type OutputOptions, printable, printJson, printRows, say } from '../output.ts'
import { openProgress } from '../progress.ts'

type Threat = {
  outcome: string
  basis: string
  requirement: { id: string; label: string; check: { capecId: string | null; state: string }[] }
}
type Imported = {
  title: string
  format: string
  createdCount: number
  updatedCount: number
  unchangedCount: number
  threats: Threat[]
  leftOut: { threat: string; reason: string }[]
  absent: { id: string; label: string }[]
  version: { version: number } | null
}
type Options = OutputOptions & { company?: string; project?: string; artifact?: string }

const IMPORT = `mutation ($input: ImportThreatModelInput!) { importThreatModel(input: $input) {
  title format createdCount updatedCount unchangedCount threats { outcome basis requirement { id label check { capecId state } } }
  leftOut { threat reason } absent { id label } version { version } } }`

export function threatModel(group: Command): void {
  group
    .command('import <file>')
    .description('create requirements from a model of OWASP Threat Dragon (JSON) or an Open Threat Model (JSON, YAML)')
    .option('--company <id or label>')
    .option('--project <id>', 'the project that the requirements belong to')
    .option('--artifact <id>', 'add the model to this artifact as a new version')
    .option('--json')
    .action(async (file: string, options: Options) => {
      const companyId = await findCompany(options.company)
      const input = { companyId, projectId: options.project, artifactId: options.artifact, file: null }
      const progress = openProgress('Uploading')
      const { importThreatModel } = await requestWithFile(IMPORT, { input }, 'input.file', file, progress).finally(
        progress.stop,
      )
      if (options.json) printJson(importThreatModel)
      else print(importThreatModel, options)
    })
}

function print(imported: Imported, options: Options): void {
  printRows<Threat>(
    imported.threats,
    [
      { title: 'ID', of: ({ requirement }) => requirement.id },
      { title: 'OUTCOME', of: ({ outcome }) => outcome },
      { title: 'REQUIREMENT', of: ({ requirement }) => requirement.label },
      { title: 'CHECKS', of: ({ requirement }) => requirement.check.map(shown).join(', ') || 'none' },
    ],
    options,
  )
  if (imported.threats.length + imported.leftOut.length === 0) say('The model lists no threats')
  for (const { threat, reason } of imported.leftOut) say(printable(`Left out: ${threat}: ${reason}`))
  for (const { id, label } of imported.absent) say(printable(`No longer in the model: requirement ${id}, ${label}`))
  const { title, createdCount, updatedCount, unchangedCount, version } = imported
  const kept = version === null ? '' : `; version ${version.version}`
  say(printable(`${title}: ${createdCount} created, ${updatedCount} updated, ${unchangedCount} unchanged${kept}`))
}

const shown = ({ capecId, state }: Threat['requirement']['check'][number]): string => `CAPEC-${capecId} ${state}`
