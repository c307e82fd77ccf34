// Starts a local Chromium for pages that may be hostile: never as root, in its sandbox, and without the environment of this process.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, LaunchOptions } from 'playwright-core'

const USUAL_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of the Chromium that CHROMIUM names or, if it is unset, of one on this machine; null if there is none or CHROMIUM is empty. */
export function findChromium(): string | null {
  const { CHROMIUM } = process.env
  const paths = CHROMIUM === undefined ? USUAL_PATHS : [CHROMIUM]
  return paths.find((path) => existsSync(path)) ?? null
}

/**
 * Starts Chromium through playwright-core, with all of its pages' requests sent to the proxy. Null if playwright-core is not installed,
 * there is no Chromium, or none of the ways to start it works.
 */
export async function launchChromium(proxy: string): Promise<Browser | null> {
  const path = findChromium()
  const playwright = await import('playwright-core').catch(() => null)
  if (path === null || playwright === null) return null
  for (const way of waysOf(path)) {
    const browser = await playwright.chromium.launch({ ...way, proxy: { server: proxy } }).catch(() => null)
    if (browser !== null) return browser
    refused.add(nameOf(way))
  }
  return null
}

/** Ways to start it that failed, which are not tried again. */
const refused = new Set<string>()

const nameOf = ({ executablePath, chromiumSandbox }: LaunchOptions) => `${executablePath} ${chromiumSandbox}`

/** First with the sandbox, then without it, because many containers give ordinary accounts none. */
function waysOf(path: string): LaunchOptions[] {
  const { PATH, HOME, TMPDIR, LANG } = process.env
  const passed = Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR, LANG }).filter(([, value]) => value),
  ) as Record<string, string>
  const isRoot = process.getuid?.() === 0
  const started = isRoot
    ? {
        executablePath: fileURLToPath(new URL('chromium-as-nobody.sh', import.meta.url)),
        env: { ...passed, CHROMIUM: path },
      }
    : { executablePath: path, env: passed }
  return [true, false]
    .map((chromiumSandbox) => ({
      ...started,
      chromiumSandbox,
      headless: true,
      // WebRTC's datagrams would bypass the proxy
      args: ['--disable-gpu', '--disable-dev-shm-usage', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
    }))
    .filter((way) => !refused.has(nameOf(way)))
}
