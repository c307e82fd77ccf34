// The links of an asset to outside tools: shown on its page and removable; without one, nobody is asked.

import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { ASSOCIATE } from '../../test/testkit/followed.ts'
import { HOST_B, saved } from '../../test/testkit/integrations.ts'
import { startService } from '../../test/testkit/service.ts'
import { startSourceHost } from '../../test/testkit/source-host.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

/** A company with an asset and the host of its repository. */
async function hosted(host: Parameters<typeof startSourceHost>[0] = {}) {
  const { companyId, owner } = await newWorld()
  const fake = await startSourceHost(host)
  fake.push('main')
  const asset = await newAsset(owner.key, companyId, { name: 'shop', repoUrl: 'https://git.example.test/shop' })
  const given = { companyId, instanceUrl: fake.origin, personalToken: 'token', astScansEnabled: true }
  const { id: integrationId } = await saved(owner.key, HOST_B, given)
  return { companyId, key: owner.key, assetId: asset.id, integrationId }
}

test('following a repository is stopped on its asset’s page, where Sync now then says why it asks nobody', async () => {
  const { companyId, key, assetId, integrationId } = await hosted()
  await run(key, ASSOCIATE, { input: { assetId, integrationId, externalProjectId: '1', name: 'group/shop' } })
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/assets/${assetId}`)
  const followed = page.getByRole('list', { name: 'Linked projects' })
  const sync = page.getByRole('button', { name: 'Sync now' })

  await followed.getByRole('listitem').waitFor()
  await sync.click()
  await page.getByText('Sync started: the repository.').waitFor()
  const faults = await accessibilityFaults(page)
  await picture(page, 'followed')
  await followed.getByRole('button', { name: /^Unlink/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click()
  await followed.getByRole('listitem').waitFor({ state: 'detached' })
  await sync.hover()
  await page.getByText('No integration is linked to its repository. Link it under Integrations, Projects.').waitFor()
  const { associatedProjects } = await run(
    key,
    'query ($companyId: ID!) { associatedProjects(companyId: $companyId) { collection { id } } }',
    { companyId },
  )

  expect({ faults, left: associatedProjects.collection, isOff: await sync.getAttribute('aria-disabled') }).toEqual({
    faults: [],
    left: [],
    isOff: 'true',
  })
})

test('when a host refuses a webhook, its values are shown once for a person to create it', async () => {
  const { companyId, key } = await hosted({ mayHook: false })
  const service = await startService({ MERLON_PUBLIC_URL: 'http://merlon.example.test' })
  onTestFinished(() => service.app.stop(0))
  const { page } = await openPage()
  await signIn(page, key, `${service.url}/companies/${companyId}/integrations`)
  await page.getByRole('button', { name: 'Projects…' }).click()
  const dialog = page.getByRole('dialog')

  await dialog.getByRole('combobox', { name: 'Project' }).click()
  await page
    .getByRole('dialog', { name: /^Choose from/ })
    .getByRole('option')
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Link project' }).click()
  await dialog.getByText('not shown again').waitFor()
  const address = await dialog.getByText(/^http:/).textContent()
  const faults = await accessibilityFaults(page)
  await picture(page, 'hook-shown')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect({ faults, address }).toEqual({
    faults: [],
    address: expect.stringMatching(/^http:\/\/merlon\.example\.test\//),
  })
})
