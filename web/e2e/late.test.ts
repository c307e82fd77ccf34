// Code that loads on demand over a slow or lost connection: the page stays, and nothing chosen or typed is lost.

import { expect, test } from 'vitest'
import { run } from '../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../test/testkit/findings.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn, type Told } from './browser.ts'

const openPage = browserStories()

async function withFindings(titles: readonly string[]) {
  const home = await newHome()
  const ids: string[] = []
  for (const title of titles) {
    const { issue } = await upsert(
      home.key,
      sast(home.assetId, { title, fileName: `src/${title}.ts`, codeSnippet: `${title}()` }),
    )
    ids.push(issue.id)
  }
  return { ...home, ids, company: `/companies/${home.companyId}` }
}

/** Accepts what the browser logs while it is offline, and nothing else. */
function forgive(complaints: string[]): void {
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  complaints.length = 0
}

const offline = ({ page }: Told, isSo: boolean) => page.context().setOffline(isSo)

test('a menu and a dialog that cannot load while offline say so, and open once the connection is back', async () => {
  const { key, company } = await withFindings(['First', 'Second'])
  const told = await openPage()
  const { page } = told
  await signIn(page, key, `${company}/findings`)
  await page.getByRole('row', { name: 'First' }).getByRole('checkbox').check()
  const failed = page.getByText(/This could not be loaded/)

  await offline(told, true)
  await page.getByRole('button', { name: 'Severity', exact: true }).first().press('Enter')
  await expect.poll(() => failed.count()).toBe(1)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await expect.poll(() => failed.count()).toBe(2)
  await page.getByText('1 finding selected').waitFor()
  await offline(told, false)
  await page.getByRole('button', { name: 'Severity', exact: true }).first().press('Enter')
  await page.getByRole('menuitemcheckbox').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog', { name: 'Delete finding' }).getByText('“First” is permanently deleted').waitFor()

  forgive(told.complaints)
})

test('a failed action is reported even if the code that reports it at the button does not load', async () => {
  const { companyId, key } = await newHome()
  const { createThreatModelArtifact: made } = await run(
    key,
    'mutation ($input: CreateThreatModelArtifactInput!) { createThreatModelArtifact(input: $input) { threatModelArtifact { id } } }',
    { input: { companyId, label: 'Checkout' } },
  )
  const artifactId = made.threatModelArtifact.id
  await run(
    key,
    'mutation ($input: CreateThreatModelArtifactVersionInput!) { createThreatModelArtifactVersion(input: $input) { clientMutationId } }',
    { input: { artifactId, architectureItems: [], diagramContent: 'flowchart LR' } },
  )
  const told = await openPage()
  await signIn(told.page, key, `/companies/${companyId}/requirements/threat-models/${artifactId}`)
  const download = told.page.getByRole('button', { name: 'Download version 1' })
  await download.waitFor()

  await offline(told, true)
  await download.click()

  await told.page.getByText('The server cannot be reached.').waitFor()
  await told.page.getByRole('heading', { name: 'Checkout' }).waitFor()
  await offline(told, false)
  forgive(told.complaints)
})

test('a menu that loads late does not take back the focus, and an arrow key on its button does not move through the list', async () => {
  const { key, company } = await withFindings(['First', 'Second'])
  const { page } = await openPage()
  await signIn(page, key, `${company}/findings`)
  await page.getByRole('row', { name: 'Second' }).waitFor()
  const { promise: isTyped, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/menu-parts-*.js', async (route) => {
    await isTyped
    await route.continue()
  })

  const severity = page.getByRole('button', { name: 'Severity', exact: true }).first()
  await severity.press('Enter')
  await severity.press('Enter')
  const search = page.getByRole('searchbox').first()
  await search.pressSequentially('Fir')
  const loaded = page.waitForResponse('**/menu-parts-*.js')
  letGo()
  await loaded
  await page.getByRole('row', { name: 'Second' }).waitFor({ state: 'detached' })
  await search.pressSequentially('st')
  const menus = await page.getByRole('menu').count()
  const typed = await search.inputValue()
  await page.getByRole('button', { name: 'Asset', exact: true }).press('ArrowDown')
  await page.getByRole('dialog', { name: 'Choose from assets' }).getByRole('option').first().waitFor()

  expect([menus, typed]).toEqual([0, 'First'])
})

test('the palette opens the typed number, however quickly Enter follows it', async () => {
  const { key, company, ids } = await withFindings(['First', 'Second'])
  const [first = '', second = ''] = ids
  const { page } = await openPage()
  await signIn(page, key, `${company}/findings`)
  await page.keyboard.press('Control+k')
  const typed = page.getByRole('combobox', { name: 'Search or run a command' })
  await typed.fill(first)
  await page.getByRole('option', { name: `finding ${first} ` }).waitFor()
  await page.route('**/graphql', async (route) => {
    if (/query Search\b/.test(route.request().postData() ?? '')) await new Promise((done) => setTimeout(done, 500))
    await route.continue()
  })

  await typed.fill(second)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Second', exact: true, level: 2 }).waitFor()
})

