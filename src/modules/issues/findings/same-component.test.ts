// Which ways of writing a component are one to two tools.

import { expect, test } from 'vitest'
import { countsOf, imported, newReportHome } from '../../../../test/testkit/reports.ts'

type Named = { name: string; version: string; purl?: string }

const grype = ({ name, version, purl }: Named) =>
  JSON.stringify({
    matches: [
      {
        vulnerability: { id: 'GHSA-jfh8-c2jp-5v3q', severity: 'Medium' },
        relatedVulnerabilities: [{ id: 'CVE-2021-44228' }],
        artifact: { name, version, purl, type: 'a-type', locations: [{ path: '/app' }] },
      },
    ],
    source: { type: 'directory', target: '.' },
  })

const trivy = ({ name, version, purl }: Named) =>
  JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [
      {
        Target: 'a-file',
        Class: 'lang-pkgs',
        Vulnerabilities: [
          {
            VulnerabilityID: 'CVE-2021-44228',
            PkgName: name,
            InstalledVersion: version,
            PkgIdentifier: { PURL: purl },
            Severity: 'CRITICAL',
          },
        ],
      },
    ],
  })

const log4j = 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.0'
const openssl = 'pkg:deb/debian/openssl@1.1.1n?arch=amd64&distro=debian-11'

test.each([
  [
    'an artifact of Maven, by its group in the purl alone',
    { name: 'log4j-core', version: '2.14.0', purl: log4j },
    { name: 'org.apache.logging.log4j:log4j-core', version: '2.14.0' },
  ],
  [
    'a package of a distribution, with and without it',
    { name: 'debian/openssl', version: '1.1.1n', purl: openssl },
    { name: 'openssl', version: '1.1.1n' },
  ],
  [
    'a package whose name is a purl',
    { name: 'pkg:npm/%40babel/traverse@7.22.0', version: '7.22.0' },
    { name: '@babel/traverse', version: '7.22.0' },
  ],
])('%s, is one issue with two witnesses', async (_, one, other) => {
  const home = await newReportHome()
  await imported(home, grype(one))

  const joined = await imported(home, trivy(other))

  expect(countsOf(joined)).toEqual({ read: 1, merged: 1 })
})

test('artifacts of one name and different groups are two', async () => {
  const home = await newReportHome()
  await imported(home, grype({ name: 'core', version: '1.0', purl: 'pkg:maven/org.one/core@1.0' }))

  const apart = await imported(home, trivy({ name: 'core', version: '1.0', purl: 'pkg:maven/org.two/core@1.0' }))

  expect(countsOf(apart)).toEqual({ read: 1, created: 1 })
})
