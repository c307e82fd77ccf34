// A vulnerability as a person enters it.

import { unique } from './client.ts'

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

/** One for each of the three types, with a unique title and without the asset's id. */
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
