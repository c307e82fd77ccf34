// `merlon jobs`: lists the worker's jobs, and retries those that it gave up.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { type OutputOptions, printOne, printRows } from '../output.ts'
import { positive, someOf } from '../values.ts'

const states = ['WAITING', 'RUNNING', 'GIVEN_UP'] as const

type Job = {
  id: string
  task: string
  state: string
  attempts: number
  maxAttempts: number
  lastError: string | null
  queue: string | null
  runAt: string
  createdAt: string
}

const FIELDS = 'id task state attempts maxAttempts lastError queue runAt createdAt'

export function jobs(group: Command): void {
  group
    .command('list', { isDefault: true })
    .description('list pending, running and failed jobs, newest first')
    .option('--state <state...>', states.join(', '), someOf('--state', states))
    .option('--task <name>')
    .option('--limit <count>', 'maximum number to list', positive, 50)
    .option('--json')
    .action(async (options: OutputOptions & { state?: string[]; task?: string; limit: number }) => {
      const found = await request(
        `query ($states: [JobState!], $task: String, $perPage: Int) {
          jobs(states: $states, task: $task, pagination: { perPage: $perPage }) { collection { ${FIELDS} } } }`,
        { states: options.state, task: options.task, perPage: options.limit },
      )
      printRows<Job>(
        found.jobs.collection,
        [
          { title: 'ID', of: (job) => job.id },
          { title: 'TASK', of: (job) => job.task },
          { title: 'STATE', of: (job) => job.state },
          { title: 'ATTEMPTS', of: (job) => `${job.attempts}/${job.maxAttempts}` },
          { title: 'RUNS', of: (job) => job.runAt },
          { title: 'LAST ERROR', of: (job) => job.lastError },
        ],
        options,
      )
    })

  group
    .command('retry <id>')
    .description('run a job now, and reset its attempts')
    .option('--json')
    .action(async (id: string, options: OutputOptions) => {
      const { retryJob } = await request(`mutation ($id: ID!) { retryJob(input: { id: $id }) { job { ${FIELDS} } } }`, {
        id,
      })
      printOne(`Job ${id} runs as soon as a worker is free`, retryJob.job, options)
    })
}
