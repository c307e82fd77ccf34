// The failures that every connector must survive, as tests that a connector's test file registers with one line.

import { describe, expect, test } from 'vitest'
import type { FailureKind, RefusalKind } from '../../src/connectors/errors.ts'
import type { Credential, Settings } from '../../src/connectors/kinds.ts'
import type { Session } from '../../src/connectors/session.ts'
import type { Connector } from '../../src/connectors/types.ts'
import type { Answer } from './exchanges.ts'
import { cutInTheMiddle, FOREIGN, gigabyte, serverError, tooMany, webPage, wrongShape } from './vendor-answers.ts'
import { fakeVendor, type Step } from './vendor-fake.ts'
import { fakeSession, fakeVendors, originOf } from './vendor-session.ts'

type TroubleSubject = {
  connector: Connector
  credential: Credential
  settings?: Partial<Settings>
  /** A call that makes one request, and the step whose answer satisfies it. */
  good: Step
  call: (session: Session) => Promise<unknown>
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

/** Registers tests of the shared client's behaviour, through the connector's own call. */
export function liveThroughTroubles({ connector, credential, settings = {}, good, call }: TroubleSubject): void {
  const goneOnAfter = async (...answers: Answer[]) => {
    const fake = await fakeVendor(originOf(connector, settings), [
      ...answers.map((answer) => ({ ...good, answer })),
      good,
    ])
    const vendors = fakeVendors()
    await call(fakeSession(connector, credential, settings, { vendors }))
    return { seen: fake.seen, slept: vendors.clock.slept }
  }
  const failsOn = async (answer: Answer, times = 1) => {
    const fake = await fakeVendor(originOf(connector, settings), [{ ...good, answer, times }])
    const vendors = fakeVendors()
    const failure = await call(fakeSession(connector, credential, settings, { vendors })).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : null),
    )
    return { failure, seen: fake.seen, logged: vendors.logged.join('') }
  }

  describe(`${connector.name} in trouble`, () => {
    const { waits } = connector.rates
    const ways: [string, () => Answer][] = [
      ['seconds', () => tooMany.seconds()],
      ['a page and seconds', () => tooMany.page()],
      ['a date', () => tooMany.date(inSeconds(60))],
      ['nothing', () => tooMany.silent()],
      ...waits
        .filter(({ unit }) => unit === 'EPOCH')
        .map(({ header }): [string, () => Answer] => [header, () => tooMany.reset(header, inSeconds(60))]),
    ]
    test.each(ways)('waits and goes on when it is told "too many" with %s', async (_, answer) => {
      const { seen, slept } = await goneOnAfter(answer())

      expect(seen).toHaveLength(2)
      expect(Math.max(...slept)).toBeGreaterThan(500)
    })

    test('asks again after two faults of the server', async () => {
      const { seen } = await goneOnAfter(serverError(502), serverError(503))

      expect(seen).toHaveLength(3)
    })

    test('asks again after an answer that was cut', async () => {
      const { seen } = await goneOnAfter(cutInTheMiddle())

      expect(seen).toHaveLength(2)
    })

    const broken: [string, Answer, FailureKind | RefusalKind][] = [
      ['of another shape', wrongShape(), 'BROKEN_ANSWER'],
      ['that is a page', webPage(), connector.pageMeansSignIn ? 'CREDENTIAL' : 'BROKEN_ANSWER'],
      ['of 1 GB', gigabyte(), 'TOO_LARGE'],
      ['that leads elsewhere', { status: 302, text: '', headers: { location: FOREIGN } }, 'LED_ELSEWHERE'],
      ['that refuses the credential', { status: 401, json: {} }, 'CREDENTIAL'],
      ['that refuses the right', { status: 403, json: {} }, 'PERMISSION'],
    ]
    test.each(broken)('gives up on an answer %s', async (_, answer, kind) => {
      const { failure, seen } = await failsOn(answer)

      expect(failure).toMatchObject({ kind })
      expect(seen).toHaveLength(1)
    })

    test('gives up on a server that fails five times', async () => {
      const { failure, seen } = await failsOn(serverError(500), 5)

      expect(failure).toMatchObject({ kind: 'SERVER_ERROR' })
      expect(seen).toHaveLength(5)
    })

    test('writes no credential into the log or the error', async () => {
      const { failure, logged } = await failsOn({ status: 400, json: { error: credential, message: 'no' } })

      const secrets = Object.entries(credential).flatMap(([name, value]) => (name === 'kind' ? [] : [String(value)]))
      expect(secrets.filter((secret) => `${logged}${failure?.message}`.includes(secret))).toEqual([])
    })
  })
}
