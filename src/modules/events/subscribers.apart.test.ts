// Who may subscribe to which events, and who is let in at all.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Callers, newCallers } from '../../../test/contract/samples/callers.ts'
import { newSubject } from '../../../test/contract/samples/subject.ts'
import type { Subject } from '../../../test/contract/samples/types.ts'
import { BEGINNING, connect, follow, type Message, startWorkingService, until } from '../../../test/testkit/events.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { newIssue, withAsset } from '../../../test/testkit/world.ts'

let worker: Service
let other: Service

beforeAll(async () => {
  worker = await startWorkingService()
  other = await startService({})
})

afterAll(async () => {
  await worker.app.stop(0)
  await other.app.stop(0)
})

describe('A subscriber that may not be notified', () => {
  let mine: Subject
  let theirs: Subject
  let callers: Callers

  beforeAll(async () => {
    mine = await newSubject()
    theirs = await newSubject()
    callers = await newCallers(mine, theirs)
  })

  const fields = ['issueEvents', 'deployEvents', 'importEvents', 'scanEvents', 'deliveryEvents']

  const isEnd = ({ type, id }: Message) => type === 'error' && id === '1'

  /** The code that the subscription ends with. */
  async function codeOf(key: string, field: string, companyId: string): Promise<string | undefined> {
    const subscriber = await connect(other.url, key)
    subscriber.subscribe('1', follow(field), { companyId })
    const { payload } = await until(() => subscriber.messages.find(isEnd))
    subscriber.end()
    const [failure] = payload as { extensions: { code: string } }[]
    return failure?.extensions.code
  }

  /** Whether the subscription goes on after half a second. */
  async function goesOn(key: string, field: string, companyId: string): Promise<boolean> {
    const subscriber = await connect(other.url, key)
    subscriber.subscribe('1', follow(field), { companyId })
    await delay(500)
    subscriber.end()
    return !subscriber.messages.some(isEnd)
  }

  test.each(fields)(
    '%s: another company’s owner, a key held elsewhere and a former owner find nothing',
    async (field) => {
      const codes = []
      for (const key of [callers.foreign, callers.heldElsewhere, callers.former]) {
        codes.push(await codeOf(key, field, mine.companyId), await codeOf(key, field, '2147483646'))
      }

      expect(codes).toEqual(Array(6).fill('NOT_FOUND'))
      expect(await codeOf(mine.owner.key, field, 'no-id')).toBe('BAD_USER_INPUT')
      expect(await goesOn(mine.owner.key, field, mine.companyId)).toBe(true)
    },
  )

  test('a reader follows all but deliveries', async () => {
    const followed = fields.filter((field) => field !== 'deliveryEvents')

    for (const field of followed) expect(await goesOn(callers.reader, field, mine.companyId)).toBe(true)
    expect(await codeOf(callers.reader, 'deliveryEvents', mine.companyId)).toBe('FORBIDDEN')
  })

  test.each([['a revoked key'], ['no key'], ['no valid key']])('%s is not let in', async (what) => {
    const key = what === 'a revoked key' ? callers.revoked : what === 'no key' ? '' : 'mrl_nothing'

    const subscriber = await connect(other.url, key)

    expect(await subscriber.closed).toEqual({ code: 4401, reason: 'Unauthorized' })
  })

  test('events of another company reach nobody here', async () => {
    const { companyId, owner, asset } = await withAsset()
    const subscriber = await connect(other.url, owner.key)
    subscriber.subscribe('1', follow('issueEvents'), { companyId, after: BEGINNING })
    await newIssue(theirs.owner.key, await theirs.id('asset'))

    const own = await newIssue(owner.key, asset.id)

    await until(() => subscriber.shown('1').length > 0)
    subscriber.end()
    expect(subscriber.shown('1').map(({ data }) => data.issueEvents.objectId)).toEqual([own.id])
  })
})
