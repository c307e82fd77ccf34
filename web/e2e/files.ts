// Files as people provide them: dragged onto a page, or chosen in the browser's file picker.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'

/** A file on disk, in a directory that the system clears. */
export function fileOf(name: string, content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'merlon-story-')), basename(name))
  writeFileSync(path, content)
  return path
}

/** Drags files from outside the browser over the middle of `target` and drops them, through the browser's own events. */
export async function dropOn(page: Page, target: Locator, ...files: string[]): Promise<void> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('What is dropped on is not shown')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const browser = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  await browser.detach()
}

/** Presses the button that opens the file picker, and chooses the file. */
export async function choose(page: Page, opener: Locator, file: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), opener.click()])
  await chooser.setFiles(file)
}
