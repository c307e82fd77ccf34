// How decisions about code reach ScannerB: one policy for each finding, against a fake that is held to the vendor's own API description.

import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../test/testkit/exchanges.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, patch, post, remove, type Step } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import { scannerB } from './connector.ts'

const ORG = 'a3952187-0d8e-45d8-9aa2-036642857b5b'
const PROJECT = 'a3952187-0d8e-45d8-9aa2-036642857b5c'
const projectId = `${ORG}/${PROJECT}`
const ISSUES = `/rest/orgs/${ORG}/issues`

const asked = (steps: Step[]) => fakeVendor('https://api.eu.snyk.io', steps, vendorContract('snyk/snyk'))
const session = () => fakeSession(scannerB, { kind: 'TOKEN', token: 'a-secret-token' }, { region: 'EU_1' })

const jsonapi = { version: '1.0' }
const issue = (more: object) => ({
  id: '73832c6c-19ff-4a92-850c-2e1ff2800c16',
  type: 'issue',
  attributes: {
    title: 'SQL Injection',
    type: 'code',
    effective_severity_level: 'high',
    status: 'open',
    ignored: false,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    ...more,
  },
  relationships: {
    organization: { data: { id: ORG, type: 'organization' } },
    scan_item: { data: { id: PROJECT, type: 'project' } },
  },
})
const issues = (data: unknown[]) => json({ jsonapi, data, links: {} })

describe('a decision of code', () => {
  const NAME = '1662bb2e-4c43-4f2c-83e1-ee5e0e009999'
  const POLICIES = `/rest/orgs/${ORG}/policies`
  const POLICY = 'f16c31b5-6129-4571-add8-d589da9be524'
  const finding = { projectId, key: `${projectId}:a-key`, ruleId: null, type: 'SAST_FINDING' } as const
  const found = (more: object = { key_asset: NAME }) =>
    get(ISSUES, issues([issue({ key: 'other', key_asset: 'other' }), issue({ key: 'a-key', type: 'code', ...more })]))
  const policy = (value: string, id = POLICY) => ({
    id,
    type: 'policy',
    attributes: {
      name: 'A policy',
      action_type: 'ignore',
      action: { data: { ignore_type: 'wont-fix' } },
      conditions_group: {
        logical_operator: 'and',
        conditions: [{ field: 'snyk/asset/finding/v1', operator: 'includes', value }],
      },
      review: 'not-required',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    },
  })
  const missing: Answer = {
    status: 404,
    headers: { 'content-type': 'application/vnd.api+json' },
    json: { jsonapi, errors: [{ status: '404', detail: 'Not found' }] },
  }
  const policies = (...all: object[]) => get(POLICIES, json({ jsonapi, links: {}, data: all }))
  const made = json({ jsonapi, data: policy(NAME), links: {} }, { status: 201 })
  const wrote = (given: object = {}) =>
    scannerB.scanner?.writeBack?.(session(), finding, {
      status: 'FALSE_POSITIVE',
      reason: 'Not reached',
      expiresAt: null,
      ...given,
    })

  test.each([
    ['a false positive', {}, { ignore_type: 'not-vulnerable' }],
    ['an accepted risk', { status: 'RISK_ACCEPTED' }, { ignore_type: 'wont-fix' }],
    [
      'a risk that is accepted for a time',
      { status: 'RISK_ACCEPTED', expiresAt: '2027-01-01T00:00:00Z' },
      { ignore_type: 'temporary-ignore', expires: '2027-01-01T00:00:00Z' },
    ],
  ])('as %s becomes a policy for the finding', async (_, given, data) => {
    const fake = await asked([found(), policies(policy('another')), post(POLICIES, made)])

    expect(await wrote(given)).toMatchObject({
      kind: 'SENT',
      request: expect.stringContaining(`POST policy of ${NAME}`),
    })
    const { headers, body, query } = fake.seen.at(-1) ?? {}
    expect([headers?.['content-type'], query]).toEqual(['application/vnd.api+json', { version: '2026-03-25' }])
    expect(body).toMatchObject({
      data: {
        type: 'policy',
        attributes: {
          action: { data: { reason: 'Not reached', ...data } },
          conditions_group: { conditions: [{ field: 'snyk/asset/finding/v1', operator: 'includes', value: NAME }] },
        },
      },
    })
  })

  test('whose making lost its answer makes no second policy, but changes the first', async () => {
    await asked([
      found(),
      policies(),
      post(POLICIES, { write: (response) => response.destroy() }),
      found(),
      policies(policy(NAME)),
      patch(`${POLICIES}/${POLICY}`, json({ jsonapi, data: policy(NAME), links: {} }), {
        body: { data: { id: POLICY, attributes: { action: { data: { ignore_type: 'not-vulnerable' } } } } },
      }),
    ])

    await expect(wrote()).rejects.toMatchObject({ kind: 'UNREACHABLE' })
    expect(await wrote()).toMatchObject({ kind: 'SENT', request: `PATCH policy of ${NAME} as not-vulnerable` })
  })

  test('that is taken back deletes every policy of the finding, and none of another', async () => {
    const second = 'f16c31b5-6129-4571-add8-d589da9be525'
    await asked([
      found(),
      policies(policy(NAME), policy('another', PROJECT), policy(NAME, second)),
      remove(`${POLICIES}/${POLICY}`, { status: 204 }),
      remove(`${POLICIES}/${second}`, missing),
    ])

    expect(await wrote({ status: 'IDENTIFIED' })).toMatchObject({ kind: 'SENT' })
  })

  test('of which the vendor does not say by what it is ignored is not sent', async () => {
    await asked([found({})])
    const nameless = await wrote()

    expect(nameless).toMatchObject({ kind: 'UNSUPPORTED', reason: expect.stringContaining('does not tell') })
  })

  test('of a finding that is gone there is not sent', async () => {
    await asked([get(ISSUES, issues([issue({ key: 'other' })]))])

    expect(await wrote()).toMatchObject({ kind: 'UNSUPPORTED' })
  })
})
