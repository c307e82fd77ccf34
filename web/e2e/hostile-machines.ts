// What machines outside say in their own words: a bill of materials, a scanned application, receivers, scanners, and jobs' errors.

import { sql } from 'kysely'
import { tellScanner } from '../../src/modules/pulls/decisions.ts'
import { type Data, run, runAt, unique, upload } from '../../test/testkit/client.ts'
import { listening, newTarget, scanned } from '../../test/testkit/dynamic-scans.ts'
import { toThisMachine } from '../../test/testkit/events.ts'
import { inside } from '../../test/testkit/inside.ts'
import { openReceiver } from '../../test/testkit/receiver.ts'
import { ignorePath, issue, newSnykHome, pulled, SNYK, snykHas } from '../../test/testkit/scanners.ts'
import { withService } from '../../test/testkit/service.ts'
import { fakeVendor, json, post } from '../../test/testkit/vendor-fake.ts'
import type { World } from '../../test/testkit/world.ts'

/** A bill of materials of components that are named, versioned and licensed so. */
export async function addComponents({ companyId, owner }: World, assetId: string, tricks: readonly string[]) {
  const components = tricks.map((name) => ({
    type: 'library',
    name,
    version: name.slice(0, 60),
    purl: `pkg:npm/${encodeURIComponent(name)}@1.0.0`,
    licenses: [{ license: { name } }],
  }))
  const { errors } = await upload(
    owner.key,
    'mutation ($input: ImportSbomInput!) { importSbom(input: $input) }',
    { input: { companyId, assetId } },
    {
      'input.file': {
        content: JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }),
        filename: 'bom.json',
      },
    },
  )
  if (errors[0]) throw new Error(errors[0].message)
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** An application that answers with the words, and echoes what it is asked; resolves to the finding with that exchange. */
export async function addExchange(world: World, words: string): Promise<string> {
  const target = await listening((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://target.test')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    // headers hold no other characters
    response.setHeader('x-powered-by', words.replaceAll(/[^ -~]/g, ''))
    const form = `<form action="/find"><input name="q" value="tea"><input name="${escaped(words)}" value="1"></form>`
    // merlon:allow a target that is vulnerable on purpose
    response.end(
      `<html><body>${pathname === '/' ? form : `Results for ${searchParams.get('q')} ${words}`}</body></html>`,
    )
  })
  const home = await newTarget(target, {}, world)
  await scanned(home)
  const { issues } = await run(
    world.owner.key,
    `query ($companyId: ID!, $assetIds: [ID!]) { issues(companyId: $companyId, filters: { assetIds: $assetIds }, pagination: { perPage: 100 }) {
      collection { id ... on DastFinding { detail { request response } } } } }`,
    { companyId: world.companyId, assetIds: [home.assetId] },
  )
  const found = issues.collection.find(
    ({ detail }: Data) => detail?.request && detail.response?.includes('Results for'),
  )
  if (!found) throw new Error('The scan of the hostile application found nothing in its answers')
  return found.id
}

/** A webhook and a notification channel whose host answers each message with the words. */
export async function addReceivers({ companyId, owner: { key } }: World, words: string) {
  const receiver = await openReceiver(() => ({
    status: 500,
    headers: { 'content-type': 'text/html', location: `/?${encodeURIComponent(words)}` },
    body: words,
  }))
  await withService(toThisMachine, async ({ url }) => {
    const change = (field: string, input: object, fields: string) => {
      const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`
      return runAt(url, key, `mutation ($input: ${type}!) { ${field}(input: $input) { ${fields} } }`, { input })
    }
    const { createWebhook } = await change('createWebhook', { companyId, url: receiver.url }, 'webhook { id }')
    await change('testWebhook', { id: createWebhook.webhook.id }, 'delivery { failure }')
    const { createNotificationChannel } = await change(
      'createNotificationChannel',
      { companyId, name: words.slice(0, 100), type: 'SLACK', url: receiver.url, rules: [{ topic: 'GATE_BLOCKED' }] },
      'notificationChannel { id }',
    )
    await change('testNotificationChannel', { id: createNotificationChannel.notificationChannel.id }, 'failure')
  })
  await receiver.close()
}

/** A scanner whose findings are worded so, and which refuses a decision about one of them in these words. */
export async function addScannersWords(world: World, words: string) {
  const home = await newSnykHome(world)
  const coordinates = [{ representations: [{ dependency: { package_name: words, package_version: words } }] }]
  const has = await fakeVendor(SNYK, snykHas([issue('SNYK-JS-QS-1', { title: words, coordinates })]))
  await pulled(home)
  await has.end()
  const { issues } = await run(
    home.key,
    'query ($companyId: ID!, $assetIds: [ID!]) { issues(companyId: $companyId, filters: { assetIds: $assetIds }, pagination: {}) { collection { id } } }',
    { companyId: home.companyId, assetIds: [home.assetId] },
  )
  const refuses = await fakeVendor(SNYK, [
    post(ignorePath('SNYK-JS-QS-1'), json({ message: words, error: words }, { status: 400 })),
  ])
  await run(
    home.key,
    'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
    { input: { id: issues.collection[0].id, status: 'FALSE_POSITIVE', reason: words } },
  )
  await tellScanner(await inside(), { companyId: home.companyId, id: home.integrationId })
  await refuses.end()
}

/** A job that was given up with these words, as with a vendor's; resolves to its name. */
export async function addJob(words: string): Promise<string> {
  const { db } = await inside()
  const task = unique('pull')
  const { rows } = await sql<{
    id: string
  }>`select id from graphile_worker.add_job(${task}, max_attempts => 2)`.execute(db)
  await sql`select graphile_worker.permanently_fail_jobs(array[${rows[0]?.id}]::bigint[], ${words})`.execute(db)
  return task
}