test('a dialog opened before the next requirement has loaded does not save one requirement’s text to another', async () => {
  const { companyId, key } = await newHome()
  await run(
    key,
    'mutation ($input: CreateThreatModelingRequirementsInput!) { createThreatModelingRequirements(input: $input) { clientMutationId } }',
    {
      input: {
        companyId,
        requirements: ['First', 'Second'].map((label) => ({ label, capecIds: ['66', '7'] })),
      },
    },
  )
  const { page } = await openPage()
  await signIn(page, key, `/companies/${companyId}/requirements`)
  const panel = page.getByRole('complementary', { name: 'Requirement' })
  await page.getByRole('row', { name: /First/ }).click()
  await panel.getByRole('heading', { name: 'First' }).waitFor()
  const { promise: isOpen, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (/query OneRequirement\b/.test(route.request().postData() ?? '')) await isOpen
    await route.continue()
  })

  await page.getByRole('row', { name: /Second/ }).click()
  await panel.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit requirement' })
  await dialog.getByLabel('Title').waitFor()
  letGo()
  await page.getByRole('heading', { name: 'Second', includeHidden: true }).waitFor({ state: 'attached' })

  expect(await dialog.getByLabel('Title').inputValue()).toBe('Second')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => panel.getByText(/^CAPEC-7:/).count()).toBe(1)
})

test('assigning a finding before it has loaded does not take over the assignees of the one shown before', async () => {
  const { key, company, ids, owner } = await withFindings(['First', 'Second'])
  await run(
    key,
    'mutation ($input: UpdateIssueAssigneesInput!) { updateIssueAssignee(input: $input) { clientMutationId } }',
    { input: { issueId: ids[0], assigneeEmails: [owner.email] } },
  )
  const { page } = await openPage()
  await signIn(page, key, `${company}/findings`)
  const panel = page.getByRole('complementary', { name: 'Finding' })
  await page.getByRole('row', { name: 'First' }).click()
  await panel.getByText(/^Assigned to /).waitFor()
  const { promise: isOpen, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (/query Finding\b/.test(route.request().postData() ?? '')) await isOpen
    await route.continue()
  })

  await page.getByRole('row', { name: 'Second' }).click()
  await panel.getByRole('button', { name: 'Assign…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign' })
  await dialog.getByText('First').waitFor()
  letGo()
  await dialog.getByText('Second').waitFor()

  await expect.poll(() => dialog.getByLabel('Assigned to').textContent()).toBe('Nobody')
})

test('a part of a page that does not load says so in place, and appears when it is retried', async () => {
  const { key, company } = await withFindings([])
  const told = await openPage()
  const { page } = told
  await signIn(page, key, `${company}/integrations`)
  await page.getByRole('tab', { name: 'Tracker sync log' }).waitFor()

  await offline(told, true)
  await page.getByRole('tab', { name: 'Tracker sync log' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
  await failed.waitFor()
  await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor()
  await offline(told, false)
  await failed.getByRole('button', { name: 'Try again' }).click()

  await page.getByRole('tabpanel').getByText(/sync/i).filter({ visible: true }).first().waitFor()
  forgive(told.complaints)
})

test('a button whose menu is loading says so until the menu is there', async () => {
  const { key, company } = await withFindings(['First'])
  const { page } = await openPage()
  await signIn(page, key, `${company}/findings`)
  await page.getByRole('row', { name: 'First' }).waitFor()
  const { promise: isSeen, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/menu-parts-*.js', async (route) => {
    await isSeen
    await route.continue()
  })

  const severity = page.getByRole('button', { name: 'Severity', exact: true }).first()
  await severity.click()
  await expect.poll(() => severity.getAttribute('aria-busy')).toBe('true')
  letGo()
  await page.getByRole('menuitemcheckbox').first().waitFor()

  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
})

test('a page that loads slowly is announced as loading, after a moment', async () => {
  const { key, company, ids } = await withFindings(['First'])
  const { page } = await openPage()
  await signIn(page, key, `${company}/findings`)
  await page.getByRole('row', { name: /First/ }).waitFor()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/panel.*\.js$/, async (route) => {
    await held
    await route.continue()
  })

  await page.evaluate(`new MutationObserver(() => {
    const main = document.querySelector('main[aria-busy]')
    if (main) window.atOnce ??= getComputedStyle(main, '::before').opacity
  }).observe(document, { subtree: true, attributeFilter: ['aria-busy'] })`)

  await page.getByRole('row', { name: /First/ }).click()
  await page.locator('main[aria-busy]').waitFor()
  const isSeen = () => page.evaluate<string>("getComputedStyle(document.querySelector('main'), '::before').opacity")
  await expect.poll(isSeen).toBe('1')
  const atOnce = await page.evaluate<string>('window.atOnce')
  letGo()
  await page.waitForURL(`**/findings/${ids[0]}`)
  await page.getByRole('heading', { name: 'First' }).waitFor()
  await expect.poll(() => page.locator('main[aria-busy]').count()).toBe(0)

  expect(atOnce).toBe('0')
})

test('a page whose script does not arrive says so in the words of the console, and opens when it is retried', async () => {
  const { companyId, owner } = await newWorld()
  const { page, complaints } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/settings/limits`)
  await page.route('**/console/*.js', (route) => route.abort())

  await page.getByRole('link', { name: 'Attachments' }).click()
  await page.getByText('This page could not be loaded. Check that the server is running, then try again.').waitFor()
  const faults = await accessibilityFaults(page)
  await page.unroute('**/console/*.js')
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByRole('heading', { name: 'Attachments', level: 1 }).waitFor()
  expect(faults).toEqual([])
  // The browser logs the scripts that it did not get.
  complaints.length = 0
})
