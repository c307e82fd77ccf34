// The version of this program, as in package.json.

import { readFileSync } from 'node:fs'

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const version = manifest !== null && typeof manifest === 'object' && 'version' in manifest ? manifest.version : ''
  return typeof version === 'string' ? version : ''
}

export const VERSION = readVersion()
