// The words that samples are filled with.

import { unique } from '../../testkit/client.ts'

const words = () => ({
  title: unique('Issue'),
  description: 'What is wrong',
  solution: 'What helps',
  impactLevel: 'HIGH',
  probabilityLevel: 'MEDIUM',
  severity: 'HIGH',
  summary: 'In short',
  impactDescription: 'What may happen',
  stepsToReproduce: 'How it shows',
})

/** What a person writes down, for each of the three types. */
export const manual = {
  code: () => ({ ...words(), codeSnippet: 'eval(input)', vulnerableLine: 7, firstLine: 7, fileName: 'src/input.js' }),
  network: () => ({ ...words(), address: '192.0.2.7', protocol: 'tcp', port: 23, attackVector: 'NETWORK' }),
  web: () => ({
    ...words(),
    request: 'GET /?q=1 HTTP/1.1',
    response: 'HTTP/1.1 500',
    method: 'GET',
    scheme: 'HTTPS',
    url: 'https://shop.example.test/?q=1',
    port: 443,
  }),
}

/** What a tool reports of each type; the asset's id is left out. */
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
