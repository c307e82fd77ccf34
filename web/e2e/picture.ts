// Screenshots of what a test shows, for people to look at; the default folder is not committed.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const DIRECTORY = 'web/e2e/pictures'

/** Whether somebody wants to look at them: no test does. */
const { MERLON_TEST_PICTURES } = process.env

/** `name` has no extension; a later screenshot with the same name replaces this one. Does nothing unless pictures are wanted. */
export async function picture(page: Page, name: string, directory = DIRECTORY): Promise<void> {
  if (!MERLON_TEST_PICTURES) return
  mkdirSync(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' })
}
