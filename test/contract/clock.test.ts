// Scheduled tasks: each runs as defined, on a real database.

import { describe, expect, test } from 'vitest'
import { modules } from '../../src/modules/index.ts'
import { services } from '../testkit/service.ts'

const tasks = modules.flatMap((module) => module.tasks ?? []).filter(({ cron }) => cron !== undefined)

/** Tasks that delete unreferenced objects, which tests that run in parallel may be about to reference. */
const sweeps = ['sweep-objects']

describe('a task that the clock starts', () => {
  test.each(tasks.map(({ name }) => name).filter((name) => !sweeps.includes(name)))(
    '%s runs to its end',
    async (name) => {
      const [service] = await services()
      const task = tasks.find((each) => each.name === name)
      if (!service || !task) throw new Error('No service was started')

      const running = task.run(service.app.parts, {})

      await expect(running).resolves.toBeUndefined()
    },
  )
})
