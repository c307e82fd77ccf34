// `merlon issue`: shows one finding, records a decision about it, and merges it with others or splits it.

import type { Command } from 'commander'
import { issueStatuses } from '../../core/issue-words.ts'
import { request } from '../client.ts'
import { DETAILS } from '../issue-place.ts'
import { STORY, sayStory } from '../issue-story.ts'
import { type OutputOptions, printJson, printOne } from '../output.ts'
import { moment, oneOf } from '../values.ts'

type Options = OutputOptions & { reason: string }
type StatusOptions = OutputOptions & { reason?: string; until?: string }
type SplitOptions = Options & { place?: string; witness?: string }

export function issue(group: Command): void {
  group
    .command('show <id>')
    .description(
      'show a finding: its places, its history, why its reports are one finding, and which statuses may follow',
    )
    .option('--json')
    .action(show)

  group
    .command('status')
    .argument('<id>')
    .argument('<status>', issueStatuses.join(', '), oneOf('status', issueStatuses))
    .description('change the status of a finding')
    .option('--reason <text>')
    .option('--until <time>', 'when an accepted risk expires, ISO 8601', moment)
    .option('--json')
    .action(changeStatus)

  group
    .command('merge <id> <others...>')
    .description('merge other findings of the asset into this one')
    .requiredOption('--reason <text>')
    .option('--json')
    .action(merge)

  group
    .command('split <id>')
    .description('split off what was seen at a place, or by another tool (a witness), as a separate finding')
    .option('--place <id>', 'everything from this place on; issue show lists the ids')
    .option('--witness <id>', 'what this witness reported; issue show lists the ids')
    .requiredOption('--reason <text>')
    .option('--json')
    .action(split)
}

async function show(id: string, options: OutputOptions): Promise<void> {
  const { issue } = await request(`query ($id: ID!) { issue(id: $id) { ${DETAILS} ${STORY} } }`, { id })
  if (options.json) printJson(issue)
  else sayStory(issue)
}

async function changeStatus(id: string, status: string, options: StatusOptions): Promise<void> {
  const input = { id, status, reason: options.reason, riskAcceptedUntil: options.until }
  const { changeIssueStatus } = await request(
    'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id title status } } }',
    { input },
  )
  const { issue } = changeIssueStatus
  printOne(`Issue ${issue.id} is ${issue.status}: ${issue.title}`, issue, options)
}

async function merge(id: string, others: string[], options: Options): Promise<void> {
  const input = { companyId: await companyOf(id), issueId: id, mergeIds: others, reason: options.reason }
  const { mergeIssues } = await request(
    `mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) {
      issue { id title identity { mergedFrom { id } } } } }`,
    { input },
  )
  const { issue } = mergeIssues
  printOne(`${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} merged into issue ${issue.id}`, issue, options)
}

async function split(id: string, options: SplitOptions): Promise<void> {
  const { place, witness, reason } = options
  const input = { companyId: await companyOf(id), issueId: id, placeId: place, witnessId: witness, reason }
  const { splitIssue } = await request(
    'mutation ($input: SplitIssueInput!) { splitIssue(input: $input) { issue { id } splitIssue { id title } } }',
    { input },
  )
  const { id: splitId, title } = splitIssue.splitIssue
  printOne(`Issue ${splitId} is now a separate finding: ${title}`, splitIssue, options)
}

async function companyOf(id: string): Promise<string> {
  const { issue } = await request('query ($id: ID!) { issue(id: $id) { asset { company { id } } } }', { id })
  return issue.asset.company.id
}
