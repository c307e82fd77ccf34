// Finds the Chromium that some tests need.

import { findChromium } from '../../src/scanner/chromium.ts'

/** Its path. Throws where this machine has none. */
export function needChromium(): string {
  const path = findChromium()
  if (path === null)
    throw new Error('There is no Chromium: install it (Debian: chromium-headless-shell), or name it in CHROMIUM')
  return path
}
