// The texts that samples are filled with.

import { unique } from '../../testkit/client.ts'

/** What a tool reports for each type, without the asset's id. */
export const reported = {
  code: () => ({
    title: unique('Finding'),
    description: 'What the tool says',
    codeSnippet: 'eval(input)',
    vulnerableLine: 12,
    firstLine: 10,
    fileName: 'src/server.js',
  }),
  component: () => ({
    title: unique('Finding'),
    description: 'What the tool says',
    package: 'left-pad',
    affectedVersion: '1.0.0',
    patchedVersion: '1.0.1',
    cve: 'CVE-2026-1234',
    fileName: 'package-lock.json',
  }),
  exchange: () => ({
    title: unique('Finding'),
    description: 'What the tool says',
    url: 'https://shop.example.test/',
    method: 'GET',
    request: 'GET / HTTP/1.1',
    response: 'HTTP/1.1 200',
  }),
}
