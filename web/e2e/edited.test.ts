// Records are edited and deleted on their own pages: projects, requirements, tickets, gates, findings, deploys, the company.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { commit } from '../../test/testkit/deploys.ts'
import { sast, upsert } from '../../test/testkit/findings.ts'
import { emptyTree, newAsset, newDeploy, newPerson, newProject, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, choose, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

const required = (key: string, companyId: string) =>
  run(
    key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { clientMutationId } }',
    { input: { companyId, requirements: [{ label: 'Injection', capecIds: ['66', '7'] }] } },
  )

const newTicket = async (key: string, companyId: string): Promise<string> =>
  (
    await run(key, 'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { id } } }', {
      input: { companyId, title: 'Late', description: 'Late', type: 'BUG' },
    })
  ).createTicket.ticket.id

test('a project, a requirement, a ticket and the company are edited on their own pages', async () => {
  const { companyId, owner } = await newWorld()
  const { key } = owner
  await newAsset(key, companyId, { name: 'storefront' })
  const analyst = await newPerson(companyId, 'ANALYST')
  const project = await newProject(key, companyId)
  await required(key, companyId)
  const ticketId = await newTicket(key, companyId)
  const { page } = await openPage()
  const company = `/companies/${companyId}`
  const faults: string[] = []
  /** Opens the dialog with the button, fills it in, and waits until it has closed. */
  const change = async (name: string, fill: (dialog: ReturnType<typeof page.getByRole>) => Promise<void>) => {
    await page.getByRole('button', { name: 'Edit…', exact: true }).click()
    const dialog = page.getByRole('dialog', { name })
    await dialog.getByRole('button', { name: 'Save' }).waitFor()
    await picture(page, name.replaceAll(' ', '-').toLowerCase())
    faults.push(...(await accessibilityFaults(page)))
    await fill(dialog)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  await signIn(page, key, `${company}/projects/${project.id}`)
  await change('Edit project', async (dialog) => {
    await dialog.getByLabel('Name').fill('Renewed')
    await dialog.getByLabel('Goal').fill('That it holds')
    await dialog.getByLabel('End date').fill('2099-03-01')
    await choose(dialog.getByLabel('Assets'), 'storefront')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Analysts').click()
    const people = page.getByRole('dialog', { name: 'Choose from people' })
    await people.getByRole('combobox').fill(analyst.email)
    await people.getByRole('option', { name: new RegExp(analyst.email) }).click()
    await page.keyboard.press('Escape')
  })
  await page.getByRole('heading', { name: 'Renewed' }).waitFor()
  await page.getByText('That it holds').waitFor()
  await page.getByRole('link', { name: 'storefront' }).waitFor()
  await page.getByRole('button', { name: 'Edit…', exact: true }).click()
  await page.getByLabel('End date').fill('1999-03-01')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('endDate lies before startDate').waitFor()

  await page.goto(`${company}/requirements`)
  await page.getByRole('row', { name: /Injection/ }).click()
  const panel = page.getByRole('complementary', { name: 'Requirement' })
  await panel.getByText(/^CAPEC-7:/).waitFor()
  await change('Edit requirement', async (dialog) => {
    await dialog.getByLabel('Title').fill('Queries take parameters')
    const checks = dialog.getByRole('group', { description: /permanently deleted with their waivers/ })
    await checks.getByRole('checkbox').last().uncheck()
  })
  await panel.getByRole('heading', { name: 'Queries take parameters' }).waitFor()
  await panel.getByText(/^CAPEC-7:/).waitFor({ state: 'detached' })

  await page.goto(`${company}/tickets/${ticketId}`)
  await change('Edit ticket', async (dialog) => {
    await dialog.getByLabel('Assigned to').click()
    const people = page.getByRole('dialog', { name: 'Choose from people' })
    await people.getByRole('combobox').fill(analyst.email)
    await people.getByRole('option', { name: new RegExp(analyst.email) }).click()
  })
  await page.getByText('Assigned to').waitFor()

  await page.goto(`${company}/settings/company`)
  await page.getByLabel('Short name').fill('NOT SO')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('sid has up to 63 lower-case letters, digits and hyphens').waitFor()
  await page.getByLabel('Short name').fill('')
  await page.getByLabel('Name', { exact: true }).fill('Harbour works')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Company: Harbour works' }).waitFor()

  const { ticket } = await run(
    key,
    'query ($companyId: ID!, $id: ID!) { ticket(companyId: $companyId, id: $id) { assignee { email } } }',
    { companyId, id: ticketId },
  )
  expect(ticket.assignee.email).toBe(analyst.email)
  expect(faults).toEqual([])
})

test('an asset gets a gate of its own, which shows the rules it replaces, and drops it again', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets/${asset.id}?tab=gate`)
  const rules = page.getByRole('list', { name: 'Gate rules' })
  const without = page.getByRole('list', { name: 'Rules it replaces' })

  await page.getByText('Built-in rules; the first edit creates rules for this asset.').waitFor()
  await rules.getByRole('button', { name: /^Edit/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit rule' })
  await dialog.getByLabel('Maximum allowed').fill('7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await rules.getByText(/more than 7/).waitFor()
  await without.getByRole('listitem').first().waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'asset-gate-own')
  const policy = (assetId: string | null) =>
    run(
      owner.key,
      'query ($companyId: ID!, $assetId: ID) { gatePolicy(companyId: $companyId, assetId: $assetId) { scope } }',
      { companyId, assetId },
    )
  const own = [await policy(asset.id), await policy(null)]
  await page.getByRole('button', { name: 'Use the built-in rules…' }).click()
  await page.getByRole('dialog').getByText('the built-in rules apply').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard these rules' }).click()
  await page.getByText('The built-in rules apply again.').waitFor()
  await page.getByText('Built-in rules; the first edit creates rules for this asset.').waitFor()

  expect(own.map(({ gatePolicy }) => gatePolicy.scope)).toEqual(['ASSET', 'BUILT_IN'])
  expect(faults).toEqual([])
})

test('the record of a page or panel, and chosen findings, are deleted in place after a confirmation', async () => {
  const { companyId, owner } = await newWorld()
  const { key } = owner
  const asset = await newAsset(key, companyId, { name: 'storefront' })
  const project = await newProject(key, companyId)
  await required(key, companyId)
  const ticketId = await newTicket(key, companyId)
  const deploy = await newDeploy(key, asset.id, '', { previousCommit: emptyTree, currentCommit: commit('a') })
  for (const title of ['First', 'Second', 'Third'])
    await upsert(key, sast(Number(asset.id), { title, fileName: `src/${title}.ts`, codeSnippet: `${title}()` }))
  const { page } = await openPage()
  const company = `/companies/${companyId}`
  await signIn(page, key, `${company}/findings`)
  const faults: string[] = []
  const remove = async (what: string) => {
    await page.getByRole('button', { name: 'Delete…' }).last().click()
    const dialog = page.getByRole('dialog', { name: `Delete ${what}` })
    await dialog.getByText('permanently deleted').waitFor()
    faults.push(...(await accessibilityFaults(page)))
    await dialog.getByRole('button', { name: `Delete ${what}` }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  for (const title of ['First', 'Second']) await page.getByRole('row', { name: title }).getByRole('checkbox').check()
  await remove('2 findings')
  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.getByRole('row', { name: 'Third' }).click()
  await page.getByRole('complementary', { name: 'Finding' }).getByRole('heading', { name: 'Locations' }).waitFor()
  await remove('finding')
  await page.getByRole('heading', { name: 'No open findings' }).waitFor()
  await page.goto(`${company}/requirements`)
  await page.getByRole('row', { name: /Injection/ }).click()

  const none = {
    requirement: 'No requirements yet',
    ticket: 'No tickets',
    project: 'No projects yet',
    deploy: 'No deploys yet',
    asset: 'No assets yet',
  }
  for (const [what, path] of [
    ['requirement', null],
    ['ticket', `tickets/${ticketId}`],
    ['project', `projects/${project.id}`],
    ['deploy', `deploys/${deploy.id}`],
    ['asset', `assets/${asset.id}`],
  ] as const) {
    if (path !== null) await page.goto(`${company}/${path}`)
    await remove(what)
    await page.getByRole('heading', { name: none[what] }).waitFor()
  }

  expect(faults).toEqual([])
})

test('deleting findings closes their panel, and keeps the other chosen findings', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  for (const title of ['First', 'Second', 'Third'])
    await upsert(owner.key, sast(Number(asset.id), { title, fileName: `src/${title}.ts`, codeSnippet: `${title}()` }))
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/findings`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  const chosen = page.getByRole('region', { name: 'Selection' })
  const dialog = page.getByRole('dialog')

  for (const title of ['Second', 'Third']) await page.getByRole('row', { name: title }).getByRole('checkbox').check()
  await page.getByRole('row', { name: 'Third' }).click()
  await panel.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByText('“Third” is permanently deleted').waitFor()
  await dialog.getByRole('button', { name: 'Delete finding' }).click()
  await page.getByText('2 findings', { exact: true }).waitFor()
  await panel.waitFor({ state: 'detached' })
  await chosen.getByText('1 finding selected').waitFor()
  await page.getByRole('row', { name: 'Second' }).click()
  await panel.getByRole('heading', { name: 'Locations' }).waitFor()
  await page.getByRole('searchbox').first().fill('First')
  await page.getByRole('row', { name: 'Second' }).waitFor({ state: 'detached' })
  await chosen.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByText('It is not in the list shown.').waitFor()
  await dialog.getByRole('button', { name: 'Delete finding' }).click()
  await panel.waitFor({ state: 'detached' })

  await page.getByText('1 finding', { exact: true }).waitFor()
  await page.getByRole('row', { name: 'First' }).waitFor()
})
