// What may call other hosts, and what may not, through the one way out.

import { expect, test } from 'vitest'
import { callingNobody, callingToTheEnd, callingUntil } from './calls-allowed.ts'
import { openMailer } from './mail.ts'
import { openOutbound } from './outbound.ts'
import { nothingAllowed } from './outbound-address.ts'

const call = async () => {
  const outbound = openOutbound({ allowed: nothingAllowed, resolve: async () => [] })
  const answer = outbound.call('https://example.invalid/', { largest: 1, timeout: 1_000 })
  return answer.catch((error: Error) => error.message).finally(() => outbound.close())
}

test('within a transaction of a request nobody is called, and no mail is sent', async () => {
  const mailer = openMailer('smtp://mail.invalid', 'merlon@example.invalid')

  const [called, inside] = await callingNobody(async () => [await call(), await callingToTheEnd(call)])
  const mailed = callingNobody(() => mailer.send({ to: ['a@example.invalid'], subject: '', text: '' }))

  expect([called, inside]).toEqual(Array(2).fill(expect.stringContaining('mark the field callsOut')))
  await expect(mailed).rejects.toThrow('mark the field callsOut')
  mailer.close()
})

test('after the deadline of a request a call ends at once, unless half of it would be worse than none', async () => {
  const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'))

  const [called, toTheEnd] = await callingUntil(late, async () => [await call(), await callingToTheEnd(call)])

  expect(called).toMatch(/no complete response arrived in time/)
  expect(toTheEnd).not.toMatch(/in time/)
})
