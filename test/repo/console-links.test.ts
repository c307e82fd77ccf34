// The service's links lead to pages of the console, with the addresses and filters that the console itself would write.

import { readFileSync } from 'node:fs'
import { matchRoutes } from 'react-router'
import { createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { pages } from '../../src/core/console-links.ts'
import { projectFiles } from './files.ts'

/** Vite loads the console's modules, because Node cannot read TSX. */
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
afterAll(() => vite.close())

const consoleFile = (path: string) => vite.ssrLoadModule(`/web/${path}`)

const at = { companyId: '2' }
const asset = { ...at, assetId: '3' }
const branch = 'topic/a&b, +ü'

const links = {
  finding: pages.finding({ ...at, issueId: '4' }),
  findings: pages.findingsOf({ ...asset, branch: null }),
  'findings of a branch': pages.findingsOf({ ...asset, branch }),
  deploy: pages.deploy({ ...at, deployId: '5' }),
  integrations: pages.integrations(at),
}

test('is what the console writes itself, and leads to a page', async () => {
  const { to } = await consoleFile('util/path-builder.ts')
  const { routes } = await consoleFile('routes.tsx')
  const own: Record<keyof typeof links, string> = {
    finding: to.finding({ ...at, issueId: '4' }),
    findings: to.findings(at, new URLSearchParams({ asset: '3' })),
    'findings of a branch': to.findings(at, new URLSearchParams({ asset: '3', branch })),
    deploy: to.deploy({ ...at, deployId: '5' }),
    integrations: to.integrations(at),
  }

  const homeless = Object.values(links).filter((link) => matchRoutes(routes, new URL(link, 'http://console')) === null)

  expect(links).toEqual(own)
  expect(homeless).toEqual([])
})

test('narrows the list of findings to what it says', async () => {
  const { askedBy, filterShape } = await consoleFile('pages/findings/filters.ts')
  const { readAll } = await consoleFile('util/url-state.ts')
  const filtersOf = (link: string) =>
    askedBy(at.companyId, readAll(filterShape, new URL(link, 'http://console').searchParams)).filters

  const whole = filtersOf('/')

  expect(filtersOf(links.findings)).toEqual({ ...whole, assetIds: ['3'] })
  expect(filtersOf(links['findings of a branch'])).toEqual({ ...whole, assetIds: ['3'], branchNames: [branch] })
})

test('is written in one place', () => {
  const elsewhere = projectFiles()
    .filter((path) => /^src\/(core|exports|modules)\/.*\.ts$/.test(path) && !/\.(test|generated)\.ts$/.test(path))
    .filter((path) =>
      /[`'"}]\/(companies|issues|findings|integrations)\b|\}\/deploys\b/.test(readFileSync(path, 'utf8')),
    )

  expect(elsewhere).toEqual(['src/core/console-links.ts'])
})
