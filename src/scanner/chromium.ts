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

/** The path of the Chromium that CHROMIUM names, or without it of one of this machine; null when there is none, or CHROMIUM is empty. */
export function findChromium(): string | null {
  const { CHROMIUM } = process.env
  const paths = CHROMIUM === undefined ? USUAL_PATHS : [CHROMIUM]
  return paths.find((path) => existsSync(path)) ?? null
}

/**
 * Through playwright-core, which an installation may lack; everything that its pages ask for goes to the proxy. Null without it, without a Chromium, or if none of the ways to start it works.
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

/** Ways that did not work, which are not tried again. */
const refused = new Set<string>()

const nameOf = ({ executablePath, chromiumSandbox }: LaunchOptions) => `${executablePath} ${chromiumSandbox}`

/** With the sandbox, and without it for machines whose kernel gives ordinary accounts none, as in many containers. */
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
      // datagrams of WebRTC would not take the proxy
      args: ['--disable-gpu', '--disable-dev-shm-usage', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
    }))
    .filter((way) => !refused.has(nameOf(way)))
}
