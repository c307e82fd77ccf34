// Pictures of what a story shows, for people to look at: into a folder that is not kept.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const DIRECTORY = 'web/e2e/pictures'

/** `name` without its ending; the same name again replaces the picture. */
export async function picture(page: Page, name: string, directory = DIRECTORY): Promise<void> {
  mkdirSync(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' })
}
