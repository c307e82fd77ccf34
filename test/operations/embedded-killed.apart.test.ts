// Short forms of the trials in this folder that kill the embedded database, or what uses it, while a report or a deploy is written.

import { expect, test } from 'vitest'
import { killWhileCarrying } from './carrying.ts'
import { killWhileFirst } from './first-report.ts'
import { victims } from './interrupting.ts'

test.for(victims)(
  'a first report is in whole or not at all when the %s is killed while it is written, and goes in when it is sent again',
  async (victim) => {
    expect(await killWhileFirst(victim, 1, { findings: 4200, later: 0 })).toEqual([])
  },
)

test.for(victims)(
  'a deploy carries all findings or none when the %s is killed meanwhile, and carries them once when it is sent again',
  async (victim) => {
    expect(await killWhileCarrying(victim, 1, { findings: 2000, later: 0 })).toEqual([])
  },
)
