// The base address of ScannerB: one for each region, or one that an operator names.

import type { Settings } from '../kinds.ts'

const regions = {
  US_1: 'https://api.snyk.io',
  US_2: 'https://api.us.snyk.io',
  EU_1: 'https://api.eu.snyk.io',
  AU_1: 'https://api.au.snyk.io',
} as const

/** The address before the interface's own path, which may have been given along. */
export const originOf = ({ baseUrl, region }: Pick<Settings, 'baseUrl' | 'region'>): string =>
  baseUrl === null ? regions[region ?? 'US_1'] : baseUrl.replace(/\/(?:rest|v1)?\/?$/, '')
