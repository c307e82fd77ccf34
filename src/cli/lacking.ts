// Names the files that a backup lacks, the first of them if there are many.

import type { Lacking } from '../core/backup-objects.ts'

const NAMED = 20

export function nameLacking(lacking: readonly Lacking[]): string {
  const named = lacking
    .slice(0, NAMED)
    .map(({ companyId, filename, key }) => `${filename} of company ${companyId} (${key})`)
  const more = lacking.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more, which its manifest.json names` : ''}`
}
