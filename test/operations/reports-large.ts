// Large reports, generated while they are read, so that none is ever held in memory or on disk.

import type { ReportSource } from '../../src/reports/types.ts'

/**
 * The parts of a report: the text before the rows, the row with a given index, the text between two rows, and the text
 * after them.
 */
type Shape = {
  format: string
  before: string
  row: (index: number) => string
  between: string
  after: string
}

const DESCRIPTION =
  'The value of the parameter is written into the page without being encoded, so that it runs. '.repeat(5)

const sarif: Shape = {
  format: 'sarif',
  before: '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Example","rules":[{"id":"R1"}]}},"results":[',
  row: (index) =>
    JSON.stringify({
      ruleId: 'R1',
      ruleIndex: 0,
      level: 'error',
      message: { text: `${DESCRIPTION}${index}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: `src/folder-${index % 1000}/file-${index}.ts` },
            region: { startLine: (index % 900) + 1, snippet: { text: `document.write(parameter${index})` } },
          },
        },
      ],
      partialFingerprints: { primaryLocationLineHash: `${index}:1` },
    }),
  between: ',',
  after: ']}]}',
}

const trivy: Shape = {
  format: 'trivy',
  before:
    '{"SchemaVersion":2,"ArtifactName":"shop:1.2","ArtifactType":"container_image","Results":[{"Target":"shop","Class":"os-pkgs","Type":"debian","Vulnerabilities":[',
  row: (index) =>
    JSON.stringify({
      VulnerabilityID: `CVE-2026-${10_000 + index}`,
      PkgName: `lib${index}`,
      InstalledVersion: `1.${index}.0`,
      FixedVersion: `1.${index}.1`,
      Severity: 'HIGH',
      Title: `An overflow in lib${index}`,
      Description: DESCRIPTION,
      CweIDs: ['CWE-787'],
      References: [`https://example.org/advisories/${index}`],
    }),
  between: ',',
  after: ']}]}',
}

/** A vulnerability at the end may refer to any component. */
const cyclonedx: Shape = {
  format: 'cyclonedx',
  before:
    '<?xml version="1.0" encoding="UTF-8"?><bom xmlns="http://cyclonedx.org/schema/bom/1.4" version="1"><components>',
  row: (index) =>
    `<component type="library" bom-ref="pkg:npm/lib-${index}@1.${index}.0"><name>lib-${index}</name><version>1.${index}.0</version><description>${DESCRIPTION}</description><licenses><license><id>MIT</id></license></licenses><purl>pkg:npm/lib-${index}@1.${index}.0</purl></component>`,
  between: '\n',
  after:
    '</components><vulnerabilities><vulnerability><id>CVE-2026-1001</id><affects><target><ref>pkg:npm/lib-1@1.1.0</ref></target></affects></vulnerability></vulnerabilities></bom>',
}

const csv: Shape = {
  format: 'tenable',
  before: 'Plugin ID,CVE,Risk,Host,Protocol,Port,Name,Description,Solution\n',
  row: (index) =>
    `${index},CVE-2026-${10_000 + index},High,192.0.2.${index % 250},tcp,${index % 60_000},"An overflow, number ${index}","${DESCRIPTION}\n${DESCRIPTION}",Update it`,
  between: '\n',
  after: '\n',
}

const ndjson: Shape = {
  format: 'nuclei',
  before: '',
  row: (index) =>
    JSON.stringify({
      'template-id': `template-${index}`,
      info: { name: `An overflow, number ${index}`, severity: 'high', description: DESCRIPTION, tags: ['web'] },
      host: 'shop.example.org',
      'matched-at': `https://shop.example.org/${index}`,
      request: `GET /${index} HTTP/1.1\r\nCookie: session=${index}\r\n`,
    }),
  between: '\n',
  after: '\n',
}

/** The vulnerability at the end may be found in any package. */
const spdx: Shape = {
  format: 'spdx',
  before: '{"@context":"https://spdx.org/rdf/3.0.1/spdx-context.jsonld","@graph":[',
  row: (index) =>
    JSON.stringify({
      type: 'software_Package',
      spdxId: `https://example.org/spdx/package-${index}`,
      name: `lib-${index}`,
      software_packageVersion: `1.${index}.0`,
      software_packageUrl: `pkg:npm/lib-${index}@1.${index}.0`,
      description: DESCRIPTION,
    }),
  between: ',',
  after:
    ',{"type":"security_Vulnerability","spdxId":"urn:v","name":"CVE-2026-1001"},{"type":"security_VexAffectedVulnAssessmentRelationship","from":"urn:v","to":["https://example.org/spdx/package-1"]}]}',
}

export const shapes: Readonly<Record<string, Shape>> = { sarif, trivy, cyclonedx, spdx, csv, ndjson }

/** The characters in a chunk. */
const CHUNK = 65_536

/** A report of about `bytes` bytes; each time it is opened, the same text is generated again. */
export function largeReport({ before, row, between, after }: Shape, bytes: number): ReportSource {
  return {
    name: 'report',
    open: async function* () {
      let chunk = before
      for (let index = 0, size = 0; size < bytes; index++) {
        chunk += (index === 0 ? '' : between) + row(index)
        if (chunk.length < CHUNK) continue
        size += chunk.length
        yield Buffer.from(chunk)
        chunk = ''
      }
      yield Buffer.from(chunk + after)
    },
  }
}
