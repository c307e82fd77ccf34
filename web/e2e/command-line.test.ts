// The commands that empty pages show, and how to get the command line that they need.

import { expect, test } from 'vitest'
import { newWorld } from '../../test/testkit/world.ts'
import { accessibilityFaults, browserStories, signIn } from './browser.ts'
import { picture } from './picture.ts'

const openPage = browserStories()

test('an empty page shows the command that fills it, and where to get that command', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await signIn(page, owner.key, `/companies/${companyId}/assets`)

  await page.getByText(`merlon asset create "my-service" --company ${companyId}`, { exact: true }).waitFor()
  await page.getByText('How to get this command').click()

  await page.getByText(`merlon login --url ${new URL(page.url()).origin}`, { exact: true }).waitFor()
  expect(await page.getByText('bin/merlon.mjs').innerText()).toBe(`alias merlon="node '$PWD/bin/merlon.mjs'"`)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('when the browser refuses to copy, the button says so, and what to do instead', async () => {
  const { companyId, owner } = await newWorld()
  const { page } = await openPage()
  await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("NotAllowedError"))')
  await signIn(page, owner.key, `/companies/${companyId}/assets`)

  const button = page.getByRole('button', { name: 'Copy the command' })
  await button.click()
  const refusal = page.getByRole('dialog', { name: 'Error' })
  await refusal.getByText('The browser blocked copying; select the command and copy it.').waitFor()
  const [said, asked] = [await refusal.boundingBox(), await button.boundingBox()]

  expect(Math.abs((said?.y ?? 0) - (asked?.y ?? 0))).toBeLessThan(60)
  expect(await accessibilityFaults(page)).toEqual([])
  await picture(page, 'copy-refused')
})
